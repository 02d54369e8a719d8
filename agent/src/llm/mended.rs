//! JSON as models write it: cut off, quoted badly, between fences.

use serde_json::Value;

/// Deepest nesting that is mended: the mending recurses, and depth 2,000 ends the process
/// (`facts/STACK.md`).
const DEEPEST: usize = 32;

/// The value that a text holds, mended where it can be.
pub fn parse(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    if depth(text) > DEEPEST {
        return None;
    }
    let mended = jsonrepair::repair_to_string(text, &jsonrepair::Options::default()).ok()?;
    serde_json::from_str(&mended).ok()
}

fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
