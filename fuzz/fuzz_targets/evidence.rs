//! Evidence of a fact: what was literally said counts, whatever it is, and the form in which texts
//! are compared is one form.

#![no_main]

use lembra_agent::domain::memory::evidence::{holds_claims, is_excerpt, is_negated, normal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (message, evidence) = input;
    let folded = normal(message);
    assert_eq!(folded, normal(&folded), "folding twice says something else");
    assert_eq!(is_excerpt(message, message), !folded.is_empty());
    assert!(holds_claims(message, message), "a message does not hold what it says");
    if is_excerpt(message, evidence) {
        assert!(folded.contains(&normal(evidence)));
    }
    is_negated(message, evidence);
    holds_claims(message, evidence);
});
