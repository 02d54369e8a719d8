//! The operators' pages in a real browser, in front of the real process: standalone mode as a
//! newcomer starts it, with the simulator for customers and the offline model.

mod axe;
mod conversations;
mod day;
mod desk;
mod driver;
mod every_page;
mod memory;
mod overview;
mod page;
mod pages;
mod queues;
mod screenshots;
mod settings;
mod sign_in;
mod week;

use std::path::Path;

use serde_json::Value;

/// What a page says for this path of `templates/words`, such as `job_status.dead`.
fn word(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/words/pt-BR.json");
    let words = std::fs::read_to_string(file).expect("the words are in the repository");
    let words: Value = serde_json::from_str(&words).expect("JSON");
    let found = words.pointer(&format!("/{}", path.replace('.', "/")));
    found.and_then(Value::as_str).unwrap_or_else(|| panic!("no word {path}")).to_owned()
}

/// A test per width: `name::phone` at 390 px and `name::desktop` at 1440 px, each with a desk of its
/// own at which the demo's operator has signed in. Without a browser they say so and pass.
macro_rules! on_both_screens {
    ($(async fn $name:ident($desk:ident: Desk) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn check($desk: Desk) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn phone() {
                if let Some(desk) = Desk::signed_in(Screen::Phone).await {
                    check(desk).await;
                }
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn desktop() {
                if let Some(desk) = Desk::signed_in(Screen::Desktop).await {
                    check(desk).await;
                }
            }
        }
    )*};
}
use on_both_screens;
