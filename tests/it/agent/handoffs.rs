//! The queue of people: waiting, taking, answering, giving back.

use chrono::TimeDelta;
use lembra_agent::jobs::kinds::Watch;
use lembra_agent::services::handoff::{self, speak};
use lembra_agent::store::accounts::Changes;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

const WAITING: &str = "Ainda não consegui um atendente livre, mas seu pedido continua na fila. Assim que alguém assumir, te responde por aqui.";

/// The model calls for a person; answers the conversation's id.
async fn transferred(app: &TestApp, customer: &str) -> i64 {
    app.model
        .answer_next(Answer::call("transferir_atendimento", json!({ "motivo": "reclamação" })));
    app.model.answer_next(Answer::Text("Vou chamar alguém da equipe.".into()));
    app.say(customer, "quero reclamar do quarto").await;
    app.settle().await;
    app.handoffs().await.last().expect("a handoff").conversation_id
}

on_both_databases! {
    async fn a_transfer_answers_first_and_then_the_bot_is_silent(app: TestApp) {
        let id = transferred(&app, ANA).await;
        assert_eq!(app.meta.texts_to(ANA), ["Vou chamar alguém da equipe."]);
        app.say(ANA, "alô?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        let handoff = &app.handoffs().await[0];
        assert_eq!((handoff.conversation_id, handoff.state.as_str()), (id, "waiting"));
        assert_eq!(handoff.detail.as_deref(), Some("reclamação"));
    }

    async fn an_operators_answer_goes_out_through_the_channel(app: TestApp) {
        let id = transferred(&app, ANA).await;
        let clock = app.runtime.clock.clone();
        let account = app.account().await;
        assert!(handoff::take(app.db(), &clock, id, "rita").await.unwrap());
        assert!(!handoff::take(app.db(), &clock, id, "joão").await.unwrap());
        speak::say(app.db(), &clock, account, id, "rita", "Oi Ana, já vou ver.").await.unwrap();
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).last().unwrap(), "Oi Ana, já vou ver.");
        // It is part of the conversation when the bot is back.
        handoff::hand_back(app.db(), &clock, id).await.unwrap();
        assert_eq!(app.handoffs().await[0].state, "returned");
        app.say(ANA, "obrigada!").await;
        app.settle().await;
        let prompt = app.model.requests().last().unwrap()["messages"].to_string();
        assert!(prompt.contains("já vou ver"), "{prompt}");
    }

    async fn an_operator_who_answers_takes_the_conversation_from_the_bot(app: TestApp) {
        app.say(ANA, "oi, tem vaga?").await;
        app.settle().await;
        let id = app.open_conversation().await.id;
        app.say(ANA, "e café?").await;
        let (clock, account) = (app.runtime.clock.clone(), app.account().await);
        speak::say(app.db(), &clock, account, id, "rita", "Tem sim!").await.unwrap();
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).last().unwrap(), "Tem sim!");
        assert_eq!(app.model.requests().len(), 1);
        let handoff = &app.handoffs().await[0];
        assert_eq!((handoff.state.as_str(), handoff.taken_by.as_deref()), ("taken", Some("rita")));
        let other = speak::say(app.db(), &clock, account + 1, id, "eva", "oi").await;
        assert!(matches!(other, Err(speak::SpeakError::NoConversation)));
    }

    async fn nobody_who_comes_alerts_again_and_tells_the_customer_once(app: TestApp) {
        transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::minutes(14));
        app.run_now(&Watch {}).await;
        assert!(!app.alerts().await.iter().any(|(kind, _)| kind == "handoff_waiting"));
        app.clock.advance(TimeDelta::minutes(1));
        for _ in 0..3 {
            app.run_now(&Watch {}).await;
        }
        assert!(app.alerts().await.iter().any(|(kind, _)| kind == "handoff_waiting"));
        assert_eq!(app.meta.texts_to(ANA)[1..], [WAITING]);
        assert_eq!(app.open_conversation().await.handler, "human");
    }

    async fn a_person_who_answers_from_the_phone_has_taken_the_conversation(app: TestApp) {
        transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::minutes(5));
        app.person_writes(ANA, "Oi Ana, aqui é a Rita. Me conta o que houve?").await;
        app.clock.advance(TimeDelta::minutes(20));
        app.run_now(&Watch {}).await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        let handoff = &app.handoffs().await[0];
        assert_eq!((handoff.state.as_str(), handoff.taken_by.as_deref()), ("taken", Some("phone")));
        assert!(!app.alerts().await.iter().any(|(kind, _)| kind == "handoff_waiting"));
    }

    async fn a_customer_who_waits_politely_for_a_day_still_waits(app: TestApp) {
        let support = Some(lembra_agent::domain::triage::router::HumanSupport::Available);
        app.set(Changes { human_support: support, ..Changes::default() }).await;
        transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::hours(25));
        app.run_now(&lembra_agent::jobs::memory_kinds::AutoResolve {}).await;
        assert_eq!(app.open_conversation().await.handler, "human");
        assert!(app.handoffs().await[0].closed_at.is_none());
    }

    async fn where_nobody_takes_conversations_the_bot_is_not_silent_for_ever(app: TestApp) {
        transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::minutes(15));
        app.run_now(&Watch {}).await;
        app.clock.advance(TimeDelta::hours(25));
        app.run_now(&lembra_agent::jobs::memory_kinds::AutoResolve {}).await;
        assert_eq!(app.handoffs().await[0].state, "unanswered");
        assert!(app.alerts().await.iter().any(|(kind, _)| kind == "handoff_waiting"));
        let before = app.meta.texts_to(ANA).len();
        app.say(ANA, "oi, ainda tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), before + 1);
    }

    async fn a_conversation_that_a_person_took_ends_with_a_day_of_silence(app: TestApp) {
        let support = Some(lembra_agent::domain::triage::router::HumanSupport::Available);
        app.set(Changes { human_support: support, ..Changes::default() }).await;
        let id = transferred(&app, ANA).await;
        assert!(handoff::take(app.db(), &app.runtime.clock, id, "rita").await.unwrap());
        app.clock.advance(TimeDelta::hours(25));
        app.run_now(&lembra_agent::jobs::memory_kinds::AutoResolve {}).await;
        assert_eq!(app.handoffs().await[0].state, "resolved");
    }

    async fn what_an_operator_says_after_the_window_is_refused(app: TestApp) {
        let id = transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::hours(25));
        let (clock, account) = (app.runtime.clock.clone(), app.account().await);
        let said = speak::say(app.db(), &clock, account, id, "rita", "Oi!").await;
        assert!(matches!(said, Err(speak::SpeakError::WindowClosed)));
    }

    async fn an_account_may_have_the_bot_go_on(app: TestApp) {
        app.set(Changes { handoff_resumes: Some(true), handoff_minutes: Some(5), ..Changes::default() })
            .await;
        transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::minutes(5));
        app.run_now(&Watch {}).await;
        assert_eq!(app.handoffs().await[0].state, "expired");
        app.say(ANA, "então me diga você").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 3);
    }

    async fn resolving_closes_what_waits(app: TestApp) {
        transferred(&app, ANA).await;
        app.resolve().await;
        assert_eq!(app.handoffs().await[0].state, "resolved");
        assert!(app.handoffs().await[0].closed_at.is_some());
    }

    async fn a_crisis_comes_before_everybody_else(app: TestApp) {
        let support = Some(lembra_agent::domain::triage::router::HumanSupport::Available);
        app.set(Changes { human_support: support, ..Changes::default() }).await;
        transferred(&app, ANA).await;
        app.say(BIA, "quero me matar").await;
        app.settle().await;
        let open = lembra_agent::store::handoffs::list_open(app.db(), None).await.unwrap();
        let reasons: Vec<_> = open.iter().map(|row| row.reason.as_str()).collect();
        assert_eq!(reasons, ["crisis", "asked"]);
    }

    async fn the_queue_is_had_over_the_api_by_its_own_account(app: TestApp) {
        let id = transferred(&app, ANA).await;
        let account = app.account().await;
        let (_, token) = lembra_agent::services::tokens::add(
            app.db(), &app.runtime.clock, account, "painel", lembra_agent::services::tokens::usual_scopes(),
        ).await.unwrap();
        let token = secrecy::ExposeSecret::expose_secret(&token).to_owned();
        let root = format!("{}/api/v1/accounts/{account}", app.url);
        let get = |url: String| app.http.get(url).bearer_auth(&token).send();
        let list: Value = get(format!("{root}/handoffs")).await.unwrap().json().await.unwrap();
        assert_eq!(list["handoffs"][0]["conversation_id"], id);
        let post = |path: &str, body: Value| {
            let url = format!("{root}/conversations/{id}/{path}");
            app.http.post(url).bearer_auth(&token).json(&body).send()
        };
        assert_eq!(post("take", json!({})).await.unwrap().status(), 200);
        assert_eq!(post("take", json!({})).await.unwrap().status(), 409);
        assert_eq!(post("messages", json!({ "text": " " })).await.unwrap().status(), 422);
        assert_eq!(post("messages", json!({ "text": "Oi!" })).await.unwrap().status(), 202);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).last().unwrap(), "Oi!");
        let other = format!("{}/api/v1/accounts/{}/handoffs", app.url, account + 1);
        assert_eq!(get(other).await.unwrap().status(), 404);
    }
}
