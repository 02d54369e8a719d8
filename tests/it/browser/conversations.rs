//! Conversations as operators see them: live, and in their hands.

use super::desk::Desk;
use super::driver::Screen;
use super::{on_both_screens, word};

/// How many messages the open thread shows.
async fn bubbles(desk: &Desk) -> u64 {
    let script = "return document.querySelectorAll('#thread .bubble').length";
    desk.browser.run(script, Vec::new()).await.as_u64().unwrap_or_default()
}

on_both_screens! {
    async fn what_a_customer_writes_comes_into_the_open_thread_by_itself(desk: Desk) {
        let browser = &desk.browser;
        browser.open("/conversations").await;
        browser.wait_for(".empty", "Nenhuma conversa aberta").await;
        let customer = desk.customer("Ana Beatriz Lopes").await;
        desk.write(&customer, "Bom dia!").await;
        // The list fills by itself, too.
        browser.press_in(".desk-list", "Ana Beatriz Lopes").await;
        browser.wait_for("h1", "Ana Beatriz Lopes").await;
        browser.wait_for("#thread .theirs", "Bom dia!").await;
        browser.remember_this_page().await;
        desk.ask(&customer, "Quais convênios vocês aceitam?").await;
        browser.wait_for("#thread .theirs", "Quais convênios vocês aceitam?").await;
        browser.wait_for("#thread .ours.by-bot", "Unimed").await;
        browser.wait_for("#thread .ours .tick.read", "").await;
        desk.ask(&customer, "esse bot é uma porra, não funciona NADA").await;
        browser.wait_for("#thread .theirs .badge", &word("triage_verdict.frustrated")).await;
        browser.until("nothing twice", async || {
            bubbles(&desk).await == desk.messages(&customer).await.len() as u64
        })
        .await;
        assert!(browser.is_same_page().await);
        // How the answer came about.
        browser.press_in("#thread .bubble-turn", &word("turn_model.offline")).await;
        browser.wait_at("/conversations/").await;
        browser.wait_for("main", "offline").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }

    async fn a_person_takes_a_waiting_conversation_answers_and_gives_it_back(desk: Desk) {
        let browser = &desk.browser;
        let customer = desk.customer("Fernanda Rocha").await;
        browser.open("/handoffs").await;
        browser.wait_for(".empty", "Ninguém esperando").await;
        desk.ask(&customer, "Quero marcar uma consulta com a Dra. Helena").await;
        browser.wait_for("#waiting", "Esperando (1)").await;
        browser.wait_for(".queue", "Fernanda Rocha").await;
        browser.press_in(".queue", "Assumir").await;
        // Who takes a conversation is led to it.
        browser.wait_for("#thread-head", "Com você").await;
        let answer = "Bom dia, Fernanda! Aqui é a Clara, da recepção.";
        browser.fill("Responder como pessoa da equipe", answer).await;
        browser.press_in("#composer", "Enviar").await;
        browser.wait_for("#thread .ours.by-operator", answer).await;
        browser.wait_for("#thread .ours.by-operator .tick.read", "").await;
        // Between people the bot is silent.
        let before = desk.messages(&customer).await.len();
        assert_eq!(desk.messages(&customer).await[before - 1].1, answer);
        desk.write(&customer, "Obrigada! Pode ser semana que vem?").await;
        browser.wait_for("#thread .theirs", "Pode ser semana que vem?").await;
        browser.press_in("#thread-head", "Devolver ao bot").await;
        browser.wait_for("#thread-head", "Com o bot").await;
        desk.ask(&customer, "Qual é o endereço da clínica?").await;
        browser.wait_for("#thread .ours.by-bot", "Rua das Acácias").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
        // The customer has read it all on the phone.
        browser.open("/simulator").await;
        desk.choose_in_the_simulator("Fernanda Rocha").await;
        browser.wait_for("#messages", answer).await;
        browser.wait_for("#messages", "Rua das Acácias").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_lost_its_server_goes_on_where_it_was() {
    let Some(mut desk) = Desk::signed_in(Screen::Desktop).await else {
        return;
    };
    let customer = desk.customer("Ana Beatriz Lopes").await;
    desk.ask(&customer, "Bom dia!").await;
    desk.browser.open(&desk.conversation(&customer).await).await;
    desk.browser.remember_this_page().await;
    desk.installation.kill();
    desk.installation.up().await;
    desk.ask(&customer, "Qual é o endereço da clínica?").await;
    desk.browser.wait_for("#thread .ours.by-bot", "Rua das Acácias").await;
    assert!(desk.browser.is_same_page().await);
    assert_eq!(bubbles(&desk).await, desk.messages(&customer).await.len() as u64);
}
