//! All that belongs to one contact, over all tables.

use chrono::{DateTime, Utc};
use lembra_entities::{
    contact, contact_identity, contact_memory, conversation, message, tool_call,
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Value as Json, json};

use super::error::StoreResult;
use super::rowset::{any_number, any_text, execute, parameter, query};

/// Identities shorter than this would be found in other people's rows.
const LEAST_IDENTITY_CHARS: usize = 6;

/// Whether the account has this contact.
pub async fn exists(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
) -> StoreResult<bool> {
    let row = contact::Entity::find_by_id(contact_id)
        .filter(contact::Column::AccountId.eq(account_id))
        .one(db)
        .await?;
    Ok(row.is_some())
}

async fn conversations_of(db: &impl ConnectionTrait, contact_id: i64) -> StoreResult<Vec<i64>> {
    let sql = "SELECT id FROM conversations WHERE contact_id = $1 ORDER BY id";
    let rows = query(db, sql.to_owned(), vec![contact_id.into()]).await?;
    rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
}

/// Lays the contact's waiting extractions aside; answers how many.
pub async fn cancel_extractions(
    tx: &impl ConnectionTrait,
    contact_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let keys = conversations_of(tx, contact_id).await?;
    let keys = keys.iter().map(|id| Json::from(format!("extract:{id}")));
    let any = any_text(tx.get_database_backend(), "dedup_key", 2);
    let sql = format!(
        "UPDATE jobs SET state = 'cancelled', finished_at = $1 \
         WHERE dedup_key IS NOT NULL AND state IN ('pending', 'queued') AND {any}"
    );
    execute(tx, sql, vec![now.into(), parameter(keys)]).await
}

/// A copy of everything about the contact.
pub async fn export(db: &impl ConnectionTrait, contact_id: i64) -> StoreResult<Json> {
    let contact = contact::Entity::find_by_id(contact_id).one(db).await?;
    let identities = contact_identity::Entity::find()
        .filter(contact_identity::Column::ContactId.eq(contact_id))
        .order_by_asc(contact_identity::Column::Id)
        .all(db)
        .await?;
    let conversations = conversation::Entity::find()
        .filter(conversation::Column::ContactId.eq(contact_id))
        .order_by_asc(conversation::Column::Id)
        .all(db)
        .await?;
    let messages = message::Entity::find()
        .filter(message::Column::ContactId.eq(contact_id))
        .order_by_asc(message::Column::Id)
        .all(db)
        .await?;
    let memories = contact_memory::Entity::find()
        .filter(contact_memory::Column::ContactId.eq(contact_id))
        .order_by_asc(contact_memory::Column::Id)
        .all(db)
        .await?;
    let of_conversations = conversations.iter().map(|row| row.id);
    let calls = tool_call::Entity::find()
        .filter(tool_call::Column::ConversationId.is_in(of_conversations))
        .order_by_asc(tool_call::Column::Id)
        .all(db)
        .await?;
    Ok(json!({
        "contact": contact.map(|row| json!({
            "id": row.id,
            "name": row.name,
            "custom_attributes": row.custom_attributes,
            "created_at": row.created_at,
            "forgotten_at": row.forgotten_at,
        })),
        "identities": identities.iter().map(|row| json!({
            "kind": row.kind,
            "value": row.address,
            "created_at": row.created_at,
        })).collect::<Vec<_>>(),
        "conversations": conversations.iter().map(|row| json!({
            "id": row.id,
            "state": row.state,
            "created_at": row.created_at,
            "resolved_at": row.resolved_at,
        })).collect::<Vec<_>>(),
        "messages": messages.iter().map(|row| json!({
            "id": row.id,
            "conversation_id": row.conversation_id,
            "author": row.author,
            "kind": row.kind,
            "text": row.text,
            "content": row.content,
            "written_at": row.written_at,
        })).collect::<Vec<_>>(),
        "memories": memories.iter().map(memory_json).collect::<Vec<_>>(),
        "tool_calls": calls.iter().map(|row| json!({
            "conversation_id": row.conversation_id,
            "tool": row.tool,
            "arguments": row.arguments,
            "result": row.result,
            "begun_at": row.begun_at,
        })).collect::<Vec<_>>(),
    }))
}

/// A fact as JSON, for the API and the export.
pub fn memory_json(row: &contact_memory::Model) -> Json {
    json!({
        "id": row.id,
        "memory_type": row.memory_type,
        "content": row.content,
        "evidence": row.evidence,
        "confidence": row.confidence,
        "scope": row.scope,
        "has_embedding": row.embedding_model.is_some(),
        "source_conversation_id": row.source_conversation_id,
        "source_unit_id": row.source_unit_id,
        "source_inbox_id": row.source_inbox_id,
        "expires_at": row.expires_at,
        "last_verified_at": row.last_verified_at,
        "superseded_at": row.superseded_at,
        "superseded_by_id": row.superseded_by_id,
        "deleted_at": row.deleted_at,
        "metadata": row.metadata,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    })
}

/// Deletes the contact and all rows about them. Raw webhook bodies that name one of their
/// identities go as well.
pub async fn erase(tx: &impl ConnectionTrait, contact_id: i64) -> StoreResult<()> {
    let backend = tx.get_database_backend();
    let conversations = conversations_of(tx, contact_id).await?;
    let conversations = || parameter(conversations.iter().copied().map(Json::from));
    let sql = "SELECT id FROM captain_contact_memories WHERE contact_id = $1";
    let rows = query(tx, sql.to_owned(), vec![contact_id.into()]).await?;
    let memories: Result<Vec<i64>, _> = rows.iter().map(|row| row.try_get("", "id")).collect();
    let memories = parameter(memories?.into_iter().map(Json::from));
    let any = any_number(backend, "conversation_id", 1);
    let sql = format!("SELECT id FROM handoffs WHERE {any}");
    let rows = query(tx, sql, vec![conversations()]).await?;
    let handoffs: Result<Vec<i64>, _> = rows.iter().map(|row| row.try_get("", "id")).collect();
    let handoffs = parameter(handoffs?.into_iter().map(Json::from));
    let fields =
        [("conversation_id", conversations()), ("memory_id", memories), ("handoff_id", handoffs)];
    for (field, ids) in fields {
        let column = format!("CAST(payload ->> '{field}' AS BIGINT)");
        let sql = format!("DELETE FROM jobs WHERE {}", any_number(backend, &column, 1));
        execute(tx, sql, vec![ids]).await?;
    }
    for sql in [
        format!("UPDATE llm_usage SET conversation_id = NULL WHERE {any}"),
        format!("DELETE FROM memory_extractions WHERE {any}"),
        format!("DELETE FROM turns WHERE {any}"),
        format!("DELETE FROM tool_calls WHERE {any}"),
        format!("DELETE FROM handoffs WHERE {any}"),
        format!("DELETE FROM dashboard_errors WHERE {any}"),
    ] {
        execute(tx, sql, vec![conversations()]).await?;
    }
    forget_events(tx, contact_id).await?;
    for sql in [
        "DELETE FROM captain_contact_memories WHERE contact_id = $1",
        "DELETE FROM media_files WHERE message_id IN \
         (SELECT id FROM messages WHERE contact_id = $1)",
        "DELETE FROM messages WHERE contact_id = $1",
        "DELETE FROM conversations WHERE contact_id = $1",
        "DELETE FROM contact_identities WHERE contact_id = $1",
        "DELETE FROM contacts WHERE id = $1",
    ] {
        execute(tx, sql.to_owned(), vec![contact_id.into()]).await?;
    }
    Ok(())
}

/// Events that led to nothing keep raw bodies, which name people.
async fn forget_events(tx: &impl ConnectionTrait, contact_id: i64) -> StoreResult<()> {
    let identities = contact_identity::Entity::find()
        .filter(contact_identity::Column::ContactId.eq(contact_id))
        .all(tx)
        .await?;
    let names = identities.into_iter().flat_map(|row| [row.value, row.address]);
    let sql = "DELETE FROM webhook_events WHERE body LIKE $1 OR detail LIKE $1 \
               OR provider_message_id IN (SELECT provider_message_id FROM messages \
                                          WHERE contact_id = $2)";
    for name in names {
        let name = name.trim_start_matches('+');
        if name.chars().count() >= LEAST_IDENTITY_CHARS {
            let pattern = format!("%{name}%");
            execute(tx, sql.to_owned(), vec![pattern.into(), contact_id.into()]).await?;
        }
    }
    Ok(())
}
