//! A domain of scope about which the account has entries proceeds (seed 003, DESIGN §8).

use lembra_agent::domain::triage::scope::Profile;
use lembra_agent::services::knowledge::edit::Changes;
use lembra_agent::store::accounts;
use lembra_agent::store::knowledge::Status;

use super::{add, told};
use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::on_both_databases;

async fn with_profile(app: &TestApp) {
    let profile = Some(Profile::MedicationAdherence);
    let changes = accounts::Changes { scope_profile: profile, ..accounts::Changes::default() };
    let account = app.account().await;
    accounts::change(app.db(), account, &changes, app.now()).await.unwrap();
    app.runtime.inboxes.forget();
}

async fn verdict(app: &TestApp, text: &str) -> String {
    app.runtime.inboxes.forget();
    let id = app.say(ANA, text).await;
    app.settle().await;
    app.message(&id).await.verdict.unwrap_or_default()
}

async fn covered(app: &TestApp) -> serde_json::Value {
    let account = app.account().await;
    accounts::find(app.db(), account).await.unwrap().unwrap().covered_domains
}

on_both_databases! {
    async fn a_covered_domain_proceeds_for_as_long_as_an_entry_covers_it(app: TestApp) {
        with_profile(&app).await;
        let account = app.account().await;
        let knowledge = &app.runtime.knowledge;
        assert_eq!(verdict(&app, "a bombinha acabou de novo").await, "out-of-domain");
        let id = add(&app, "Onde retirar?", "No posto, com a receita.", Some("Remédios > Inaladores")).await;
        assert_eq!(covered(&app).await, serde_json::json!(["inhaler"]));
        assert_eq!(verdict(&app, "minha bombinha está no fim").await, "proceed");
        // Another domain, and what is refused, are as they were.
        assert_eq!(verdict(&app, "a rosuvastatina dá sono").await, "out-of-domain");
        assert_eq!(verdict(&app, "quantas doses da bombinha devo tomar por dia?").await, "scope-rejection");
        let off = Changes { status: Some(Status::Disabled), ..Changes::default() };
        knowledge.edit(account, id, off, "test").await.unwrap();
        assert_eq!(covered(&app).await, serde_json::json!([]));
        assert_eq!(verdict(&app, "perdi a minha bombinha").await, "out-of-domain");
        let on = Changes { status: Some(Status::Enabled), ..Changes::default() };
        knowledge.edit(account, id, on, "test").await.unwrap();
        knowledge.remove(account, id).await.unwrap();
        assert_eq!(covered(&app).await, serde_json::json!([]));
    }

    async fn what_is_known_of_the_domain_is_told_though_no_word_fits(app: TestApp) {
        let id = add(&app, "Onde retirar?", "No posto, com a receita.", Some("Inaladores")).await;
        add(&app, "Tem estacionamento?", "Sim.", None).await;
        let said = "minha bombinha está no fim";
        assert_eq!(told(&app, said).await, Vec::<i64>::new());
        with_profile(&app).await;
        assert_eq!(told(&app, said).await, [id]);
    }
}
