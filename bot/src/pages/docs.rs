//! The API's document, for people.

use actix_web::HttpResponse;
use askama::Template;

use super::frame::Frame;
use super::respond::page;

#[derive(Template)]
#[template(path = "pages/docs.html")]
struct Docs {
    frame: Frame,
}

pub async fn show(frame: Frame) -> HttpResponse {
    page(&Docs { frame })
}
