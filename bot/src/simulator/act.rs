//! What a person does on the page.

use actix_web::{HttpResponse, web};
use lembra_agent::config::random_bytes;
use lembra_agent::domain::identity::{Phone, Sender};
use lembra_agent::services::{conversations, handoff};
use lembra_agent::store::ids::Ids;
use lembra_agent::store::people::{self, Caller};
use lembra_agent::store::rowset::Inserts;
use lembra_agent::store::{StoreError, StoreResult, db, threads};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::Simulator;
use super::state::{self, DEFAULT_NAME};
use crate::app::Web;

/// Longest text that the page sends; WhatsApp's own limit.
const MOST_CHARS: usize = 4_096;
const MOST_NAME_CHARS: usize = 60;

#[derive(Deserialize)]
pub struct Written {
    customer: String,
    text: String,
}

#[derive(Deserialize)]
pub struct Chosen {
    customer: String,
}

#[derive(Deserialize)]
pub struct Named {
    name: String,
}

fn failed(error: &StoreError) -> HttpResponse {
    tracing::error!(%error, "simulator");
    HttpResponse::ServiceUnavailable().finish()
}

/// The customer writes.
pub async fn write(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    body: web::Json<Written>,
) -> HttpResponse {
    let Some(phone) = Phone::parse(&body.customer) else {
        return HttpResponse::BadRequest().finish();
    };
    if body.text.trim().is_empty() || body.text.chars().count() > MOST_CHARS {
        return HttpResponse::BadRequest().finish();
    }
    let name = match state::name_of(&web.runtime, &simulator, phone.as_str()).await {
        Ok(name) => name.unwrap_or_else(|| DEFAULT_NAME.to_owned()),
        Err(error) => return failed(&error),
    };
    let id = format!("wamid.SIMULATED.{}", Uuid::now_v7().simple());
    let now = web.runtime.clock.now().timestamp();
    match simulator.write(phone.as_str(), &name, &id, &body.text, now).await {
        Ok(()) => HttpResponse::Accepted().finish(),
        Err(error) => {
            tracing::error!(%error, "simulator");
            HttpResponse::BadGateway().finish()
        }
    }
}

/// The open conversation of a customer.
async fn open_conversation(
    web: &Web,
    simulator: &Simulator,
    customer: &str,
) -> StoreResult<Option<i64>> {
    let Some(contact) = state::contact_of(&web.runtime, simulator, customer).await? else {
        return Ok(None);
    };
    let inbox_id = simulator.inbox().id;
    let latest = threads::latest_conversation(&web.runtime.db, inbox_id, contact).await?;
    Ok(latest.filter(|latest| latest.state == "open").map(|latest| latest.id))
}

/// "Encerrar conversa".
pub async fn resolve(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    body: web::Json<Chosen>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let resolved = match open_conversation(&web, &simulator, &body.customer).await {
        Ok(Some(id)) => conversations::resolve(&runtime.db, &runtime.clock, id).await.map(|_| ()),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    match resolved {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => failed(&error),
    }
}

/// "Devolver ao bot".
pub async fn resume(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    body: web::Json<Chosen>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let resumed = match open_conversation(&web, &simulator, &body.customer).await {
        Ok(Some(id)) => handoff::hand_back(&runtime.db, &runtime.clock, id).await,
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    match resumed {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => failed(&error),
    }
}

/// A customer more, with a number of their own.
pub async fn add_customer(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    body: web::Json<Named>,
) -> HttpResponse {
    let name = body.name.trim();
    if name.is_empty() || name.chars().count() > MOST_NAME_CHARS {
        return HttpResponse::BadRequest().finish();
    }
    let Ok(random) = random_bytes::<4>() else {
        return HttpResponse::InternalServerError().finish();
    };
    let number = u32::from_le_bytes(random) % 10_000_000;
    let key = format!("55119{:08}", 70_000_000 + number);
    let sender = Phone::parse(&key).and_then(|phone| Sender::new(Some(phone), None, None));
    let Some(sender) = sender else {
        return HttpResponse::InternalServerError().finish();
    };
    let account_id = simulator.inbox().account.id;
    let caller = Caller { account_id, sender, name: Some(name.to_owned()) };
    match add(&web, caller).await {
        Ok(()) => HttpResponse::Created().json(json!({ "key": key })),
        Err(error) => failed(&error),
    }
}

async fn add(web: &Web, caller: Caller) -> StoreResult<()> {
    let tx = db::begin(&web.runtime.db).await?;
    let mut inserts = Inserts::default();
    let now = web.runtime.clock.now();
    people::resolve(&tx, &[caller], &mut Ids::default(), &mut inserts, now).await?;
    inserts.run(&tx, "").await?;
    tx.commit().await?;
    Ok(())
}
