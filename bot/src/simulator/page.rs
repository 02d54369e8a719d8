//! The page itself; everything on it comes as JSON.

use actix_web::{HttpResponse, web};
use askama::Template;

use crate::app::Web;
use crate::pages::VERSION;
use crate::pages::respond::page;

#[derive(Template)]
#[template(path = "pages/simulator.html")]
struct SimulatorPage {
    version: &'static str,
    offline_model: bool,
}

pub async fn show(web: web::Data<Web>) -> HttpResponse {
    page(&SimulatorPage { version: VERSION, offline_model: web.runtime.model.is_offline() })
}
