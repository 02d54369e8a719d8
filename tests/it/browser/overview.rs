//! The numbers of the first page, which follow what happens.

use super::desk::Desk;
use super::driver::Screen;
use super::on_both_screens;

/// The number of a tile.
async fn number(desk: &Desk, label: &str) -> u64 {
    let script = "return pick('', '.tile', tile => flat(tile.querySelector('.label')?.textContent) === arguments[0])?.querySelector('.value').textContent";
    let value = desk.browser.run(script, vec![label.into()]).await;
    value.as_str().and_then(|value| value.trim().parse().ok()).unwrap_or_default()
}

on_both_screens! {
    async fn the_numbers_of_the_overview_follow_what_happens(desk: Desk) {
        let browser = &desk.browser;
        browser.open("/").await;
        browser.wait_for("h1", "Visão geral").await;
        browser.wait_for("#no-messages", "Nenhuma mensagem ainda").await;
        browser.remember_this_page().await;
        assert_eq!(number(&desk, "Esperando uma pessoa").await, 0);
        let customer = desk.customer("Ana Beatriz Lopes").await;
        desk.ask(&customer, "Quais convênios vocês aceitam?").await;
        browser.until("one received and one sent", async || {
            number(&desk, "Recebidas").await == 1 && number(&desk, "Enviadas").await == 1
        })
        .await;
        desk.ask(&customer, "esse bot é uma porra, não funciona NADA").await;
        browser.until("a fixed answer", async || number(&desk, "Respostas fixas").await == 1).await;
        let waiting = desk.customer("Fernanda Rocha").await;
        desk.ask(&waiting, "Quero marcar uma consulta com a Dra. Helena").await;
        browser.until("somebody waits", async || {
            number(&desk, "Esperando uma pessoa").await == 1 && number(&desk, "Recebidas").await == 3
        })
        .await;
        assert!(browser.is_same_page().await, "the numbers came by loading the page anew");
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}
