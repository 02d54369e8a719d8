//! The monthly ceiling of an account (DESIGN §7).

use chrono::{TimeDelta, TimeZone, Utc};
use lembra_agent::store::accounts::Changes;
use lembra_agent::store::usage::{self, NewUsage};

use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;

const TECHNICAL: &str = "Desculpe, tive um problema tecnico. Um atendente ja foi acionado.";

async fn spend(app: &TestApp, brl: f64) {
    let call = NewUsage {
        account_id: app.account().await,
        conversation_id: None,
        purpose: "reply",
        model: "fake-1".into(),
        prompt_tokens: 1,
        completion_tokens: 1,
        brl,
    };
    usage::record(app.db(), &[call], app.now()).await.unwrap();
}

on_both_databases! {
    async fn at_the_ceiling_no_model_is_asked_and_a_person_is_called(app: TestApp) {
        app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
        spend(&app, 9.99).await;
        app.say(ANA, "oi, tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 1."]);
        spend(&app, 0.01).await;
        app.say(BIA, "oi, tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 1);
        assert_eq!(app.meta.texts_to(BIA), [TECHNICAL]);
        assert_eq!(app.handoffs().await[0].reason, "spend_ceiling");
    }

    async fn a_new_month_begins_by_the_accounts_own_clock(app: TestApp) {
        app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
        // 30 November, 23:30 in São Paulo, is December already in UTC.
        app.clock.set(Utc.with_ymd_and_hms(2027, 12, 1, 2, 30, 0).unwrap());
        spend(&app, 10.0).await;
        app.say(ANA, "oi, tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 0);
        app.clock.advance(TimeDelta::hours(1));
        app.say(BIA, "oi, tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 1);
    }

    async fn learning_waits_for_the_ceiling(app: TestApp) {
        let app = app.with_memory().await;
        app.say(ANA, "sou alérgica a amendoim").await;
        app.settle().await;
        app.set(Changes { monthly_ceiling_brl: Some(Some(1.0)), ..Changes::default() }).await;
        spend(&app, 1.0).await;
        app.resolve().await;
        let asked = |app: &TestApp| {
            app.model.requests_for(crate::support::fake_model::Asked::Extraction).len()
        };
        assert_eq!(asked(&app), 0);
        app.set(Changes { monthly_ceiling_brl: Some(None), ..Changes::default() }).await;
        app.clock.advance(TimeDelta::hours(1));
        app.settle().await;
        assert_eq!(asked(&app), 1);
    }

    async fn operators_are_told_at_80_and_at_100_percent(app: TestApp) {
        app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
        let watch = lembra_agent::jobs::kinds::Watch {};
        spend(&app, 7.9).await;
        app.run_now(&watch).await;
        assert!(app.alerts().await.is_empty());
        spend(&app, 0.2).await;
        app.run_now(&watch).await;
        app.run_now(&watch).await;
        let marks = |alerts: Vec<(String, String)>| {
            alerts.iter().filter(|(kind, _)| kind == "spending").count()
        };
        assert_eq!(marks(app.alerts().await), 1);
        spend(&app, 2.0).await;
        app.run_now(&watch).await;
        assert_eq!(marks(app.alerts().await), 2);
    }
}
