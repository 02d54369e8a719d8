//! Contacts: finding them, changing what the register says, and their rights.

use lembra_agent::domain::access::Role;
use lembra_agent::store::accounts;
use reqwest::Method;
use serde_json::json;

use crate::memory::acquainted;
use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;
use crate::support::operator::{Answer, Operator};

/// The ids of a list of contacts.
fn ids(answer: &Answer) -> Vec<i64> {
    let body = answer.json();
    let rows = body["contacts"].as_array().unwrap_or_else(|| panic!("{body}")).clone();
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// The contact who wrote last.
async fn last_writer(app: &TestApp) -> i64 {
    app.messages().await.last().expect("a message").contact_id
}

on_both_databases! {
    async fn a_contact_is_found_by_any_spelling_of_the_number_and_by_parts_of_the_name(app: TestApp) {
        app.say(ANA, "oi").await;
        let ana = last_writer(&app).await;
        app.say(BIA, "oi").await;
        let bia = last_writer(&app).await;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        let api = format!("/api/v1/accounts/{}/contacts", operator.account_id);
        for (id, name) in [(ana, "Ana Conceição"), (bia, "Beatriz de Souza")] {
            let answer = operator.post(&format!("/contacts/{id}/name"), &[("name", name)]).await;
            assert_eq!((answer.status, answer.location), (204, Some(format!("/contacts/{id}"))));
        }
        for (typed, expected) in [
            ("85 98765-0002", vec![bia]),
            ("(85) 8765-0002", vec![bia]),
            ("%2B55 85 9 8765 0002", vec![bia]),
            ("8765-0002", vec![bia]),
            ("0001", vec![ana]),
            ("11987650001", vec![ana]),
            ("9876", vec![bia, ana]),
            ("conceicao", vec![ana]),
            ("SOUZA bea", vec![bia]),
            ("souza ana", vec![]),
            ("99999", vec![]),
        ] {
            let mut found = ids(&operator.get(&format!("{api}?q={typed}")).await);
            found.sort_unstable_by_key(|id| (*id != bia, *id));
            assert_eq!(found, expected, "{typed}");
        }
        let page = operator.get("/contacts?q=conceicao").await;
        assert_eq!(page.status, 200);
        assert!(page.body.contains("Ana Conceição") && page.body.contains("(11) 98765-0001"));
        assert!(!page.body.contains("Beatriz"));
        let nobody = operator.get("/contacts?q=zebedeu").await;
        assert!(nobody.body.contains("Nenhum contato com “zebedeu”"), "{}", nobody.body);
    }

    async fn lists_go_on_where_they_ended(app: TestApp) {
        let mut all = Vec::new();
        for number in 0..5 {
            app.say(&format!("551198765100{number}"), "oi").await;
            all.push(last_writer(&app).await);
        }
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let api = format!("/api/v1/accounts/{}/contacts", operator.account_id);
        for query in ["", "&q=98765100"] {
            let (mut seen, mut next) = (Vec::new(), String::new());
            for _ in 0..4 {
                let answer = operator.get(&format!("{api}?limit=2{query}{next}")).await;
                seen.extend(ids(&answer));
                match answer.json()["next"].as_i64() {
                    Some(before) => next = format!("&before={before}"),
                    None => break,
                }
            }
            let mut expected = all.clone();
            expected.sort_unstable_by(|one, other| other.cmp(one));
            assert_eq!(seen, expected, "{query}");
        }
    }

    async fn the_assistant_reads_what_an_operator_wrote_into_the_register(app: TestApp) {
        let origin = acquainted(&app).await;
        let contact = origin.contact_id;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let path = format!("/contacts/{contact}/attributes");
        let pair = [("key", "convenio"), ("value", "Unimed Ouro")];
        assert_eq!(viewer.post(&path, &pair).await.status, 403);
        let page = viewer.get(&format!("/contacts/{contact}")).await;
        assert!(page.status == 200 && !page.body.contains(&path), "{}", page.body);
        assert_eq!(agent.post(&path, &pair).await.status, 204);
        let long = "a".repeat(501);
        let refused = agent.post(&path, &[("key", "cpf"), ("value", &long)]).await;
        assert_eq!(refused.status, 400);
        assert_eq!(refused.notice.as_deref(), Some("O valor tem no máximo 500 caracteres."));
        let page = agent.get(&format!("/contacts/{contact}")).await;
        assert!(page.body.contains("convenio") && page.body.contains("Unimed Ouro"));
        app.say(ANA, "aceitam meu convênio?").await;
        app.settle().await;
        let asked = app.model.requests().last().unwrap()["messages"][0]["content"].to_string();
        assert!(asked.contains("convenio: Unimed Ouro"), "{asked}");
        let removed = agent.post(&format!("{path}/remove"), &[("key", "convenio")]).await;
        assert_eq!(removed.status, 204);
        let api = format!("/api/v1/accounts/{}/contacts/{contact}", agent.account_id);
        assert_eq!(agent.get(&api).await.json()["custom_attributes"], json!({}));
    }

    async fn marketing_is_noted_and_can_be_taken_back(app: TestApp) {
        let origin = acquainted(&app).await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let (page, path) = (format!("/contacts/{}", origin.contact_id), format!("/contacts/{}/marketing", origin.contact_id));
        assert_eq!(agent.post(&path, &[("opt_out", "true")]).await.status, 204);
        assert!(agent.get(&page).await.body.contains("Não quer receber mensagens de marketing desde"));
        assert_eq!(agent.post(&path, &[("opt_out", "false")]).await.status, 204);
        assert!(agent.get(&page).await.body.contains("Aceita mensagens de marketing"));
        assert_eq!(agent.post(&path, &[("opt_out", "talvez")]).await.status, 400);
    }

    async fn a_copy_and_an_end_are_for_those_who_may_and_the_end_asks_for_its_word(app: TestApp) {
        let origin = acquainted(&app).await;
        let contact = origin.contact_id;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let (export, erase) = (format!("/contacts/{contact}/export"), format!("/contacts/{contact}/erase"));
        assert_eq!(agent.get(&export).await.status, 403);
        assert_eq!(agent.post(&erase, &[("confirm", "APAGAR")]).await.status, 403);
        let copy = admin.get(&export).await.json();
        assert_eq!(copy["identities"][0]["value"], ANA);
        assert_eq!(copy["messages"][0]["text"], "oi, tudo bem?");
        for typed in [vec![], vec![("confirm", "sim")]] {
            let answer = admin.post(&erase, &typed).await;
            assert_eq!(answer.status, 400);
            assert_eq!(answer.notice.as_deref(), Some("Para confirmar, escreva APAGAR."));
        }
        assert_eq!(app.messages().await.len(), 2);
        let erased = admin.post(&erase, &[("confirm", "apagar")]).await;
        assert_eq!((erased.status, erased.location.as_deref()), (204, Some("/contacts")));
        assert_eq!(app.messages().await.len(), 0);
        assert_eq!(admin.get(&format!("/contacts/{contact}")).await.status, 404);
    }

    async fn the_tab_of_conversations_leads_to_each(app: TestApp) {
        let origin = acquainted(&app).await;
        app.resolve().await;
        app.say(ANA, "voltei").await;
        app.settle().await;
        let second = app.open_conversation().await.id;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let page = viewer.get(&format!("/contacts/{}/conversations", origin.contact_id)).await;
        for id in [origin.conversation_id, second] {
            assert!(page.body.contains(&format!("href=\"/conversations/{id}\"")), "{}", page.body);
        }
        assert!(page.body.contains("aberta") && page.body.contains("encerrada"));
        let api = format!("/api/v1/accounts/{}/contacts/{}/conversations?limit=1", viewer.account_id, origin.contact_id);
        let first = viewer.get(&api).await.json();
        let next = first["next"].as_i64().unwrap();
        assert_eq!(viewer.get(&format!("{api}&before={next}")).await.json()["conversations"].as_array().unwrap().len(), 1);
    }

    async fn another_accounts_contact_is_not_there(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let contact = origin.contact_id;
        let id = crate::memory::plant(&app, origin, lembra_agent::domain::memory::MemoryKind::Preferencia, "Gosta de chá", app.now()).await;
        let other = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let stranger = Operator::of(&app, other, Role::Admin, false).await;
        let list = stranger.get("/contacts").await;
        assert!(list.status == 200 && list.body.contains("Nenhum contato ainda."));
        let one = format!("/contacts/{contact}");
        for path in ["", "/memories", "/conversations", "/export", &format!("/memories/{id}"), &format!("/memories/{id}/edit")] {
            assert_eq!(stranger.get(&format!("{one}{path}")).await.status, 404, "{path}");
        }
        for (path, form) in [
            ("/name", vec![("name", "X")]),
            ("/attributes", vec![("key", "a"), ("value", "b")]),
            ("/attributes/remove", vec![("key", "a")]),
            ("/marketing", vec![("opt_out", "true")]),
            ("/memories/forget-all", vec![("confirm", "ESQUECER")]),
            ("/erase", vec![("confirm", "APAGAR")]),
            (&format!("/memories/{id}"), vec![("content", "x")]),
            (&format!("/memories/{id}/forget"), vec![]),
            (&format!("/memories/{id}/restore"), vec![]),
        ] {
            assert_eq!(stranger.post(&format!("{one}{path}"), &form).await.status, 404, "{path}");
        }
        for account in [other, origin.account_id] {
            let api = format!("/api/v1/accounts/{account}/contacts/{contact}");
            for (method, path) in [
                (Method::GET, ""), (Method::DELETE, ""), (Method::GET, "/export"),
                (Method::GET, "/conversations"), (Method::GET, "/memories"),
                (Method::DELETE, "/memories"), (Method::GET, &format!("/memories/{id}")),
                (Method::DELETE, &format!("/memories/{id}")),
            ] {
                let answer = stranger.send(method.clone(), &format!("{api}{path}"), &[]).await;
                assert_eq!(answer.status, 404, "{method} {account} {path}");
            }
        }
        assert_eq!(app.known().await, ["Gosta de chá"]);
    }
}
