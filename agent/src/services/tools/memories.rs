//! `list_my_memories`: the customer asks what is known of them.

use std::sync::LazyLock;

use async_trait::async_trait;
use serde_json::json;

use super::{Invocation, Tool, ToolError};
use crate::domain::tool::ToolSpec;
use crate::services::memory::Memories;

pub const NAME: &str = "list_my_memories";

static SPEC: LazyLock<ToolSpec> = LazyLock::new(|| ToolSpec {
    name: NAME.to_owned(),
    description: "Lista o que se sabe sobre o cliente desta conversa. Use só quando ele perguntar \
                  o que você sabe sobre ele."
        .to_owned(),
    parameters: json!({ "type": "object", "properties": {} }),
});

/// Tells what may be told of the customer in this conversation's unit.
pub struct ListMemories {
    pub memories: Memories,
}

#[async_trait]
impl Tool for ListMemories {
    fn spec(&self) -> &ToolSpec {
        &SPEC
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let caller = call.caller;
        let known = self.memories.known_in(
            caller.account_id,
            caller.contact_id,
            caller.conversation_id,
            call.now,
        );
        let facts = known.await.map_err(|error| ToolError::Uncontrolled(error.to_string()))?;
        if facts.is_empty() {
            return Ok("Nada é guardado sobre este cliente.".to_owned());
        }
        let facts: Vec<_> = facts
            .iter()
            .map(|fact| json!({ "tipo": fact.memory_type, "conteudo": fact.content }))
            .collect();
        Ok(json!({ "fatos": facts }).to_string())
    }
}
