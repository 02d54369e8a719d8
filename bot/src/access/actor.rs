//! Who acts, as administration asks.

use lembra_agent::services::board::admin::Actor;

use super::Principal;

/// The one who asks, with what is kept of them.
pub fn actor(principal: &Principal) -> Actor<'_> {
    let browser = principal.browser.as_ref();
    Actor {
        name: &principal.name,
        may: principal.permissions,
        operator_id: browser.map(|browser| browser.operator_id),
        session_id: browser.map(|browser| browser.session_id),
    }
}
