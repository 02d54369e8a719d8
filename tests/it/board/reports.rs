//! Reports per unit: what is counted together, what is left out, and the file for spreadsheets.

use chrono::{Datelike, TimeDelta};
use lembra_agent::domain::access::Role;
use lembra_agent::domain::memory::{Fact, MemoryKind};
use lembra_agent::store::memories::{self, Origin};
use lembra_agent::store::{accounts, units};
use serde_json::Value;

use crate::memory::{acquainted, origin, plant};
use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// A unit with the line of the account, and two contacts who wrote there.
async fn unit_with_two(app: &TestApp) -> (i64, Origin, Origin) {
    let ana = acquainted(app).await;
    app.clock.advance(TimeDelta::seconds(5));
    app.say(BIA, "boa tarde").await;
    app.settle().await;
    let bia = origin(app).await;
    let unit = units::add(app.db(), ana.account_id, "Centro", app.now()).await.unwrap().id;
    assert!(units::assign(app.db(), ana.inbox_id, Some(unit), app.now()).await.unwrap());
    let here = |origin| Origin { unit_id: Some(unit), ..origin };
    (unit, here(ana), here(bia))
}

fn groups(list: &Value) -> Vec<(String, i64, i64)> {
    let groups = list["groups"].as_array().unwrap_or_else(|| panic!("{list}"));
    let group = |group: &Value| {
        let number = |key: &str| group[key].as_i64().unwrap();
        (group["content"].as_str().unwrap().to_owned(), number("contacts"), number("mentions"))
    };
    groups.iter().map(group).collect()
}

on_both_databases! {
    async fn one_complaint_in_other_words_is_counted_once_per_customer(app: TestApp) {
        let app = app.with_memory().await;
        let (unit, ana, bia) = unit_with_two(&app).await;
        let elsewhere = units::add(app.db(), ana.account_id, "Praia", app.now()).await.unwrap().id;
        let complain = MemoryKind::Reclamacao;
        plant(&app, ana, complain, "Chuveiro frio", app.now() - TimeDelta::days(100)).await;
        plant(&app, ana, complain, "Ar-condicionado da 204 barulhento", app.now() - TimeDelta::days(3)).await;
        plant(&app, bia, complain, "Reclamou do ar-condicionado barulhento da 310", app.now()).await;
        plant(&app, bia, complain, "Café da manhã sem fruta", app.now()).await;
        plant(&app, Origin { unit_id: Some(elsewhere), ..ana }, complain, "Areia no quarto", app.now()).await;
        plant(&app, ana, MemoryKind::FeedbackPositivo, "Elogiou a Dona Cida do café", app.now()).await;
        let forgotten = plant(&app, ana, complain, "Elevador parado", app.now()).await;
        let note = serde_json::json!({ "change": "forget_all" });
        assert!(memories::soft_delete(app.db(), forgotten, &note, app.now()).await.unwrap());
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/reports", viewer.account_id);
        let report = viewer.get(&format!("{api}?unit={unit}")).await.json();
        assert_eq!((&report["unit_name"], &report["days"]), (&"Centro".into(), &90.into()));
        let complaints = groups(&report["complaints"]);
        assert_eq!(complaints[0], ("Ar-condicionado da 204 barulhento".to_owned(), 2, 2));
        assert_eq!(complaints[1], ("Café da manhã sem fruta".to_owned(), 1, 1));
        assert_eq!(complaints.len(), 2);
        let example = &report["complaints"]["groups"][0]["examples"];
        assert_eq!(example.as_array().unwrap().len(), 2);
        assert_eq!(example[0]["conversation_id"], bia.conversation_id);
        assert_eq!(groups(&report["praises"])[0].0, "Elogiou a Dona Cida do café");
        let longer = viewer.get(&format!("{api}?unit={unit}&days=120")).await.json();
        assert_eq!(groups(&longer["complaints"]).len(), 3);
        let all = viewer.get(&api).await.json();
        assert_eq!(groups(&all["complaints"]).len(), 3);
        let unknown = viewer.get(&format!("{api}?unit=none")).await.json();
        assert_eq!(groups(&unknown["complaints"]), []);
        let page = viewer.get(&format!("/reports?unit={unit}")).await.body;
        assert!(page.contains("2 clientes") && page.contains("Dona Cida"), "{page}");
        assert!(page.contains(&format!("href=\"/conversations/{}\"", bia.conversation_id)));
        assert!(!page.contains("Elevador") && !page.contains("Areia"));
    }

    async fn the_profile_knows_who_came_again_what_they_like_and_what_they_celebrate(app: TestApp) {
        let app = app.with_memory().await;
        let (unit, ana, bia) = unit_with_two(&app).await;
        app.resolve().await;
        app.say(BIA, "voltei").await;
        app.settle().await;
        let soon = app.now() + TimeDelta::days(5);
        let celebrated = format!("Aniversário de casamento em {:02}/{:02}", soon.day(), soon.month());
        plant(&app, ana, MemoryKind::DataComemorativa, &celebrated, app.now() - TimeDelta::days(500)).await;
        let late = app.now() + TimeDelta::days(60);
        let later = format!("Aniversário do filho em {:02}/{:02}", late.day(), late.month());
        plant(&app, bia, MemoryKind::DataComemorativa, &later, app.now()).await;
        plant(&app, ana, MemoryKind::Preferencia, "Prefere suíte com hidro", app.now()).await;
        plant(&app, bia, MemoryKind::Preferencia, "Gosta de hidro", app.now()).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/reports?unit={unit}", viewer.account_id);
        let profile = viewer.get(&api).await.json()["profile"].clone();
        assert_eq!((&profile["customers"], &profile["returning"]), (&2.into(), &1.into()));
        assert_eq!(profile["conversations"], 3);
        assert_eq!(groups(&profile["preferences"])[0].1, 2);
        let dates = profile["dates"].as_array().unwrap();
        assert_eq!(dates.len(), 1);
        assert_eq!((&dates[0]["content"], &dates[0]["in_days"]), (&celebrated.into(), &5.into()));
        assert_eq!(dates[0]["contact"]["phone"], ANA);
        let kinds = profile["kinds"].as_array().unwrap();
        assert_eq!(kinds.len(), 9);
        assert_eq!((&kinds[0]["memory_type"], &kinds[0]["facts"]), (&"preferencia".into(), &2.into()));
        let total: f64 = kinds.iter().map(|kind| kind["share"].as_f64().unwrap()).sum();
        assert!((total - 1.0).abs() < 1e-9);
    }

    async fn the_file_opens_in_a_brazilian_spreadsheet_and_runs_nothing(app: TestApp) {
        let app = app.with_memory().await;
        let (unit, ana, _) = unit_with_two(&app).await;
        let fact = Fact {
            kind: MemoryKind::Reclamacao,
            content: "=HYPERLINK(\"http://mau.example\";\"clique\")".to_owned(),
            evidence: "@SUM(1+1); não gostei".to_owned(),
            confidence: 0.9,
            message_id: 1,
        };
        memories::insert(app.db(), ana, &fact, app.now()).await.unwrap();
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let request = viewer.request(reqwest::Method::GET, &format!("/reports/csv?unit={unit}&days=30"));
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8");
        let name = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(name.starts_with("attachment; filename=\"relatorio-centro-30d-"), "{name}");
        let bytes = answer.bytes().await.unwrap();
        assert_eq!(bytes[..3], [0xef, 0xbb, 0xbf]);
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(text.contains("Seção;Item;Clientes;") && text.contains("\r\n"), "{text}");
        assert!(text.contains("\"'=HYPERLINK(\"\"http://mau.example\"\";\"\"clique\"\")\""), "{text}");
        assert!(text.contains("\"'@SUM(1+1); não gostei\""), "{text}");
    }

    async fn another_accounts_unit_has_no_report(app: TestApp) {
        let (unit, ..) = unit_with_two(&app).await;
        let other = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let stranger = Operator::of(&app, other, Role::Admin, false).await;
        for path in ["/reports", "/reports/csv", &format!("/api/v1/accounts/{other}/reports"), &format!("/api/v1/accounts/{other}/reports/csv")] {
            assert_eq!(stranger.get(&format!("{path}?unit={unit}")).await.status, 404, "{path}");
        }
        let page = stranger.get("/reports").await;
        assert!(page.status == 200 && page.body.contains("Nada neste período."));
        assert!(!page.body.contains("Centro"));
        for query in ["days=0", "days=366", "days=x", "unit=x"] {
            assert_eq!(stranger.get(&format!("/api/v1/accounts/{other}/reports?{query}")).await.status, 422);
            assert_eq!(stranger.get(&format!("/reports?{query}")).await.status, 400);
        }
    }
}
