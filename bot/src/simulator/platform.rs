//! The platform's side: webhooks as Meta sends them, signed, over HTTP.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use lembra_agent::channels::meta::auth::{SIGNATURE_HEADER, sign};
use lembra_agent::services::inboxes::Inbox;
use serde_json::{Value, json};

/// The demo line's other side. Clones share its connections.
#[derive(Clone)]
pub struct Simulator {
    inbox: Arc<Inbox>,
    webhook_url: String,
    http: lembra_agent::http::Client,
}

/// A webhook of ours was not accepted.
#[derive(Debug, thiserror::Error)]
#[error("the webhook was not accepted: {0}")]
pub struct NotAccepted(String);

impl Simulator {
    /// `address` is where this process listens.
    pub fn new(inbox: Arc<Inbox>, address: SocketAddr) -> Result<Self, lembra_agent::http::Error> {
        let webhook_url = format!("{}/webhooks/meta/{}", own_url(address), inbox.key);
        let http = lembra_agent::http::client(Duration::from_secs(15))?;
        Ok(Self { inbox, webhook_url, http })
    }

    pub fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    /// Delivers a customer's text.
    pub async fn write(
        &self,
        phone: &str,
        name: &str,
        message_id: &str,
        text: &str,
        written_at: i64,
    ) -> Result<(), NotAccepted> {
        let message = json!({
            "from": phone,
            "id": message_id,
            "timestamp": written_at.to_string(),
            "type": "text",
            "text": { "body": text },
        });
        let contact = json!({ "profile": { "name": name }, "wa_id": phone });
        self.deliver(json!({ "contacts": [contact], "messages": [message] })).await
    }

    /// Delivers a status of a message of ours.
    pub async fn report(&self, status: Value) -> Result<(), NotAccepted> {
        self.deliver(json!({ "statuses": [status] })).await
    }

    async fn deliver(&self, mut value: Value) -> Result<(), NotAccepted> {
        value["messaging_product"] = json!("whatsapp");
        value["metadata"] = json!({
            "display_phone_number": "551140000000",
            "phone_number_id": self.inbox.external_id,
        });
        let body = json!({
            "object": "whatsapp_business_account",
            "entry": [{ "id": "0", "changes": [{ "field": "messages", "value": value }] }],
        });
        let body = body.to_string();
        let Some(credentials) = self.inbox.meta() else {
            return Err(NotAccepted("the demo inbox is none of Meta's".to_owned()));
        };
        let signature = sign(&credentials.app_secret, body.as_bytes());
        let request = self
            .http
            .post(&self.webhook_url)
            .header("content-type", "application/json")
            .header(SIGNATURE_HEADER, signature)
            .body(body);
        let response =
            request.send().await.map_err(|error| NotAccepted(error.without_url().to_string()))?;
        match response.status().as_u16() {
            200 => Ok(()),
            status => Err(NotAccepted(status.to_string())),
        }
    }
}

/// The address under which this process reaches itself.
pub fn own_url(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://127.0.0.1:{}", address.port()),
        false => format!("http://{address}"),
    }
}
