//! How pages answer: whole, in part, with a notice, or with a way elsewhere.

use actix_web::http::{Method, StatusCode, Uri, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use askama::Template;
use lembra_agent::store::StoreError;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::words;

/// Answers with a page.
pub fn page(template: &impl Template) -> HttpResponse {
    with_status(StatusCode::OK, template)
}

/// Answers with a page that says what was wrong with the form (422).
pub fn refused(template: &impl Template) -> HttpResponse {
    with_status(StatusCode::UNPROCESSABLE_ENTITY, template)
}

fn with_status(status: StatusCode, template: &impl Template) -> HttpResponse {
    match template.render() {
        Ok(html) => {
            HttpResponseBuilder::new(status).content_type(header::ContentType::html()).body(html)
        }
        Err(error) => {
            tracing::error!(%error, "page not rendered");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Answers with the page, or with its block `live` where that alone was asked for.
#[macro_export]
macro_rules! show {
    ($view:expr) => {{
        let view = $view;
        if view.frame.part {
            $crate::pages::respond::page(&view.as_live())
        } else {
            $crate::pages::respond::page(&view)
        }
    }};
}

/// Sends the browser elsewhere.
pub fn see_other(location: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish()
}

/// A control did its work: the page's changing part is asked for again. `notice` is a path in
/// `templates/words`.
pub fn done(notice: &str) -> HttpResponse {
    told(StatusCode::NO_CONTENT, &words::word(notice), true)
}

/// The same, with words that were made already.
pub fn done_saying(text: &str) -> HttpResponse {
    told(StatusCode::NO_CONTENT, text, true)
}

/// A control did its work, and the browser goes on to another page.
pub fn go(location: &str) -> HttpResponse {
    HttpResponse::NoContent().insert_header(("hx-redirect", location)).finish()
}

/// A control could not do its work, and why: a path in `templates/words`.
pub fn cannot(status: StatusCode, why: &str) -> HttpResponse {
    told(status, &words::word(why), false)
}

/// The same, with words that were made already.
pub fn cannot_saying(status: StatusCode, text: &str) -> HttpResponse {
    told(status, text, false)
}

/// What does not exist in this account.
pub fn gone() -> HttpResponse {
    let mut response = told(StatusCode::NOT_FOUND, &words::word("notice.gone"), false);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response.set_body(actix_web::body::BoxBody::new(words::word("notice.gone")))
}

/// The database did not answer.
pub fn failed(error: &StoreError) -> HttpResponse {
    tracing::error!(%error, "page");
    cannot(StatusCode::SERVICE_UNAVAILABLE, "notice.failed")
}

/// Not with this role.
pub fn forbidden() -> HttpResponse {
    let text = words::word("notice.forbidden");
    let response = told(StatusCode::FORBIDDEN, &text, false);
    response.set_body(actix_web::body::BoxBody::new(text))
}

/// The page is older than the session.
pub fn stale() -> HttpResponse {
    cannot(StatusCode::FORBIDDEN, "notice.stale")
}

/// Nobody is signed in: the browser goes to sign in and comes back.
pub fn sign_in_first(request: &HttpRequest) -> HttpResponse {
    let refreshes = request.headers().contains_key("hx-request");
    // A part of a page leads back to the page that it is in.
    let page = request.headers().get("hx-current-url").filter(|_| refreshes);
    let page = page.and_then(|page| page.to_str().ok()?.parse::<Uri>().ok());
    let whole = page.as_ref().unwrap_or_else(|| request.uri());
    let whole = whole.path_and_query().map_or("/", |path| path.as_str());
    let next = utf8_percent_encode(whole, NON_ALPHANUMERIC);
    let location = format!("/sign-in?next={next}");
    if refreshes {
        return HttpResponse::Unauthorized().insert_header(("hx-redirect", location)).finish();
    }
    match *request.method() {
        Method::GET | Method::HEAD => see_other(&location),
        _ => HttpResponse::Unauthorized().finish(),
    }
}

/// An answer whose headers say what the page shall show. Headers are ASCII, so every other sign is
/// escaped as in JSON.
fn told(status: StatusCode, text: &str, refresh: bool) -> HttpResponse {
    let kind = if status.is_success() { "good" } else { "bad" };
    let mut events = json!({ "notice": { "text": text, "kind": kind } });
    if refresh {
        events["refresh"] = json!({});
    }
    let mut ascii = String::new();
    for sign in events.to_string().chars() {
        if sign.is_ascii() {
            ascii.push(sign);
        } else {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                ascii.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    HttpResponseBuilder::new(status).insert_header(("hx-trigger", ascii)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_travel_in_ascii_and_are_read_back() {
        let response = cannot_saying(StatusCode::CONFLICT, "Já está com Ana 🙂");
        let header = response.headers().get("hx-trigger").and_then(|value| value.to_str().ok());
        let events: serde_json::Value =
            serde_json::from_str(header.expect("a header")).expect("JSON");
        assert_eq!(events["notice"]["text"], "Já está com Ana 🙂");
        assert!(events.get("refresh").is_none());
    }
}
