//! The fields of the settings as they are typed.

use lembra_agent::domain::fields::{self, Invalid};
use lembra_agent::services::board::settings::{AccountSettings, MOST_DEBOUNCE_MS, SettingsChange};
use serde::Deserialize;

/// A group of fields that is saved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Business,
    Assistant,
    People,
    Ceiling,
}

impl Section {
    /// As in the path of its form.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "business" => Some(Section::Business),
            "assistant" => Some(Section::Assistant),
            "people" => Some(Section::People),
            "ceiling" => Some(Section::Ceiling),
            _ => None,
        }
    }
}

/// Everything that can be typed; a form sends its own section only.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SettingsForm {
    pub name: String,
    pub timezone: String,
    pub locale: String,
    pub facts: String,
    pub assistant_name: String,
    pub persona: String,
    pub helps_with: String,
    pub scope_profile: String,
    pub debounce_ms: String,
    pub human_support: String,
    pub handoff_minutes: String,
    /// A box: there when it is ticked.
    pub handoff_resumes: Option<String>,
    pub notify_url: String,
    pub monthly_ceiling_brl: String,
}

impl SettingsForm {
    pub fn of(settings: &AccountSettings) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let number = |number: Option<i32>| number.map(|ms| ms.to_string()).unwrap_or_default();
        let ceiling = settings.monthly_ceiling_brl.map(|brl| format!("{brl:.2}").replace('.', ","));
        Self {
            name: settings.name.clone(),
            timezone: settings.timezone.clone(),
            locale: settings.locale.clone(),
            facts: text(&settings.facts),
            assistant_name: settings.assistant_name.clone(),
            persona: text(&settings.persona),
            helps_with: text(&settings.helps_with),
            scope_profile: settings.scope_profile.clone(),
            debounce_ms: number(settings.debounce_ms),
            human_support: settings.human_support.clone(),
            handoff_minutes: settings.handoff_minutes.to_string(),
            handoff_resumes: settings.handoff_resumes.then(|| "on".to_owned()),
            notify_url: text(&settings.notify_url),
            monthly_ceiling_brl: ceiling.unwrap_or_default(),
        }
    }

    /// What a section asks for. An empty field takes away what may be absent.
    pub fn change(&self, section: Section) -> Result<SettingsChange, Invalid> {
        let mut invalid = Invalid::default();
        let given = |text: &str| Some(text.to_owned());
        let maybe = |text: &str| Some((!text.trim().is_empty()).then(|| text.to_owned()));
        let unsaid = SettingsChange::default();
        let change = match section {
            Section::Business => SettingsChange {
                name: given(&self.name),
                timezone: given(&self.timezone),
                locale: given(&self.locale),
                facts: maybe(&self.facts),
                ..unsaid
            },
            Section::Assistant => SettingsChange {
                assistant_name: given(&self.assistant_name),
                persona: maybe(&self.persona),
                helps_with: maybe(&self.helps_with),
                scope_profile: given(&self.scope_profile),
                debounce_ms: match self.debounce_ms.as_str() {
                    "" => Some(None),
                    ms => invalid
                        .take("debounce_ms", fields::number(ms, 0, MOST_DEBOUNCE_MS))
                        .map(Some),
                },
                ..unsaid
            },
            Section::People => SettingsChange {
                human_support: given(&self.human_support),
                handoff_minutes: invalid
                    .take("handoff_minutes", fields::number(&self.handoff_minutes, 1, 1_440)),
                handoff_resumes: Some(self.handoff_resumes.is_some()),
                notify_url: maybe(&self.notify_url),
                ..unsaid
            },
            Section::Ceiling => SettingsChange {
                monthly_ceiling_brl: match self.monthly_ceiling_brl.trim() {
                    "" => Some(None),
                    text => invalid.take("monthly_ceiling_brl", fields::brl(text)).map(Some),
                },
                ..unsaid
            },
        };
        invalid.check().map(|()| change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_asks_for_its_own_fields_only() {
        let form = SettingsForm {
            assistant_name: "Bia".into(),
            helps_with: " ".into(),
            debounce_ms: "0".into(),
            monthly_ceiling_brl: "cem".into(),
            ..SettingsForm::default()
        };
        let change = form.change(Section::Assistant).unwrap();
        assert_eq!(change.assistant_name.as_deref(), Some("Bia"));
        assert_eq!((change.helps_with, change.debounce_ms), (Some(None), Some(Some(0))));
        assert_eq!((change.name, change.monthly_ceiling_brl), (None, None));
        assert!(form.change(Section::Ceiling).unwrap_err().0.contains_key("monthly_ceiling_brl"));
        let free = SettingsForm::default().change(Section::Ceiling).unwrap();
        assert_eq!(free.monthly_ceiling_brl, Some(None));
    }
}
