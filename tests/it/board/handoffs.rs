//! The queue of people: who is shown, who takes whom, and giving back.

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::domain::triage::router::HumanSupport;
use lembra_agent::jobs::kinds::Watch;
use lembra_agent::store::accounts::Changes;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// The model calls for a person; answers the conversation's id.
async fn transferred(app: &TestApp, customer: &str) -> i64 {
    app.model
        .answer_next(Answer::call("transferir_atendimento", json!({ "motivo": "reclamação" })));
    app.model.answer_next(Answer::Text("Vou chamar alguém da equipe.".into()));
    app.say(customer, "quero reclamar do quarto").await;
    app.settle().await;
    app.handoffs().await.last().expect("a handoff").conversation_id
}

/// Where two pieces of a page stand.
fn order(body: &str, first: &str, second: &str) -> bool {
    let place = |text: &str| body.find(text).unwrap_or_else(|| panic!("no {text}: {body}"));
    place(first) < place(second)
}

on_both_databases! {
    async fn who_waits_is_shown_by_urgency_with_their_last_words(app: TestApp) {
        let support = Some(HumanSupport::Available);
        app.set(Changes { human_support: support, ..Changes::default() }).await;
        let calm = transferred(&app, ANA).await;
        app.clock.advance(TimeDelta::minutes(4));
        app.say(BIA, "quero me matar").await;
        app.settle().await;
        let crisis = app.handoffs().await.last().unwrap().conversation_id;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let page = operator.get("/handoffs").await;
        let link = |id: i64| format!("href=\"/conversations/{id}\"");
        assert!(order(&page.body, &link(crisis), &link(calm)));
        for shown in ["quero reclamar do quarto", "reclamação", "O bot pediu ajuda", "Urgente", "Esperando (2)"] {
            assert!(page.body.contains(shown), "{shown}: {}", page.body);
        }
        assert!(!page.body.contains(">Assumir<"), "who only reads takes nobody");
        let list = operator.get(&format!("/api/v1/accounts/{}/handoffs", operator.account_id)).await.json();
        let first = &list["handoffs"][0];
        assert_eq!((&first["conversation_id"], &first["priority"]), (&json!(crisis), &json!(0)));
        let second = &list["handoffs"][1];
        assert_eq!((&second["reason"], &second["last_words"]), (&json!("asked"), &json!("quero reclamar do quarto")));
        assert!(second["waiting_seconds"].as_i64().unwrap() >= 240, "{second}");
        app.clock.advance(TimeDelta::minutes(15));
        app.run_now(&Watch {}).await;
        let page = operator.live("/handoffs").await;
        assert!(page.body.contains("Passou do prazo") && !page.body.contains("<html"), "{}", page.body);
    }

    async fn one_takes_it_and_the_other_is_told_who_has_it(app: TestApp) {
        let id = transferred(&app, ANA).await;
        let rita = Operator::sign_in(&app, Role::Agent).await;
        let joao = Operator::sign_in(&app, Role::Agent).await;
        let path = format!("/conversations/{id}/take");
        let (first, second) = tokio::join!(rita.post(&path, &[]), joao.post(&path, &[]));
        let (winner, loser, refused) = match first.status {
            204 => (&rita, &joao, second),
            _ => (&joao, &rita, first),
        };
        assert_eq!(refused.status, 409);
        assert_eq!(refused.notice, Some(format!("Já está com {}.", winner.email)));
        let row = &app.handoffs().await[0];
        assert_eq!((row.state.as_str(), row.taken_by.clone()), ("taken", Some(format!("operator:{}", winner.id))));
        // What the bot said when it left was sent.
        assert_eq!(app.meta.texts_to(ANA), ["Vou chamar alguém da equipe."]);
        // Whoever has it may come again.
        let again = winner.post(&path, &[]).await;
        assert_eq!((again.status, again.location), (204, Some(format!("/conversations/{id}"))));
        let theirs = loser.get("/handoffs").await;
        assert!(theirs.body.contains(&winner.email) && theirs.body.contains("Ninguém esperando"), "{}", theirs.body);
        assert!(winner.get("/handoffs").await.body.contains(">você<"));
    }

    async fn a_conversation_is_taken_from_the_bot_and_given_back(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let id = app.open_conversation().await.id;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        app.say(ANA, "e café?").await;
        assert_eq!(operator.post(&format!("/conversations/{id}/take"), &[]).await.status, 204);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1, "the bot says nothing more");
        let outcome = app.messages().await.into_iter().find(|row| row.text == "e café?").unwrap().outcome;
        assert_eq!(outcome.as_deref(), Some("human"));
        let page = operator.get(&format!("/conversations/{id}")).await;
        assert!(page.body.contains(&format!("{} assumiu", operator.email)), "{}", page.body);
        let back = operator.post(&format!("/conversations/{id}/return"), &[]).await;
        assert_eq!((back.status, back.notice.as_deref()), (204, Some("De volta com o bot.")));
        assert_eq!(app.handoffs().await[0].state, "returned");
        app.say(ANA, "oi?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 2);
        assert_eq!(operator.post(&format!("/conversations/{id}/resolve"), &[]).await.status, 204);
        for act in ["take", "return"] {
            let answer = operator.post(&format!("/conversations/{id}/{act}"), &[]).await;
            assert_eq!((answer.status, answer.notice.as_deref()), (409, Some("Esta conversa já foi encerrada.")));
        }
    }

    async fn the_queue_of_another_account_is_empty(app: TestApp) {
        transferred(&app, ANA).await;
        let other = lembra_agent::store::accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let stranger = Operator::of(&app, other, Role::Admin, false).await;
        let page = stranger.get("/handoffs").await;
        assert!(page.body.contains("Ninguém esperando") && !page.body.contains("reclamar"));
        let own = stranger.get(&format!("/api/v1/accounts/{other}/handoffs")).await.json();
        assert_eq!(own["handoffs"].as_array().unwrap().len(), 0);
        assert_eq!(stranger.get(&format!("/api/v1/accounts/{}/handoffs", app.account().await)).await.status, 404);
    }
}
