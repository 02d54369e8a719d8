//! Sending through the Graph API.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use reqwest::header::RETRY_AFTER;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::super::{
    Address, Announcement, Asked, Channel, FetchedMedia, MediaError, OutboundText, SendError,
    announced, download,
};
use super::errors::classify;
use crate::domain::identity::IdentityKind;
use crate::domain::message::Media;

/// Nobody waits longer than this, whatever the platform asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);
/// A call that only shows something is given up after this long.
const BEST_EFFORT: Duration = Duration::from_secs(5);
/// Bytes of the description of a file, at most.
const DESCRIPTION: u64 = 64 * 1024;

/// One number of the Cloud API.
pub struct MetaClient {
    http: reqwest::Client,
    /// Without a slash at the end.
    graph_url: String,
    phone_number_id: String,
    access_token: SecretString,
}

impl MetaClient {
    pub fn new(
        http: reqwest::Client,
        graph_url: &str,
        phone_number_id: String,
        access_token: SecretString,
    ) -> Self {
        let graph_url = graph_url.trim_end_matches('/').to_owned();
        Self { http, graph_url, phone_number_id, access_token }
    }
}

#[async_trait]
impl Channel for MetaClient {
    async fn send_text(
        &self,
        message: &OutboundText,
        announcement: Announcement,
    ) -> Result<String, SendError> {
        // A business-scoped user id goes in `recipient`, a number in `to` (WhatsApp facts 24).
        let addressee = match message.to.kind {
            IdentityKind::Phone => "to",
            IdentityKind::Bsuid | IdentityKind::Lid => "recipient",
        };
        let body = json!({
            "messaging_product": "whatsapp",
            "recipient_type": "individual",
            addressee: message.to.value,
            "type": "text",
            "text": { "body": message.text, "preview_url": false },
            "biz_opaque_callback_data": message.callback_data,
        });
        let url = format!("{}/{}/messages", self.graph_url, self.phone_number_id);
        let request = self.http.post(url).bearer_auth(self.access_token.expose_secret());
        let response = announced::send(request, body.to_string(), announcement).await?;
        let status = response.status().as_u16();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.parse().ok())
            .map(|seconds| Duration::from_secs(seconds).min(LONGEST_WAIT));
        // The status line was read, so the provider has decided; a body cut short is no news.
        let text = response.text().await.unwrap_or_default();
        let answer: Value = serde_json::from_str(&text).unwrap_or_default();
        if (200..300).contains(&status) {
            return match answer.pointer("/messages/0/id").and_then(Value::as_str) {
                Some(id) => Ok(id.to_owned()),
                None => {
                    Err(SendError::Unclear { detail: format!("{status} without a message id") })
                }
            };
        }
        let code = answer.pointer("/error/code").and_then(Value::as_i64);
        let detail = answer.pointer("/error/error_data/details").and_then(Value::as_str);
        let title = answer.pointer("/error/message").and_then(Value::as_str);
        let detail = detail.or(title).unwrap_or("no details");
        Err(classify(status, code, detail, retry_after))
    }

    async fn show_typing(&self, asked: &Asked) -> Result<(), String> {
        // One call does both (WhatsApp facts 29).
        let body = json!({
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": asked.message_id,
            "typing_indicator": { "type": "text" },
        });
        let request = self
            .http
            .post(format!("{}/{}/messages", self.graph_url, self.phone_number_id))
            .bearer_auth(self.access_token.expose_secret())
            .timeout(BEST_EFFORT)
            .json(&body);
        let response = request.send().await.map_err(|error| error.without_url().to_string())?;
        match response.status().as_u16() {
            200..=299 => Ok(()),
            status => Err(format!("status {status}")),
        }
    }

    /// First the file's short-lived address, then the file (WhatsApp facts 26).
    async fn fetch_media(
        &self,
        media: &Media,
        _message_id: &str,
        limit: u64,
    ) -> Result<FetchedMedia, MediaError> {
        let Some(id) = media.id.as_deref().filter(|id| is_plain(id)) else {
            return Err(MediaError::Refused("a file without an id".to_owned()));
        };
        let get = |url: String| self.http.get(url).bearer_auth(self.access_token.expose_secret());
        let response = get(format!("{}/{id}", self.graph_url)).send().await;
        let described = download::read(response.map_err(download::failed)?, DESCRIPTION).await?;
        let described: Value = serde_json::from_slice(&described.bytes).unwrap_or_default();
        if described.get("file_size").and_then(Value::as_u64).is_some_and(|size| size > limit) {
            return Err(MediaError::Refused(format!("larger than {limit} bytes")));
        }
        let Some(url) = described.get("url").and_then(Value::as_str) else {
            return Err(MediaError::Retry("no address of the file".to_owned()));
        };
        let response = get(url.to_owned()).send().await.map_err(download::failed)?;
        let mut fetched = download::read(response, limit).await?;
        let described = described.get("mime_type").and_then(Value::as_str).map(str::to_owned);
        fetched.mime = described.or(fetched.mime);
        Ok(fetched)
    }

    fn statuses_carry_our_id(&self) -> bool {
        true
    }

    /// The Graph API tells of messages by statuses alone.
    async fn find_sent(
        &self,
        _to: &Address,
        _text: &str,
        _since: DateTime<Utc>,
    ) -> Result<Option<String>, String> {
        Ok(None)
    }

    async fn check(&self) -> Result<(), String> {
        let url = format!("{}/{}", self.graph_url, self.phone_number_id);
        let response = self
            .http
            .get(url)
            .query(&[("fields", "id")])
            .bearer_auth(self.access_token.expose_secret())
            .send()
            .await
            .map_err(|error| error.without_url().to_string())?;
        match response.status().as_u16() {
            200..=299 => Ok(()),
            status => Err(format!("the Graph API answered {status}")),
        }
    }
}

/// An id that is one segment of a path.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}
