//! A contact's rights over what is kept of them (LGPD art. 18): a copy, forgetting, an end. What
//! cannot be taken back is only done when its word was typed.

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, web};
use serde::Deserialize;

use super::profile::erase_word;
use super::{ContactPath, load};
use crate::access::Principal;
use crate::app::Web;
use crate::pages::{respond, words};

/// What must be typed before everything about a contact is forgotten.
pub fn forget_word() -> String {
    words::word("contacts.forget_word")
}

#[derive(Deserialize)]
pub struct Confirmed {
    #[serde(default)]
    confirm: String,
}

impl Confirmed {
    /// The answer to one that did not type the word.
    fn refusal(&self, word: &str) -> Option<HttpResponse> {
        let typed = self.confirm.trim().eq_ignore_ascii_case(word);
        let said = || words::filled("contacts.type_the_word", &[("word", word)]);
        (!typed).then(|| respond::cannot_saying(StatusCode::BAD_REQUEST, &said()))
    }
}

/// Deletes every memory of the contact; each can be brought back for 30 days.
pub async fn forget_all(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Confirmed>,
) -> HttpResponse {
    let owner = path.owner(&principal);
    if let Err(refusal) = load(&web, owner).await {
        return refusal;
    }
    if let Some(refusal) = form.refusal(&forget_word()) {
        return refusal;
    }
    match web.runtime.memories.forget_all(owner, &principal.name).await {
        Ok(facts) => {
            let path = if facts == 1 { "memory.forgot_one" } else { "memory.forgot_all" };
            respond::done_saying(&words::filled(path, &[("facts", &facts.to_string())]))
        }
        Err(error) => respond::failed(&error),
    }
}

/// Everything about the contact, as a file.
pub async fn export(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
) -> HttpResponse {
    match web.runtime.memories.export(path.owner(&principal)).await {
        Ok(Some(copy)) => {
            tracing::info!(
                contact.id = path.contact,
                by = principal.name,
                "contact's data given out"
            );
            let word = words::word("contacts.export_file");
            let name = format!("attachment; filename=\"{word}-{}.json\"", path.contact);
            HttpResponse::Ok().insert_header((header::CONTENT_DISPOSITION, name)).json(copy)
        }
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

/// Deletes the contact with all that belongs to them, files first: what is left when a file cannot
/// be deleted can be erased again.
pub async fn erase(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Confirmed>,
) -> HttpResponse {
    let owner = path.owner(&principal);
    if let Err(refusal) = load(&web, owner).await {
        return refusal;
    }
    if let Some(refusal) = form.refusal(&erase_word()) {
        return refusal;
    }
    if let Err(error) = web.runtime.media.remove_of_contact(owner.contact_id).await {
        tracing::error!(%error, "files of a contact not deleted");
        return respond::cannot(StatusCode::SERVICE_UNAVAILABLE, "contacts.files_left");
    }
    match web.runtime.memories.erase(owner).await {
        Ok(true) => {
            tracing::info!(
                contact.id = owner.contact_id,
                by = principal.name,
                "contact erased by hand"
            );
            respond::go("/contacts")
        }
        Ok(false) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}
