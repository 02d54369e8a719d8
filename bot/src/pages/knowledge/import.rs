//! Entries out of a file. A small script sends the file itself, and shows what comes back.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::knowledge::import::{File, ImportError, MOST_BYTES};
use lembra_agent::services::knowledge::shown::ImportView;
use serde::Deserialize;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::{filters, respond, words};

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::POST, "/knowledge/import", Permission::KnowledgeWrite, import);
}

#[derive(Deserialize)]
struct Asked {
    /// The file's name: its ending tells the format.
    name: String,
}

#[derive(Template)]
#[template(path = "pages/knowledge_report.html")]
struct Report {
    /// In words, when nothing was imported.
    refused: Option<String>,
    report: Option<ImportView>,
}

async fn import(
    principal: Principal,
    web: web::Data<Web>,
    asked: web::Query<Asked>,
    body: web::Payload,
) -> HttpResponse {
    let too_large = || words::filled("refusal.too_large", &[("mib", &mib())]);
    let Ok(Ok(body)) = body.to_bytes_limited(MOST_BYTES).await else {
        let mut response = respond::page(&Report { refused: Some(too_large()), report: None });
        *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
        return response;
    };
    let name = asked.name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
    let file = File { name: &name, bytes: &body, format: None };
    let refused = match web.runtime.knowledge.import(principal.account_id, file).await {
        Ok(report) => {
            let report = Some(ImportView::of(&report));
            return respond::page(&Report { refused: None, report });
        }
        Err(ImportError::NoAccount) => return respond::gone(),
        Err(ImportError::Store(error)) => return respond::failed(&error),
        Err(ImportError::TooLarge) => too_large(),
        Err(ImportError::Unreadable(why)) => words::of("refusal", why.code()),
    };
    respond::refused(&Report { refused: Some(refused), report: None })
}

fn mib() -> String {
    (MOST_BYTES / (1024 * 1024)).to_string()
}
