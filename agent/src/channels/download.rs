//! Reading a provider's file without ever holding more than is wanted.

use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::{FetchedMedia, MediaError};

/// The body of a good answer, of at most `limit` bytes; what a bad one means for trying again.
pub async fn read(response: Response, limit: u64) -> Result<FetchedMedia, MediaError> {
    let status = response.status();
    if !status.is_success() {
        let error = format!("status {}", status.as_u16());
        let passes = status.is_server_error() || matches!(status.as_u16(), 401 | 408 | 429);
        return Err(if passes { MediaError::Retry(error) } else { MediaError::Refused(error) });
    }
    let mime = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let mime = mime.map(str::to_owned);
    let bytes = read_at_most(response, limit).await?;
    Ok(FetchedMedia { bytes, mime })
}

/// The body, of at most `limit` bytes.
pub async fn read_at_most(response: Response, limit: u64) -> Result<Bytes, MediaError> {
    let too_large = || MediaError::Refused(format!("larger than {limit} bytes"));
    if response.content_length().is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut body = BytesMut::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(failed)?;
        if body.len() as u64 + chunk.len() as u64 > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// A call without an answer.
pub fn failed(error: reqwest::Error) -> MediaError {
    MediaError::Retry(error.without_url().to_string())
}
