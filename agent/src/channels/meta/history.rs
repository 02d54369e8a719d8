//! Messages of the past: what a phone holds when its number is connected (WhatsApp facts 17).

use serde_json::Value;

use super::super::payload::{list, text};
use super::normalize::{ignored, read_message};
use crate::domain::identity::{Phone, Sender};
use crate::domain::message::{IgnoredWhy, InboundEvent, PastMessage};

/// All messages of a change of the field `history`: threads of text, and media one by one in a list
/// that looks like live messages.
pub fn read(channel: Option<&str>, value: &Value, events: &mut Vec<InboundEvent>) {
    let Some(channel) = channel else { return };
    for chunk in list(value, "history") {
        for thread in list(chunk, "threads") {
            let customer = text(thread, "id");
            let messages = list(thread, "messages").iter();
            events.extend(messages.map(|message| past(channel, message, customer.as_deref())));
        }
        if !list(chunk, "errors").is_empty() {
            events.push(ignored(Some(channel), IgnoredWhy::ProviderError, "history"));
        }
    }
    let messages = list(value, "messages").iter();
    events.extend(messages.map(|message| past(channel, message, None)));
}

/// `customer` is the other side of the thread; without it a message with an addressee is ours.
fn past(channel: &str, message: &Value, customer: Option<&str>) -> InboundEvent {
    let (from, to) = (text(message, "from"), text(message, "to"));
    let from_business = match customer {
        Some(customer) => from.as_deref() != Some(customer),
        None => to.is_some(),
    };
    let InboundEvent::Message(mut message) = read_message(channel, message, &[]) else {
        return ignored(Some(channel), IgnoredWhy::History, "history");
    };
    if from_business {
        let customer = customer.or(to.as_deref()).and_then(Phone::parse);
        let Some(customer) = Sender::new(customer, None, None) else {
            return ignored(Some(channel), IgnoredWhy::NoSender, "history");
        };
        message.sender = customer;
        message.profile_name = None;
    }
    InboundEvent::History(PastMessage { from_business, message })
}
