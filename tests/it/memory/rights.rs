//! A customer's rights: everything of them can be had, and can be made to go.

use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::memory::edit::Owner;
use lembra_agent::store::db;

use super::{acquainted, origin, plant};
use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;
use crate::support::rows::{column, everything};

/// Tables that refer to a contact or a conversation, with the column that does.
async fn references(app: &TestApp) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in ["contact_id", "conversation_id", "source_conversation_id"] {
        let sql = if db::is_postgres(app.db()) {
            format!(
                "SELECT table_name::text FROM information_schema.columns WHERE column_name = '{name}'"
            )
        } else {
            format!(
                "SELECT tables.name FROM sqlite_master AS tables \
                     JOIN pragma_table_info(tables.name) AS columns \
                     WHERE tables.type = 'table' AND columns.name = '{name}'"
            )
        };
        found.extend(column(app, &sql).await.into_iter().map(|table| (table, name.to_owned())));
    }
    assert!(found.len() >= 7, "{found:?}");
    found
}

on_both_databases! {
    async fn an_erased_customer_leaves_no_trace_in_any_table(app: TestApp) {
        let app = app.with_memory().await;
        let said = "meu segredo é jabuticaba";
        app.say(ANA, said).await;
        app.settle().await;
        let origin = origin(&app).await;
        // A tool call, a failure and a person who is waited for name the customer, too.
        let motive = serde_json::json!({ "motivo": "FALHA_CONSULTA: jabuticaba" });
        app.model.answer_next(Answer::Calls(
            "",
            vec![("list_my_memories", serde_json::json!({})), ("transferir_atendimento", motive)],
        ));
        for _ in 0..2 {
            app.model.answer_next(Answer::Text("A jabuticaba custa R$ 98,76.".into()));
        }
        app.say(ANA, "quanto custa?").await;
        app.settle().await;
        for table in ["tool_calls", "handoffs", "dashboard_errors"] {
            assert!(everything(&app).await.iter().any(|(name, _)| name == table), "{table}");
        }
        plant(&app, origin, MemoryKind::Preferencia, "Gosta de jabuticaba", app.now()).await;
        app.model.learn_next(&[("preferencia", "Segredo de jabuticaba", "meu segredo é jabuticaba")]);
        app.resolve().await;
        // A message of a kind that is not read, whose body is kept, and one that waits in a job.
        app.post(format!("{{\"object\":\"whatsapp_business_account\",\"entry\":[{{\"changes\":[{{\"field\":\"outro\",\"value\":{{\"from\":\"{ANA}\",\"x\":\"jabuticaba\"}}}}]}}]}}")).await;
        app.say(ANA, "mais jabuticaba").await;
        app.say(BIA, "eu gosto de pitanga").await;
        let other = app.messages().await.last().unwrap().contact_id;
        let owner = Owner { account_id: origin.account_id, contact_id: origin.contact_id };
        assert!(app.runtime.memories.erase(owner).await.unwrap());
        assert!(!app.runtime.memories.erase(owner).await.unwrap());
        for (table, row) in everything(&app).await {
            for word in ["jabuticaba", ANA, "987650001"] {
                assert!(!row.contains(word), "{table}: {row}");
            }
        }
        for (table, reference) in references(&app).await {
            let value = if reference == "contact_id" { origin.contact_id } else { origin.conversation_id };
            let sql = format!("SELECT CAST(count(*) AS TEXT) FROM {table} WHERE {reference} = {value}");
            assert_eq!(column(&app, &sql).await, ["0"], "{table}.{reference}");
        }
        // The other customer is still there, and is answered; so is the first, as a stranger.
        assert_ne!(other, origin.contact_id);
        app.settle().await;
        assert_eq!(app.meta.texts_to(BIA).len(), 1);
        app.say(ANA, "oi").await;
        app.settle().await;
        assert_eq!(app.outcomes().await.last().unwrap().as_deref(), Some("answered"));
    }

    async fn an_export_holds_what_is_known_and_nothing_of_others(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Preferencia, "Gosta de jabuticaba", app.now()).await;
        app.say(BIA, "eu gosto de pitanga").await;
        app.settle().await;
        let owner = Owner { account_id: origin.account_id, contact_id: origin.contact_id };
        let copy = app.runtime.memories.export(owner).await.unwrap().unwrap();
        assert_eq!(copy["memories"][0]["content"], "Gosta de jabuticaba");
        assert_eq!(copy["messages"].as_array().unwrap().len(), 2);
        assert_eq!(copy["identities"][0]["value"], ANA);
        assert!(!copy.to_string().contains("pitanga"));
        let foreign = Owner { account_id: origin.account_id + 1, ..owner };
        assert_eq!(app.runtime.memories.export(foreign).await.unwrap(), None);
        assert!(!app.runtime.memories.erase(foreign).await.unwrap());
    }
}
