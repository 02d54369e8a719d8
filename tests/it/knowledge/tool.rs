//! `buscar_conhecimento`, as the tool loop calls it.

use lembra_agent::services::tools::knowledge::SearchKnowledge;
use lembra_agent::services::tools::{Caller, Invocation, Tool, ToolError};
use lembra_agent::store::accounts;
use lembra_entities::llm_usage;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use serde_json::{Map, Value, json};

use super::add;
use crate::support::app::TestApp;
use crate::support::fake_model::{Answer, Asked};
use crate::support::on_both_databases;

async fn ask(app: &TestApp, account_id: i64, question: &str) -> Result<String, ToolError> {
    let tool = SearchKnowledge::new(app.runtime.knowledge.clone());
    let caller = Caller { account_id, inbox_id: 1, contact_id: 1, conversation_id: 77 };
    let arguments: Map<String, Value> =
        json!({ "pergunta": question }).as_object().cloned().unwrap_or_default();
    let call = Invocation { caller: &caller, arguments: &arguments, key: "k", now: app.now() };
    tool.call(&call).await
}

on_both_databases! {
    async fn the_best_entries_are_told_and_none_is_no_failure(app: TestApp) {
        let account = app.account().await;
        add(&app, "Tem estacionamento?", "Sim, \"coberto\".", Some("Estrutura")).await;
        add(&app, "Aceitam pix?", "Sim.", None).await;
        let told = ask(&app, account, "vocês têm estacionamento?").await.unwrap();
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["conhecimento"][0], json!({
            "pergunta": "Tem estacionamento?", "resposta": "Sim, \"coberto\".",
            "categoria": "Estrutura",
        }));
        let nothing = ask(&app, account, "quem descobriu o Brasil?").await.unwrap();
        assert!(nothing.starts_with("Nada encontrado"), "{nothing}");
        assert!(!nothing.contains("FALHA"));
        // The conversation pays.
        let paid = llm_usage::Entity::find()
            .filter(llm_usage::Column::Purpose.eq("knowledge_query_embedding"))
            .all(app.db())
            .await
            .unwrap();
        assert!(paid.len() == 2 && paid.iter().all(|call| call.conversation_id == Some(77)));
        app.model.answer_memory(Asked::Embedding, Answer::Status(500));
        let told = ask(&app, account, "aceita pix?").await.unwrap();
        assert!(told.contains("Aceitam pix?"), "{told}");
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        assert!(ask(&app, stranger, "aceita pix?").await.unwrap().starts_with("Nada encontrado"));
    }

    async fn knowledge_that_cannot_be_read_is_a_controlled_failure(app: TestApp) {
        let account = app.account().await;
        let rename = "ALTER TABLE captain_assistant_responses RENAME TO elsewhere";
        app.db().execute_unprepared(rename).await.unwrap();
        let error = ask(&app, account, "aceita pix?").await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "FALHA_CONSULTA: erro interno: base de conhecimento indisponivel"
        );
    }
}
