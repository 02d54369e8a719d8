//! The page itself; everything on it comes as JSON.

use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

use crate::app::Web;
use crate::pages::{VERSION, access, page, see_other};

#[derive(Template)]
#[template(path = "pages/simulator.html")]
struct SimulatorPage {
    title: &'static str,
    version: &'static str,
    offline_model: bool,
}

pub async fn show(web: web::Data<Web>, request: HttpRequest) -> HttpResponse {
    if !access::is_allowed(&request, web.runtime.config.web.public_url.as_ref()) {
        return see_other("/sign-in?next=/simulator");
    }
    page(&SimulatorPage {
        title: "Simulador",
        version: VERSION,
        offline_model: web.runtime.model.is_offline(),
    })
}
