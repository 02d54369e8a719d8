use super::*;
use crate::domain::triage::guard;

const MEL: Persona<'static> = Persona { assistant_name: "mel", helps_with: None };

#[test]
fn every_slug_has_a_text_of_its_own_in_every_language() {
    let mut seen = std::collections::HashSet::new();
    for slug in Slug::ALL {
        for locale in Locale::ALL {
            let text = slug.template(locale);
            assert!(text.len() > 40 && text.trim() == text, "{slug:?} {locale:?}: {text:?}");
            assert!(seen.insert(text), "{slug:?} {locale:?} repeats another");
        }
    }
}

#[test]
fn no_template_lies_in_one_language_only() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../templates/responses");
    for slug in Slug::ALL {
        for locale in Locale::ALL {
            let file = format!("{root}/{}/{}.txt", locale.as_str(), slug.as_str());
            assert_eq!(
                std::fs::read_to_string(&file).ok().as_deref(),
                Some(slug.template(locale)),
                "{file}"
            );
        }
    }
}

#[test]
fn the_guards_texts_are_the_seeds_unless_the_account_changes_name_or_subjects() {
    for (slug, text) in [
        (Slug::Frustrated, guard::GUARD_RESPONSE_FRUSTRATED),
        (Slug::Loop, guard::GUARD_RESPONSE_LOOP),
        (Slug::HumanRequest, guard::GUARD_RESPONSE_HUMAN_REQUEST),
    ] {
        assert_eq!(slug.text(Locale::PtBr, &MEL), text);
    }
    let own = Persona { assistant_name: "Bia", helps_with: Some("reservas ou cardápio") };
    let text = Slug::HumanRequest.text(Locale::PtBr, &own);
    assert!(text.starts_with("Por enquanto só eu (Bia) por aqui — sem humano."), "{text}");
    assert!(text.ends_with("posso te ajudar com reservas ou cardápio?"), "{text}");
}

#[test]
fn every_language_names_what_an_account_can_change() {
    for (locale, words) in HELPS_WITH {
        let text = Slug::HumanRequest.template(locale);
        assert!(text.contains(words) && text.contains(NAME), "{text}");
    }
}

#[test]
fn the_brazilian_crisis_line_is_named() {
    for slug in [Slug::Crisis, Slug::CrisisAvailable] {
        assert!(slug.template(Locale::PtBr).contains("188"));
    }
}
