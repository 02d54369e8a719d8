//! Whatever Evolution's webhook is sent: read without a panic, and in the same way however it is
//! laid out.

#![no_main]

use chrono::DateTime;
use lembra_agent::channels::evolution::{Arrival, normalize};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let arrival = Arrival { path_event: None, received_at: DateTime::UNIX_EPOCH };
    let events = normalize(body, &arrival);
    assert!(!events.is_empty(), "a body led to nothing, not even to a reason");
    if let Ok(json) = serde_json::from_slice::<serde_json::Value>(body) {
        let plain = normalize(json.to_string().as_bytes(), &arrival);
        let pretty = normalize(format!("{json:#}").as_bytes(), &arrival);
        assert_eq!(plain, pretty);
    }
});
