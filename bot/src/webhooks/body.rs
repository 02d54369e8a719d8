//! Reading a raw body within bounds.

use actix_web::HttpRequest;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::web::{Bytes, BytesMut, Payload};
use futures::StreamExt;

/// Largest webhook body, in bytes (DESIGN §3.1).
pub const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Why there is no body.
#[derive(Debug)]
pub enum BodyError {
    TooLarge,
    /// The sender went away, or sent what is not a body.
    Broken,
}

/// The whole body, byte for byte as sent: the signature is over these bytes.
pub async fn read(request: &HttpRequest, mut payload: Payload) -> Result<Bytes, BodyError> {
    let announced = request.headers().get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MOST_BYTES) {
        return Err(BodyError::TooLarge);
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or(8 * 1024).min(64 * 1024));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| BodyError::Broken)?;
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}
