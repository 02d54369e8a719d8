//! What is known of a customer, as operators correct and forget it.

use super::desk::Desk;
use super::driver::Screen;
use super::on_both_screens;

const FACT: &str = "Alérgico a dipirona";
const WISH: &str = "Prefere horários de manhã";

/// The memory of a customer whose conversation is over. The page is open before it is learnt from,
/// so what is learnt comes by itself.
async fn remembered(desk: &Desk) {
    let customer = desk.customer("Carlos Menezes").await;
    desk.ask(&customer, "Sou alérgico a dipirona.").await;
    desk.ask(&customer, "Prefiro horários de manhã.").await;
    let browser = &desk.browser;
    browser.open("/contacts").await;
    browser.press_in("main", "Carlos Menezes").await;
    browser.press_in("main", "Memória").await;
    browser.wait_for(".empty", "Nada lembrado ainda.").await;
    browser.remember_this_page().await;
    desk.resolve(&customer).await;
    browser.wait_for(".memory-content", FACT).await;
    browser.wait_for(".memory-content", WISH).await;
    assert!(browser.is_same_page().await, "the facts came by loading the page anew");
}

on_both_screens! {
    async fn a_fact_is_edited_and_another_forgotten_and_brought_back(desk: Desk) {
        remembered(&desk).await;
        let browser = &desk.browser;
        browser.wait_for(".memory-evidence", "Sou alérgico a dipirona").await;
        browser.press(&format!("Editar “{FACT}”")).await;
        browser.fill("O que se lembra", "Alérgico a dipirona e a ibuprofeno").await;
        browser.press("Salvar").await;
        browser.wait_for(".memory-content", "Alérgico a dipirona e a ibuprofeno").await;
        browser.wait_gone("textarea", "").await;
        // Who thinks better of it when asked changes nothing.
        browser.press(&format!("Esquecer “{WISH}”")).await;
        browser.press_in("#confirm", "Cancelar").await;
        browser.wait_gone("#confirm", "").await;
        browser.reload().await;
        browser.press(&format!("Esquecer “{WISH}”")).await;
        browser.press_in("#confirm", "Confirmar").await;
        browser.wait_gone(".memory-content", WISH).await;
        browser.press_in("main", "Histórico").await;
        browser.wait_for(".memory-content", WISH).await;
        browser.press(&format!("Desfazer o esquecimento de “{WISH}”")).await;
        browser.press_in("main", "Ativas").await;
        browser.wait_for(".memory-content", WISH).await;
        browser.wait_for(".memory-content", "Alérgico a dipirona e a ibuprofeno").await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }

    async fn everything_is_forgotten_only_when_the_word_is_typed(desk: Desk) {
        remembered(&desk).await;
        let browser = &desk.browser;
        browser.press("Esquecer tudo deste contato").await;
        let word = browser.text("#confirm-word").await;
        assert!(!browser.offers("#confirm", "Confirmar").await, "before the word was typed");
        browser.fill_in("#confirm", "Para confirmar", &word[..word.len() - 1]).await;
        assert!(!browser.offers("#confirm", "Confirmar").await, "before the word was complete");
        browser.fill_in("#confirm", "Para confirmar", &word.to_lowercase()).await;
        browser.press_in("#confirm", "Confirmar").await;
        browser.wait_for(".empty", "Nada lembrado ainda.").await;
        browser.press_in("main", "Histórico").await;
        browser.wait_for(".memory-content", FACT).await;
        browser.wait_for(".memory-content", WISH).await;
        assert_eq!(browser.complaints().await, Vec::<String>::new());
    }
}
