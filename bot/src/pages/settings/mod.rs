//! Settings of the account: the business, the assistant, people, memory, costs.

mod form;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::memory_switches::{self, MemorySwitches, MonthCosts, Switch};
use lembra_agent::services::board::settings::{AccountSettings, SettingsChange};
use lembra_agent::store::accounts;
use secrecy::ExposeSecret;
use serde::Deserialize;

use self::form::{Section, SettingsForm};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{Errors, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::SettingsWrite;
    routes.page(Method::GET, "/settings", Permission::SettingsRead, page);
    routes.page(Method::POST, "/settings/form/{section}", write, save);
    routes.page(Method::POST, "/settings/pause", write, pause);
    routes.page(Method::POST, "/settings/memory/{flag}", write, turn);
    routes.page(Method::POST, "/settings/notify-secret", write, renew_secret);
}

/// The time zones of Brazil, from east to west; any other may be typed.
const ZONES: [&str; 16] = [
    "America/Noronha",
    "America/Belem",
    "America/Fortaleza",
    "America/Recife",
    "America/Araguaina",
    "America/Maceio",
    "America/Bahia",
    "America/Sao_Paulo",
    "America/Campo_Grande",
    "America/Cuiaba",
    "America/Santarem",
    "America/Porto_Velho",
    "America/Boa_Vista",
    "America/Manaus",
    "America/Eirunepe",
    "America/Rio_Branco",
];

/// Rests between a message and its answer that are offered, in milliseconds.
const PACES: [i64; 6] = [0, 1_000, 2_500, 4_000, 6_000, 10_000];

#[derive(Template)]
#[template(
    path = "pages/settings.html",
    blocks = ["live", "business", "assistant", "people", "ceiling"]
)]
struct SettingsPage {
    frame: Frame,
    form: SettingsForm,
    errors: Errors,
    settings: AccountSettings,
    switches: MemorySwitches,
    costs: MonthCosts,
    /// What announcements are signed with, right after it was made.
    secret: Option<String>,
}

impl SettingsPage {
    /// `None` when there is no such account.
    async fn load(web: &Web, principal: &Principal, frame: Frame) -> Result<Self, AdminError> {
        let runtime = &web.runtime;
        let (db, id) = (&runtime.db, principal.account_id);
        let account = accounts::find(db, id).await?.ok_or(AdminError::NotFound)?;
        let settings = runtime.admin().settings(id).await?.ok_or(AdminError::NotFound)?;
        let costs = memory_switches::costs(db, &account, runtime.clock.now()).await?;
        let switches = memory_switches::read(db, id, &costs).await?;
        let form = SettingsForm::of(&settings);
        let errors = Errors::default();
        Ok(Self { frame, form, errors, settings, switches, costs, secret: None })
    }

    fn zones(&self) -> &'static [&'static str] {
        &ZONES
    }

    /// Rests to choose from, with their names; also one that somebody set elsewhere.
    fn paces(&self) -> Vec<(String, String)> {
        let mut paces: Vec<i64> = PACES.to_vec();
        let own = self.form.debounce_ms.parse().ok();
        paces.extend(own.filter(|own| !PACES.contains(own)));
        paces.sort_unstable();
        let named = |ms: i64| {
            let seconds = (ms as f64 / 1_000.0).to_string().replace('.', ",");
            let name = match ms {
                0 => words::word("pace.at_once"),
                1_000 => words::word("pace.second"),
                _ => words::filled("pace.seconds", &[("seconds", &seconds)]),
            };
            (ms.to_string(), name)
        };
        paces.into_iter().map(named).collect()
    }

    fn default_pace(&self) -> String {
        (self.settings.default_debounce_ms as f64 / 1_000.0).to_string().replace('.', ",")
    }

    fn both(&self) -> [(&Switch, &'static str); 2] {
        [(&self.switches.extraction, "extraction"), (&self.switches.recall, "recall")]
    }

    fn section(&self, section: Section) -> HttpResponse {
        let refused = !self.errors.is_empty();
        match (section, refused) {
            (Section::Business, true) => respond::refused(&self.as_business()),
            (Section::Assistant, true) => respond::refused(&self.as_assistant()),
            (Section::People, true) => respond::refused(&self.as_people()),
            (Section::Ceiling, true) => respond::refused(&self.as_ceiling()),
            (Section::People, false) => respond::page(&self.as_people()),
            (_, false) => respond::done("notice.saved"),
        }
    }
}

async fn page(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match SettingsPage::load(&web, &principal, frame).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// Saves a section; one that is refused comes back with its errors.
async fn save(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    section: web::Path<String>,
    form: web::Form<SettingsForm>,
) -> HttpResponse {
    let Some(section) = Section::parse(&section) else { return respond::gone() };
    let form = form.into_inner();
    let saved = match form.change(section) {
        Ok(change) => {
            let admin = web.runtime.admin();
            admin.change_settings(principal.account_id, &change, &principal.name).await
        }
        Err(invalid) => Err(invalid.into()),
    };
    let (errors, secret) = match saved {
        Ok(changed) if changed.notify_secret.is_none() => {
            return respond::done("notice.saved");
        }
        Ok(changed) => {
            let secret = changed.notify_secret.map(|secret| secret.expose_secret().to_owned());
            (Errors::default(), secret)
        }
        Err(AdminError::Invalid(invalid)) => (Errors::of(&invalid), None),
        Err(error) => return unable(&error),
    };
    match SettingsPage::load(&web, &principal, frame).await {
        Ok(view) => SettingsPage { form, errors, secret, ..view }.section(section),
        Err(error) => unable(&error),
    }
}

/// A switch as it is to be.
#[derive(Deserialize)]
struct Wanted {
    enabled: bool,
}

/// Stops the bot for everybody, or lets it answer again.
async fn pause(
    principal: Principal,
    web: web::Data<Web>,
    wanted: web::Form<Wanted>,
) -> HttpResponse {
    let change = SettingsChange { bot_paused: Some(wanted.enabled), ..SettingsChange::default() };
    let admin = web.runtime.admin();
    match admin.change_settings(principal.account_id, &change, &principal.name).await {
        Ok(_) if wanted.enabled => respond::done("settings.paused"),
        Ok(_) => respond::done("settings.resumed"),
        Err(error) => unable(&error),
    }
}

/// Turns a switch of memory.
async fn turn(
    principal: Principal,
    web: web::Data<Web>,
    flag: web::Path<String>,
    wanted: web::Form<Wanted>,
) -> HttpResponse {
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    let (account, by) = (principal.account_id, &principal.name);
    match memory_switches::turn(db, account, &flag, wanted.enabled, by, now).await {
        Ok(true) if wanted.enabled => respond::done("settings.switched_on"),
        Ok(true) => respond::done("settings.switched_off"),
        Ok(false) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

/// Another secret for announcements, shown once.
async fn renew_secret(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    let renewed =
        web.runtime.admin().renew_notify_secret(principal.account_id, &principal.name).await;
    let secret = match renewed {
        Ok(secret) => Some(secret.expose_secret().to_owned()),
        Err(error) => return unable(&error),
    };
    match SettingsPage::load(&web, &principal, frame).await {
        Ok(view) => SettingsPage { secret, ..view }.section(Section::People),
        Err(error) => unable(&error),
    }
}
