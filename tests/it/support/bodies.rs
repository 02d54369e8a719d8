//! Webhook bodies in Meta's shape.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

pub const APP_SECRET: &str = "segredo-da-app";
pub const VERIFY_TOKEN: &str = "palavra-combinada";
pub const ACCESS_TOKEN: &str = "token-do-sistema";
pub const PHONE_NUMBER_ID: &str = "109000000000001";
/// A customer in São Paulo.
pub const ANA: &str = "5511987650001";
/// Another, in Fortaleza, whose number WhatsApp knows without the ninth digit.
pub const BIA: &str = "558587650002";

/// The header that Meta would send with these bytes.
pub fn signature(body: &[u8]) -> String {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(APP_SECRET.as_bytes()).expect("a key");
    mac.update(body);
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

pub fn text_message(from: &str, id: &str, text: &str, timestamp: i64) -> Value {
    json!({
        "from": from,
        "id": id,
        "timestamp": timestamp.to_string(),
        "type": "text",
        "text": { "body": text },
    })
}

/// A message of any other type, with what it holds.
pub fn other_message(from: &str, id: &str, kind: &str, holds: &Value, timestamp: i64) -> Value {
    json!({
        "from": from,
        "id": id,
        "timestamp": timestamp.to_string(),
        "type": kind,
        kind: holds,
    })
}

/// What a person of the business wrote from the phone.
pub fn echo(to: &str, id: &str, text: &str, timestamp: i64) -> Value {
    let echo = json!({
        "from": "551140000000", "to": to, "id": id, "type": "text",
        "timestamp": timestamp.to_string(), "text": { "body": text },
    });
    let mut change = change(PHONE_NUMBER_ID, json!({ "message_echoes": [echo] }));
    change["field"] = json!("smb_message_echoes");
    change
}

/// A change of the field `messages`, with `inner` beside the metadata.
pub fn change(phone_number_id: &str, mut inner: Value) -> Value {
    inner["messaging_product"] = json!("whatsapp");
    inner["metadata"] =
        json!({ "display_phone_number": "551140000000", "phone_number_id": phone_number_id });
    json!({ "field": "messages", "value": inner })
}

/// Messages with the contacts that wrote them.
pub fn messages(messages: &[Value]) -> Value {
    let contact =
        |message: &Value| json!({ "profile": { "name": "Cliente" }, "wa_id": message["from"] });
    let contacts: Vec<Value> = messages.iter().map(contact).collect();
    change(PHONE_NUMBER_ID, json!({ "contacts": contacts, "messages": messages }))
}

pub fn statuses(statuses: &[Value]) -> Value {
    change(PHONE_NUMBER_ID, json!({ "statuses": statuses }))
}

/// One body with one entry per list of changes.
pub fn envelope(entries: &[Vec<Value>]) -> Value {
    let entries: Vec<Value> =
        entries.iter().map(|changes| json!({ "id": "1", "changes": changes })).collect();
    json!({ "object": "whatsapp_business_account", "entry": entries })
}
