//! The small sign beside a message of ours: how far it has come.

use crate::pages::words;

const CLOCK: &str = "M12 7v5l3 2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18";
const ONE: &str = "M5 12.5l4.5 4.5L19 7.5";
const TWO: &str = "M2 12.5l4.5 4.5L15 7.5M11 16l1 1l9-9.5";
const MARK: &str = "M12 6v7M12 17v.1M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18";
const CROSS: &str = "M6 6l12 12M18 6L6 18";

/// The sign as HTML, with its name for whoever does not see it. Nothing in it comes from people.
pub fn html(delivery: Option<&str>) -> String {
    let (class, path) = match delivery {
        Some("pending" | "sending") => ("pending", CLOCK),
        Some("sent") => ("sent", ONE),
        Some("delivered") => ("delivered", TWO),
        Some("read") => ("read", TWO),
        Some("failed") => ("failed", MARK),
        Some("unknown") => ("unknown", MARK),
        Some("cancelled") => ("cancelled", CROSS),
        _ => return String::new(),
    };
    let name = words::of("delivery", delivery.unwrap_or_default());
    format!(
        "<span class=\"tick {class}\" title=\"{name}\"><svg class=\"icon\" viewBox=\"0 0 24 24\" \
         aria-hidden=\"true\"><path d=\"{path}\"/></svg><span class=\"sr-only\">{name}</span></span>"
    )
}
