//! Sending through Evolution's HTTP API, version 2, and version 1 where the server asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::super::meta::client::{announced_body, refusal_in};
use super::super::{Announcement, Channel, OutboundText, SendError};

/// One instance of an Evolution server.
pub struct EvolutionClient {
    http: reqwest::Client,
    /// Without a slash at the end.
    base_url: String,
    instance: String,
    api_key: SecretString,
}

/// A server's answer.
struct Answer {
    status: u16,
    text: String,
    body: Value,
}

impl EvolutionClient {
    pub fn new(
        http: reqwest::Client,
        base_url: &str,
        instance: String,
        api_key: SecretString,
    ) -> Self {
        Self { http, base_url: base_url.trim_end_matches('/').to_owned(), instance, api_key }
    }

    /// The address of one of the instance's actions.
    fn url(&self, action: &str) -> Result<reqwest::Url, SendError> {
        let mut url = reqwest::Url::parse(&format!("{}/{action}/", self.base_url))
            .map_err(|error| SendError::Refused { code: None, detail: error.to_string() })?;
        if let Ok(mut path) = url.path_segments_mut() {
            // An instance's name may hold anything.
            path.pop_if_empty().push(&self.instance);
        }
        Ok(url)
    }

    async fn post(&self, body: String, announcement: Announcement) -> Result<Answer, SendError> {
        let announced = Arc::new(AtomicBool::new(false));
        let request = self
            .http
            .post(self.url("message/sendText")?)
            .header("apikey", self.api_key.expose_secret())
            .header(CONTENT_TYPE, "application/json")
            .header(CONTENT_LENGTH, body.len())
            .body(announced_body(body, announcement, announced.clone()));
        let response = request.send().await.map_err(|error| {
            // What was not announced was not written; nor was what never found a connection.
            if announced.load(Ordering::Acquire) && !error.is_connect() {
                return SendError::Unclear { detail: error.without_url().to_string() };
            }
            match refusal_in(&error) {
                Some(refusal) => SendError::NotAnnounced(refusal),
                None => SendError::Retry { code: None, after: None },
            }
        })?;
        let status = response.status().as_u16();
        let text = response.text().await.unwrap_or_default();
        let body = serde_json::from_str(&text).unwrap_or_default();
        Ok(Answer { status, text, body })
    }
}

impl Answer {
    fn wants_version_1(&self) -> bool {
        self.status == 400 && self.text.contains("textMessage")
    }

    /// The message's id at WhatsApp, or what is to be done (WhatsApp facts 66: the text says more
    /// than the code).
    fn into_result(self) -> Result<String, SendError> {
        let code = Some(i64::from(self.status));
        match self.status {
            200..=299 => match self.body.pointer("/key/id").and_then(Value::as_str) {
                Some(id) => Ok(id.to_owned()),
                None => {
                    let detail = format!("{} without a message id", self.status);
                    Err(SendError::Unclear { detail })
                }
            },
            // Nothing leaves through a line that is down.
            400 | 500 if self.text.contains("Connection Closed") => {
                Err(SendError::Retry { code, after: None })
            }
            429 | 503 => Err(SendError::Retry { code, after: None }),
            500.. => Err(SendError::Unclear { detail: format!("{} from Evolution", self.status) }),
            _ => {
                let unknown = self.text.contains("\"exists\":false");
                let detail = if unknown { "not on WhatsApp" } else { "refused by Evolution" };
                Err(SendError::Refused { code, detail: detail.to_owned() })
            }
        }
    }
}

#[async_trait]
impl Channel for EvolutionClient {
    async fn send_text(
        &self,
        message: &OutboundText,
        announcement: Announcement,
    ) -> Result<String, SendError> {
        // A lid goes whole: its digits are no number (WhatsApp facts 59).
        let number = &message.to.value;
        let body = json!({ "number": number, "text": message.text }).to_string();
        let answer = self.post(body, announcement).await?;
        if !answer.wants_version_1() {
            return answer.into_result();
        }
        // It was announced above, and refused unsent.
        let text = json!({ "text": message.text });
        let body = json!({ "number": number, "textMessage": text }).to_string();
        self.post(body, Box::pin(async { Ok(()) })).await?.into_result()
    }

    async fn check(&self) -> Result<(), String> {
        let url = self.url("instance/connectionState").map_err(|error| error.to_string())?;
        let request = self.http.get(url).header("apikey", self.api_key.expose_secret());
        let response = request.send().await.map_err(|error| error.without_url().to_string())?;
        let status = response.status().as_u16();
        if !(200..=299).contains(&status) {
            return Err(format!("Evolution answered {status}"));
        }
        let body: Value = response.json().await.unwrap_or_default();
        match body.pointer("/instance/state").and_then(Value::as_str) {
            Some("open") => Ok(()),
            state => Err(format!("the instance is {}", state.unwrap_or("in an unknown state"))),
        }
    }
}
