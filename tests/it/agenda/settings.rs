//! Where an account's agenda is: kept with its token encrypted, on both databases.

use lembra_agent::services::agenda::{AgendaError, explain};
use lembra_agent::services::tools::scheduling;
use lembra_agent::store::agendas;
use serde_json::json;

use super::{CONSULT, Clinic};
use crate::support::fake_agenda::{FakeAgenda, TOKEN};
use crate::support::on_both_databases;
use crate::support::processes::Installation;

on_both_databases! {
    async fn an_agenda_is_set_replaced_and_taken_away(app: TestApp) {
        let account = app.account().await;
        let agendas_of = &app.runtime.agendas;
        assert!(agendas_of.of_account(account).await.expect("answers").is_none());
        assert!(scheduling::tools(None).is_empty());

        let clinic = Clinic::open(app).await;
        let (app, agendas_of) = (&clinic.app, &clinic.app.runtime.agendas);
        let row = agendas::find(app.db(), account).await.expect("answers").expect("a row");
        assert!(!row.token.expect("a token").contains(TOKEN));
        assert!(clinic.call(CONSULT, &json!({})).await.is_ok());
        let checked = agendas_of.check(account).await.expect("answers").expect("an agenda");
        assert_eq!(checked.expect("it answers").with_scheduling, 2);

        // A token is not carried over to another address.
        let other = FakeAgenda::start();
        let url = other.url.parse().expect("an address");
        agendas_of.set(account, &url, None).await.expect("is written");
        let checked = agendas_of.check(account).await.expect("answers").expect("an agenda");
        let why = checked.expect_err("it refuses");
        assert_eq!(explain(&why), "it refuses: 401 unauthorized");

        assert!(agendas::remove(app.db(), account).await.expect("answers"));
        assert!(!agendas::remove(app.db(), account).await.expect("answers"));
        let nobody = agendas_of.set(account + 99, &url, None).await;
        assert!(matches!(nobody, Err(AgendaError::NoAccount(_))));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agenda_is_set_up_on_the_command_line() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let agenda = FakeAgenda::start();
    let set = ["agenda", "set", "--account", "1", "--url", &agenda.url, "--token", TOKEN];
    installation.bot_json(&set);
    let shown = installation.bot_json(&["agenda", "show", "--account", "1"]);
    assert_eq!(shown["agendas"][0]["has_token"], true);
    assert!(!shown.to_string().contains(TOKEN), "{shown}");
    let checked = installation.bot_json(&["agenda", "check", "--account", "1"]);
    assert_eq!(checked["doctors"], 3);
    for wrong in [
        ["agenda", "set", "--account", "99", "--url", &agenda.url],
        ["agenda", "set", "--account", "1", "--url", "https://agenda.example/?key=1"],
    ] {
        assert!(!installation.bot(&wrong).status.success(), "{wrong:?}");
    }
    installation.bot_json(&["agenda", "remove", "--account", "1"]);
    assert!(!installation.bot(&["agenda", "check", "--account", "1"]).status.success());
}
