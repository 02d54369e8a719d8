//! The Graph API of the simulated platform: accepts messages and reports what became of them.

use std::time::Duration;

use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::channels::meta::auth::same_secret;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Simulator;
use crate::app::Web;

/// A phone shows a message as sent, delivered and read after that long.
const STEPS: [(&str, Duration); 3] = [
    ("sent", Duration::from_millis(150)),
    ("delivered", Duration::from_millis(350)),
    ("read", Duration::from_millis(700)),
];

fn is_authorized(simulator: &Simulator, request: &HttpRequest) -> bool {
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    let credentials = simulator.inbox().meta();
    credentials.is_some_and(|meta| same_secret(&meta.access_token, token))
}

fn refused() -> HttpResponse {
    let error = json!({ "error": { "code": 190, "message": "Invalid OAuth access token" } });
    HttpResponse::Unauthorized().json(error)
}

/// `GET /{phone_number_id}`.
pub async fn number(
    simulator: web::Data<Simulator>,
    request: HttpRequest,
    id: web::Path<String>,
) -> HttpResponse {
    if !is_authorized(&simulator, &request) {
        return refused();
    }
    HttpResponse::Ok().json(json!({ "id": id.into_inner() }))
}

/// `POST /{phone_number_id}/messages`.
pub async fn messages(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    request: HttpRequest,
    body: web::Json<Value>,
) -> HttpResponse {
    if !is_authorized(&simulator, &request) {
        return refused();
    }
    let body = body.into_inner();
    let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    // A receipt, with or without a sign of typing: nothing to deliver.
    if text("status") == "read" {
        return HttpResponse::Ok().json(json!({ "success": true }));
    }
    let (to, callback_data) = (text("to"), text("biz_opaque_callback_data"));
    let id = format!("wamid.SIMULATED.{}", Uuid::now_v7().simple());
    let accepted = json!({
        "messaging_product": "whatsapp",
        "contacts": [{ "input": to, "wa_id": to }],
        "messages": [{ "id": id }],
    });
    let clock = web.runtime.clock.clone();
    let simulator = simulator.get_ref().clone();
    tokio::spawn(async move {
        for (status, after) in STEPS {
            tokio::time::sleep(after).await;
            let report = json!({
                "id": id,
                "status": status,
                "timestamp": clock.now().timestamp().to_string(),
                "recipient_id": to,
                "biz_opaque_callback_data": callback_data,
            });
            if let Err(error) = simulator.report(report).await {
                tracing::warn!(%error, status, "simulated status not delivered");
            }
        }
    });
    HttpResponse::Ok().json(accepted)
}
