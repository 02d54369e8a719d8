//! The switches of memory: who turned them and when, and what follows.

use super::desk::{Desk, EMAIL};
use super::driver::Screen;
use super::on_both_screens;
use crate::support::until;

fn known(desk: &Desk, customer: &str) -> usize {
    let whom = ["memory", "list", "--account", "1", "--phone", customer];
    desk.installation.bot_json(&whom)["memories"].as_array().map_or(0, Vec::len)
}

on_both_screens! {
    async fn learning_is_turned_off_and_on_again(desk: Desk) {
        let browser = &desk.browser;
        let switch = "[aria-labelledby=extraction-titulo]";
        browser.open("/settings").await;
        browser.wait_for(&format!("{switch}[aria-checked=true]"), "").await;
        browser.click(switch).await;
        browser.wait_for(&format!("{switch}[aria-checked=false]"), "").await;
        browser.wait_for(&format!(".box:has({switch})"), EMAIL).await;
        browser.wait_for(&format!(".box:has({switch})"), "Desligado").await;
        let unlearnt = desk.customer("Ana Beatriz Lopes").await;
        desk.ask(&unlearnt, "Sou vegetariana.").await;
        desk.resolve(&unlearnt).await;
        browser.reload().await;
        browser.wait_for(&format!("{switch}[aria-checked=false]"), "").await;
        browser.click(switch).await;
        browser.wait_for(&format!(".box:has({switch})"), "Ligado").await;
        let learnt = desk.customer("Carlos Menezes").await;
        desk.ask(&learnt, "Sou alérgico a dipirona.").await;
        desk.resolve(&learnt).await;
        until(15, "what is said with the switch on is learnt", || async {
            known(&desk, &learnt) == 1
        })
        .await;
        assert_eq!(known(&desk, &unlearnt), 0);
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}
