//! A request whose body is announced before it is written, and what its failure means.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Body, RequestBuilder, Response};

use super::{Announcement, NotAnnounced, SendError};

/// Sends `body`, which is JSON, once it is announced: that is when it is first asked for, and then
/// the connection stands.
pub async fn send(
    request: RequestBuilder,
    body: String,
    announcement: Announcement,
) -> Result<Response, SendError> {
    let announced = Arc::new(AtomicBool::new(false));
    let request = request
        .header(CONTENT_TYPE, "application/json")
        .header(CONTENT_LENGTH, body.len())
        .body(announced_body(body, announcement, announced.clone()));
    request.send().await.map_err(|error| {
        // What was not announced was not written; nor was what never found a connection.
        if announced.load(Ordering::Acquire) && !error.is_connect() {
            return SendError::Unclear { detail: error.without_url().to_string() };
        }
        match refusal_in(&error) {
            Some(refusal) => SendError::NotAnnounced(refusal),
            None => SendError::Retry { code: None, after: None },
        }
    })
}

fn announced_body(body: String, announcement: Announcement, announced: Arc<AtomicBool>) -> Body {
    Body::wrap_stream(futures::stream::once(async move {
        announcement.await?;
        announced.store(true, Ordering::Release);
        Ok::<_, NotAnnounced>(body)
    }))
}

/// The refusal of the announcement among an error's causes.
fn refusal_in(error: &reqwest::Error) -> Option<NotAnnounced> {
    let mut cause = std::error::Error::source(error);
    while let Some(each) = cause {
        if let Some(refusal) = each.downcast_ref::<NotAnnounced>() {
            return Some(refusal.clone());
        }
        cause = each.source();
    }
    None
}
