//! Whatever Meta's webhook is sent: read without a panic, and in the same way however it is laid
//! out.

#![no_main]

use lembra_agent::channels::meta::normalize;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let events = normalize(body);
    assert!(!events.is_empty(), "a body led to nothing, not even to a reason");
    if let Ok(json) = serde_json::from_slice::<serde_json::Value>(body) {
        let plain = normalize(json.to_string().as_bytes());
        let pretty = normalize(format!("{json:#}").as_bytes());
        assert_eq!(plain, pretty);
    }
});
