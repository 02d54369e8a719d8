//! The links beside every page, by themselves: the counts at them change while a page is open.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use serde::Deserialize;

use super::frame::Frame;
use super::respond;
use crate::access::{Access, Routes};

/// Adds the route.
pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::GET, "/nav", Access::Signed, show);
}

#[derive(Deserialize)]
struct Beside {
    /// The first part of the path of the page that is open.
    #[serde(default)]
    section: String,
}

#[derive(Template)]
#[template(path = "pages/nav.html")]
struct Nav {
    frame: Frame,
}

async fn show(mut frame: Frame, beside: web::Query<Beside>) -> HttpResponse {
    frame.section = beside.into_inner().section;
    respond::page(&Nav { frame })
}
