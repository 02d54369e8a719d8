//! Files of customers in the browser. They are strangers' bytes: what a browser does not show
//! harmlessly is only offered to be saved, and nothing in it runs.

use std::ops::Range;

use actix_web::http::{StatusCode, header};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::domain::message::Content;
use lembra_agent::services::media::MediaStoreError;
use lembra_agent::store::board::thread;
use lembra_agent::store::{StoreError, media};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::MessagePath;
use crate::access::Principal;
use crate::app::Web;
use crate::pages::respond;

/// What browsers show without harm; everything else is saved.
const SHOWN: [&str; 14] = [
    "image/jpeg",
    "image/png",
    "image/webp",
    "image/gif",
    "audio/ogg",
    "audio/mpeg",
    "audio/mp4",
    "audio/aac",
    "audio/amr",
    "audio/wav",
    "audio/webm",
    "video/mp4",
    "video/3gpp",
    "video/webm",
];
/// Characters of a file's name.
const NAME_CHARS: usize = 100;

/// Why there is no file.
pub enum NoFile {
    /// No such message, or it has no file that is kept.
    Gone,
    Store(StoreError),
    Files(MediaStoreError),
}

impl From<StoreError> for NoFile {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<MediaStoreError> for NoFile {
    fn from(error: MediaStoreError) -> Self {
        Self::Files(error)
    }
}

/// The file of a message.
pub async fn show(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
    request: HttpRequest,
) -> HttpResponse {
    match answer(&web, principal.account_id, *path, &request).await {
        Ok(response) => response,
        Err(NoFile::Gone) => respond::gone(),
        Err(NoFile::Store(error)) => respond::failed(&error),
        Err(NoFile::Files(error)) => {
            tracing::error!(%error, "file not read");
            respond::cannot(StatusCode::SERVICE_UNAVAILABLE, "notice.failed")
        }
    }
}

/// The file of a message of the account, for page and API alike. A part of it where a part is asked
/// for: players on phones do.
pub async fn answer(
    web: &Web,
    account_id: i64,
    path: MessagePath,
    request: &HttpRequest,
) -> Result<HttpResponse, NoFile> {
    let runtime = &web.runtime;
    let row = thread::message(&runtime.db, account_id, path.conversation, path.message).await?;
    let row = row.ok_or(NoFile::Gone)?;
    let file = media::of_message(&runtime.db, row.id).await?.ok_or(NoFile::Gone)?;
    let bytes = runtime.media.read(&file).await?.ok_or(NoFile::Gone)?;
    let described = row.content.and_then(|content| serde_json::from_value::<Content>(content).ok());
    let name = match described {
        Some(Content::Media(media)) => media.file_name,
        _ => None,
    };
    let mime = plain_type(file.mime.as_deref().unwrap_or_default());
    let shown = SHOWN.contains(&mime.as_str());
    let mime = if shown { mime.as_str() } else { "application/octet-stream" };
    let disposition = disposition(shown, name.as_deref(), row.id);
    Ok(respond_with(&bytes, mime, &disposition, request))
}

/// The type without its parameters: `audio/ogg; codecs=opus` is `audio/ogg`.
fn plain_type(mime: &str) -> String {
    mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn disposition(shown: bool, name: Option<&str>, id: i64) -> String {
    let how = if shown { "inline" } else { "attachment" };
    let safe = |c: &char| !c.is_control() && !"/\\:*?\"<>|".contains(*c);
    let name: String = name.unwrap_or_default().chars().filter(safe).take(NAME_CHARS).collect();
    let name = name.trim_matches(['.', ' ']);
    let name = if name.is_empty() { format!("arquivo-{id}") } else { name.to_owned() };
    let encoded = utf8_percent_encode(&name, NON_ALPHANUMERIC);
    format!("{how}; filename*=UTF-8''{encoded}")
}

fn respond_with(
    bytes: &Bytes,
    mime: &str,
    disposition: &str,
    request: &HttpRequest,
) -> HttpResponse {
    let asked = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
    let length = bytes.len();
    let (status, part) = match asked.map(|asked| part_of(asked, length)) {
        None | Some(Asked::Everything) => (StatusCode::OK, 0..length),
        Some(Asked::Part(part)) => (StatusCode::PARTIAL_CONTENT, part),
        Some(Asked::Outside) => {
            return HttpResponse::RangeNotSatisfiable()
                .insert_header((header::CONTENT_RANGE, format!("bytes */{length}")))
                .finish();
        }
    };
    let mut response = HttpResponse::build(status);
    response
        .content_type(mime)
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .insert_header((header::CACHE_CONTROL, "private, max-age=3600"))
        .insert_header((header::ACCEPT_RANGES, "bytes"));
    if status == StatusCode::PARTIAL_CONTENT {
        let last = part.end.saturating_sub(1);
        let range = format!("bytes {}-{last}/{length}", part.start);
        response.insert_header((header::CONTENT_RANGE, range));
    }
    response.body(bytes.slice(part))
}

/// What a range header asks for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// All, also where it is not understood.
    Everything,
    Part(Range<usize>),
    Outside,
}

/// One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
fn part_of(asked: &str, length: usize) -> Asked {
    let Some((from, to)) = asked.strip_prefix("bytes=").and_then(|range| range.split_once('-'))
    else {
        return Asked::Everything;
    };
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let range = match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => from..to.saturating_add(1).min(length),
        (Some(from), None) if to.trim().is_empty() => from..length,
        (None, Some(last)) if from.trim().is_empty() => length.saturating_sub(last)..length,
        _ => return Asked::Everything,
    };
    if range.start >= length { Asked::Outside } else { Asked::Part(range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_of_a_stranger_is_made_harmless() {
        assert_eq!(
            disposition(false, Some("../nota\" fiscal\r\n.pdf"), 7),
            "attachment; filename*=UTF-8''nota%20fiscal%2Epdf"
        );
        assert_eq!(disposition(true, None, 7), "inline; filename*=UTF-8''arquivo%2D7");
        assert_eq!(plain_type("Audio/OGG; codecs=opus"), "audio/ogg");
        for harmful in ["text/html", "image/svg+xml", "application/xhtml+xml", "application/pdf"] {
            assert!(!SHOWN.contains(&harmful));
        }
    }

    #[test]
    fn parts_are_cut_as_asked() {
        for (asked, expected) in [
            ("bytes=0-1", Asked::Part(0..2)),
            ("bytes=4-", Asked::Part(4..10)),
            ("bytes=-3", Asked::Part(7..10)),
            ("bytes=8-99", Asked::Part(8..10)),
            ("bytes=10-", Asked::Outside),
            ("bytes=5-2", Asked::Everything),
            ("bytes=0-1,4-5", Asked::Everything),
            ("items=0-1", Asked::Everything),
        ] {
            assert_eq!(part_of(asked, 10), expected, "{asked}");
        }
    }
}
