//! Built-in tools: being told what is known, and being forgotten.

use chrono::TimeDelta;
use lembra_agent::domain::memory::MemoryKind;
use serde_json::json;

use crate::memory::{acquainted, plant};
use crate::support::bodies::ANA;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

fn forget() -> Answer {
    Answer::call("esquecer_meus_dados", json!({}))
}

on_both_databases! {
    async fn a_customer_who_asks_is_told_what_is_known(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Restricao, "É alérgica a amendoim", app.now()).await;
        app.model.answer_next(Answer::call("list_my_memories", json!({})));
        app.model.answer_next(Answer::Text("Sei que você é alérgica a amendoim.".into()));
        app.say(ANA, "o que você sabe sobre mim?").await;
        app.settle().await;
        let last = app.model.requests().len() - 1;
        assert!(app.model.results_in(last)[0].contains("alérgica a amendoim"));
    }

    async fn nobody_is_forgotten_without_having_said_yes(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Restricao, "É alérgica a amendoim", app.now()).await;
        app.model.answer_next(Answer::call("list_my_memories", json!({})));
        app.model.answer_next(Answer::Text("Sei que você é alérgica a amendoim.".into()));
        app.say(ANA, "o que você sabe sobre mim?").await;
        app.settle().await;
        // The model calls twice at once; the customer has confirmed nothing.
        app.model.answer_next(forget());
        app.model.answer_next(forget());
        app.model.answer_next(Answer::Text("Quer mesmo apagar tudo? Responda sim.".into()));
        app.say(ANA, "apague meus dados").await;
        app.settle().await;
        assert_eq!(app.known().await.len(), 1);
        // Something else than yes.
        app.model.answer_next(forget());
        app.model.answer_next(Answer::Text("Tudo bem, fica como está.".into()));
        app.say(ANA, "não, espera").await;
        app.settle().await;
        assert_eq!(app.known().await.len(), 1);
        app.model.answer_next(forget());
        app.model.answer_next(Answer::Text("Pronto, apaguei.".into()));
        app.say(ANA, "sim, pode apagar").await;
        app.settle().await;
        assert_eq!(app.known().await.len(), 0);
        // What a tool had told of them is gone as well.
        let kept = app.tool_calls().await.into_iter().filter_map(|call| call.result);
        assert!(!kept.into_iter().any(|result| result.contains("amendoim")));
    }

    async fn a_yes_that_comes_an_hour_later_is_asked_for_again(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Restricao, "É alérgica a amendoim", app.now()).await;
        app.model.answer_next(forget());
        app.model.answer_next(Answer::Text("Quer mesmo apagar tudo?".into()));
        app.say(ANA, "apague meus dados").await;
        app.settle().await;
        app.clock.advance(TimeDelta::hours(1));
        app.model.answer_next(forget());
        app.model.answer_next(Answer::Text("Quer mesmo apagar tudo?".into()));
        app.say(ANA, "sim").await;
        app.settle().await;
        assert_eq!(app.known().await.len(), 1);
    }
}
