//! `esquecer_meus_dados`: everything known of the customer is forgotten, once they have confirmed
//! it in the chat. Whether they did is read from their own words, not taken from the model.

use std::sync::LazyLock;

use async_trait::async_trait;
use serde_json::json;

use super::{Invocation, Tool, ToolError};
use crate::domain::consent::is_yes;
use crate::domain::tool::ToolSpec;
use crate::services::memory::Memories;
use crate::services::memory::edit::Owner;

pub const NAME: &str = "esquecer_meus_dados";

/// What the first call gives, by which the next turn knows that the customer was asked.
pub const ASKED: &str = "CONFIRMAR: pergunte ao cliente se quer mesmo que tudo o que se sabe \
                         sobre ele seja apagado, sem volta depois de 30 dias, e peça que responda \
                         sim. Chame de novo só se ele responder que sim.";

static SPEC: LazyLock<ToolSpec> = LazyLock::new(|| ToolSpec {
    name: NAME.to_owned(),
    description: "Apaga tudo o que se sabe sobre o cliente, quando ele pedir para ser esquecido. \
                  A primeira chamada só diz o que perguntar; chame outra vez quando ele confirmar."
        .to_owned(),
    parameters: json!({ "type": "object", "properties": {} }),
});

/// Forgets the customer.
pub struct ForgetCustomer {
    pub memories: Memories,
    /// What the customer says in this turn.
    pub said: String,
    /// They were asked in the turn before.
    pub asked: bool,
}

#[async_trait]
impl Tool for ForgetCustomer {
    fn spec(&self) -> &ToolSpec {
        &SPEC
    }

    fn has_effect(&self) -> bool {
        true
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        if !(self.asked && is_yes(&self.said)) {
            return Ok(ASKED.to_owned());
        }
        let owner =
            Owner { account_id: call.caller.account_id, contact_id: call.caller.contact_id };
        let forgotten = self.memories.forget_all(owner, "customer").await;
        let facts = forgotten.map_err(|error| ToolError::Uncontrolled(error.to_string()))?;
        Ok(format!("Pronto: {facts} fatos apagados."))
    }
}
