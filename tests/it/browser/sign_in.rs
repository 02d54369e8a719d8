//! Coming in and going out.

use super::desk::Desk;
use super::driver::Screen;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_knows_the_password_comes_in_and_nobody_else() {
    for screen in Screen::BOTH {
        let Some(desk) = Desk::empty(screen).await else {
            return;
        };
        let browser = &desk.browser;
        browser.open("/contacts?q=ana").await;
        browser.wait_at("/sign-in").await;
        desk.sign_in("errada").await;
        browser.wait_for("[role=alert]", "E-mail ou senha incorretos.").await;
        assert!(browser.path().await.starts_with("/sign-in"));
        desk.sign_in(&desk.password).await;
        // Where they wanted to go in the first place.
        browser.wait_at("/contacts?q=ana").await;
        browser.wait_for("h1", "Contatos").await;
        desk.open_menu().await;
        browser.press_in("nav", "Sair").await;
        browser.wait_at("/sign-in").await;
        browser.open("/contacts").await;
        browser.wait_at("/sign-in").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_ended_elsewhere_leads_to_the_door() {
    let Some(desk) = Desk::signed_in(Screen::Desktop).await else {
        return;
    };
    let browser = &desk.browser;
    browser.open("/settings").await;
    // A new password ends what the old one opened.
    let reset = ["operator", "reset-password", "--email", super::desk::EMAIL];
    desk.installation.bot_json(&reset);
    browser.click("[role=switch]").await;
    browser.press_in("#confirm", "Confirmar").await;
    browser.wait_at("/sign-in").await;
}
