//! Sending through Evolution's HTTP API, version 2, and version 1 where the server asks for it.

use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::super::{
    Address, Announcement, Asked, Channel, FetchedMedia, MediaError, OutboundText, SendError,
    announced, download,
};
use super::found;
use crate::domain::identity::IdentityKind;
use crate::domain::message::Media;

/// A call that only shows something is given up after this long.
const BEST_EFFORT: Duration = Duration::from_secs(5);
/// Typing is shown for so long, or until a message comes. The call lasts as long as it is shown.
const TYPING: Duration = Duration::from_secs(20);
/// A file comes within this.
const FILE: Duration = Duration::from_secs(30);
/// Bytes of a page of messages, at most.
const PAGE: u64 = 2 * 1024 * 1024;

/// One instance of an Evolution server.
#[derive(Clone)]
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

    /// Calls one of the instance's other actions; the text of an error is for the log.
    async fn call(
        &self,
        method: Method,
        action: &str,
        body: &Value,
        timeout: Duration,
    ) -> Result<reqwest::Response, String> {
        let url = self.url(action).map_err(|error| error.to_string())?;
        let request = self.http.request(method, url).header("apikey", self.api_key.expose_secret());
        let response = request.timeout(timeout).json(body).send().await;
        response.map_err(|error| error.without_url().to_string())
    }

    /// Shows that an answer is being written, until the time is over or a message comes.
    async fn compose(&self, number: &str) {
        let (action, limit) = ("chat/sendPresence", TYPING + BEST_EFFORT);
        let shown = json!({ "presence": "composing", "delay": TYPING.as_millis() });
        let mut version_2 = shown.clone();
        version_2["number"] = number.into();
        let answer = self.call(Method::POST, action, &version_2, limit).await;
        if answer.is_ok_and(|answer| is_of_version_1(&answer)) {
            let version_1 = json!({ "number": number, "options": shown });
            // It only shows something.
            let _ = self.call(Method::POST, action, &version_1, limit).await;
        }
    }

    async fn post(&self, body: String, announcement: Announcement) -> Result<Answer, SendError> {
        let url = self.url("message/sendText")?;
        let request = self.http.post(url).header("apikey", self.api_key.expose_secret());
        let response = announced::send(request, body, announcement).await?;
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
                Err(SendError::LineDown("the instance is not connected".to_owned()))
            }
            // Its key, or the instance itself, is not there any more.
            401 | 403 | 404 => {
                let detail = "Evolution refuses the key or does not know the instance".to_owned();
                Err(SendError::LineRefused { code, detail })
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

    async fn show_typing(&self, asked: &Asked) -> Result<(), String> {
        let client = self.clone();
        let number = asked.from.value.clone();
        // Evolution answers when the time is over; nobody waits for it.
        tokio::spawn(async move { client.compose(&number).await });
        let read =
            json!([{ "remoteJid": jid(&asked.from), "fromMe": false, "id": asked.message_id }]);
        let version_2 = json!({ "readMessages": read });
        let action = "chat/markMessageAsRead";
        let mut answer = self.call(Method::POST, action, &version_2, BEST_EFFORT).await?;
        if is_of_version_1(&answer) {
            let version_1 = json!({ "read_messages": read });
            answer = self.call(Method::PUT, action, &version_1, BEST_EFFORT).await?;
        }
        match answer.status().as_u16() {
            200..=299 => Ok(()),
            status => Err(format!("status {status}")),
        }
    }

    /// The file comes as base64 in JSON, by the id of its message (WhatsApp facts 56).
    async fn fetch_media(
        &self,
        media: &Media,
        message_id: &str,
        limit: u64,
    ) -> Result<FetchedMedia, MediaError> {
        let body = json!({ "message": { "key": { "id": message_id } }, "convertToMp4": false });
        let response = self.call(Method::POST, "chat/getBase64FromMediaMessage", &body, FILE).await;
        let encoded_limit = limit.saturating_mul(4) / 3 + PAGE;
        let response = response.map_err(MediaError::Retry)?;
        // It says 400 while the file is not in its own database yet, and when it stumbles.
        if let status @ (400 | 404) = response.status().as_u16() {
            return Err(MediaError::Retry(format!("status {status}")));
        }
        let answer = download::read(response, encoded_limit).await?;
        let answer: Value = serde_json::from_slice(&answer.bytes)
            .map_err(|error| MediaError::Retry(error.to_string()))?;
        let encoded = answer.get("base64").and_then(Value::as_str).unwrap_or_default();
        let encoded = encoded.rsplit_once(";base64,").map_or(encoded, |(_, data)| data);
        let bytes = STANDARD
            .decode(encoded.trim())
            .map_err(|error| MediaError::Retry(format!("not base64: {error}")))?;
        if bytes.is_empty() {
            return Err(MediaError::Retry("an empty file".to_owned()));
        }
        if bytes.len() as u64 > limit {
            return Err(MediaError::Refused(format!("larger than {limit} bytes")));
        }
        let mime = answer.get("mimetype").and_then(Value::as_str).map(str::to_owned);
        Ok(FetchedMedia { bytes: bytes.into(), mime: mime.or_else(|| media.mime.clone()) })
    }

    /// A status says nothing of our own id, and may be the very message's that is in doubt.
    fn statuses_carry_our_id(&self) -> bool {
        false
    }

    async fn find_sent(
        &self,
        to: &Address,
        text: &str,
        since: DateTime<Utc>,
    ) -> Result<Option<String>, String> {
        let wanted = json!({ "where": { "key": { "remoteJid": jid(to), "fromMe": true } } });
        let response = self.call(Method::POST, "chat/findMessages", &wanted, BEST_EFFORT).await?;
        let page = download::read(response, PAGE).await.map_err(|error| error.to_string())?;
        let page: Value = serde_json::from_slice(&page.bytes).map_err(|error| error.to_string())?;
        Ok(found::id_of(&page, text, since))
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

/// A server of version 1 knows neither the fields nor the method of version 2.
fn is_of_version_1(answer: &reqwest::Response) -> bool {
    matches!(answer.status().as_u16(), 400 | 404 | 405)
}

/// The whole address of a chat.
fn jid(address: &Address) -> String {
    match address.kind {
        IdentityKind::Phone => format!("{}@s.whatsapp.net", address.value),
        IdentityKind::Lid | IdentityKind::Bsuid => address.value.clone(),
    }
}
