//! The pictures of the README, taken of a demo in which a week went by.

use std::path::{Path, PathBuf};

use super::day::Day;
use super::desk::Desk;
use super::driver::Screen;
use super::week;

/// No picture of the README is larger, in bytes.
const MOST_BYTES: usize = 320 * 1024;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screenshots")
}

/// Takes a picture of what is in the window.
async fn take(desk: &Desk, page: &str, name: &str) {
    desk.browser.open(page).await;
    desk.browser.wait_for("h1", "").await;
    // Fonts and pictures, and what the page asks for when it is there.
    let settled = "return document.fonts.status === 'loaded' && !document.querySelector('.htmx-request') && [...document.images].every(image => image.complete)";
    desk.browser
        .until("the page is complete", async || {
            desk.browser.run(settled, Vec::new()).await == serde_json::Value::Bool(true)
        })
        .await;
    let picture = desk.browser.client().screenshot().await.expect("a picture");
    assert!(picture.len() <= MOST_BYTES, "{name} has {} bytes", picture.len());
    std::fs::write(folder().join(format!("{name}.png")), picture).expect("can be written");
}

#[ignore = "writes docs/screenshots; tests/screenshots runs it"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_eight_pages() {
    let Some(mut desk) = Desk::signed_in(Screen::Desktop).await else {
        return;
    };
    let day = Day::lived(&desk).await;
    week::lived(&mut desk).await;
    std::fs::create_dir_all(folder()).expect("a folder");
    let conversation = desk.conversation(day.number("Ana Beatriz Lopes")).await;
    let memory = format!("{}/memories", desk.contact("Carlos Menezes").await);
    take(&desk, "/?period=7d", "overview").await;
    take(&desk, &conversation, "conversation").await;
    take(&desk, "/handoffs", "handoffs").await;
    take(&desk, &memory, "memory").await;
    take(&desk, "/queues", "queues").await;
    take(&desk, "/settings", "settings").await;
    desk.browser.driver().resize(Screen::Phone, 2).await;
    take(&desk, "/conversations", "phone-conversations").await;
    take(&desk, &memory, "phone-memory").await;
}
