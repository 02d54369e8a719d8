//! Announcing that a conversation waits for a person: a signed call to an address of the account.
//!
//! `POST` with a JSON body; `X-Lembra-Timestamp` holds the seconds since 1970 and
//! `X-Lembra-Signature` is `sha256=` and the HMAC, in hex, of the timestamp, a dot and the body. The
//! body names ids and reasons, and nothing that a customer said.

use std::time::Duration;

use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use lembra_entities::{account, handoff};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::Sha256;
use url::Url;

use crate::clock::SharedClock;
use crate::config::{Vault, VaultError, random_bytes};
use crate::http::public::{Call, CallError, PublicClient};
use crate::jobs::JobOutcome;
use crate::jobs::kinds::NotifyHandoff;
use crate::store::{StoreResult, accounts, handoffs};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Nobody reads the answer.
const ANSWER_BYTES: usize = 1_024;

/// A secret, and the form in which it is kept.
pub struct NewSecret {
    pub plain: SecretString,
    pub sealed: String,
}

/// A secret for the account's announcements.
pub fn new_secret(vault: &Vault, account_id: i64) -> Result<NewSecret, VaultError> {
    let bytes = random_bytes::<24>().map_err(|_| VaultError::Randomness)?;
    let plain = hex::encode(bytes);
    let sealed = vault.encrypt(&plain, &context(account_id))?;
    Ok(NewSecret { plain: plain.into(), sealed })
}

/// What the secret of an account's announcements is bound to.
pub(crate) fn context(account_id: i64) -> String {
    format!("account {account_id} notify")
}

/// Whether announcements can be sent there, as far as the address itself tells.
pub fn check_url(url: &str) -> Result<(), String> {
    let url = Url::parse(url).map_err(|error| format!("the address is none: {error}"))?;
    let fits = ["http", "https"].contains(&url.scheme()) && url.has_host();
    let plain = url.username().is_empty() && url.password().is_none();
    if fits && plain {
        Ok(())
    } else {
        Err("the address must be http or https, without a password in it".to_owned())
    }
}

/// Announces. Clones share the client.
#[derive(Clone)]
pub struct Announcer {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub vault: std::sync::Arc<Vault>,
    pub http: PublicClient,
}

impl Announcer {
    /// Tells the account's address of a conversation that still waits.
    pub async fn announce(&self, payload: NotifyHandoff) -> JobOutcome {
        match self.try_announce(payload).await {
            Ok(outcome) => outcome,
            Err(error) => JobOutcome::retry(error),
        }
    }

    async fn try_announce(&self, payload: NotifyHandoff) -> StoreResult<JobOutcome> {
        let Some(handoff) = handoffs::find(&self.db, payload.handoff_id).await? else {
            return Ok(JobOutcome::Done);
        };
        let Some(account) = accounts::find(&self.db, handoff.account_id).await? else {
            return Ok(JobOutcome::Done);
        };
        let Some((url, secret)) = self.address(&account) else {
            return Ok(JobOutcome::Done);
        };
        if handoff.state != "waiting" && !payload.overdue {
            return Ok(JobOutcome::Done);
        }
        let call = self.call(url, &secret, &handoff, payload.overdue);
        Ok(match self.http.send(call).await {
            Ok(answer) if (200..300).contains(&answer.status) => JobOutcome::Done,
            Ok(answer) => JobOutcome::retry(format!("the address answered {}", answer.status)),
            Err(error @ CallError::Blocked(_)) => JobOutcome::dead(error),
            Err(error) => JobOutcome::retry(error),
        })
    }

    fn address(&self, account: &account::Model) -> Option<(Url, SecretString)> {
        let url = Url::parse(account.notify_url.as_deref()?).ok()?;
        let sealed = account.notify_secret.as_deref()?;
        match self.vault.decrypt(sealed, &context(account.id)) {
            Ok(secret) => Some((url, secret.into())),
            Err(error) => {
                tracing::error!(account.id = account.id, %error, "announcements cannot be signed");
                None
            }
        }
    }

    fn call(
        &self,
        url: Url,
        secret: &SecretString,
        handoff: &handoff::Model,
        overdue: bool,
    ) -> Call {
        let now = self.clock.now();
        let body = json!({
            "event": if overdue { "handoff.overdue" } else { "handoff.waiting" },
            "handoff_id": handoff.id,
            "account_id": handoff.account_id,
            "conversation_id": handoff.conversation_id,
            "reason": handoff.reason,
            "priority": handoff.priority,
            "waiting_since": handoff.created_at,
            "waiting_seconds": (now - handoff.created_at).num_seconds(),
        });
        let body = body.to_string();
        let timestamp = now.timestamp().to_string();
        let signature = format!("sha256={}", sign(secret, &timestamp, &body));
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in
            [("x-lembra-timestamp", &timestamp), ("x-lembra-signature", &signature)]
        {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        Call {
            method: Method::POST,
            url,
            headers,
            body: Some(Bytes::from(body)),
            timeout: TIMEOUT,
            max_bytes: ANSWER_BYTES,
        }
    }
}

/// The signature of an announcement, in hex.
pub fn sign(secret: &SecretString, timestamp: &str, body: &str) -> String {
    match Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()) {
        Ok(mut mac) => {
            mac.update(format!("{timestamp}.{body}").as_bytes());
            hex::encode(mac.finalize().into_bytes())
        }
        // HMAC takes keys of any length.
        Err(_) => String::new(),
    }
}
