//! Conversations: the list, the thread, a turn taken apart, and what operators do there.

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::jobs::kinds::Retention;
use lembra_agent::store::accounts;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA, BIA};
use crate::support::fake_meta::Refusal;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// Where the API has the account's conversations.
fn api(operator: &Operator) -> String {
    format!("/api/v1/accounts/{}/conversations", operator.account_id)
}

async fn json_of(operator: &Operator, path: &str) -> Value {
    let answer = operator.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

/// The ids of a list.
fn ids(list: &Value, part: &str) -> Vec<i64> {
    let rows = list[part].as_array().unwrap_or_else(|| panic!("{list}"));
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// A customer writes and is answered; the conversation's id.
async fn answered(app: &TestApp, from: &str, text: &str, answer: &str) -> i64 {
    app.model.answer_next(Answer::Text(answer.into()));
    app.say(from, text).await;
    app.settle().await;
    app.messages().await.last().unwrap().conversation_id
}

/// The outbound messages, oldest first.
async fn outbound(app: &TestApp) -> Vec<lembra_entities::message::Model> {
    app.messages().await.into_iter().filter(|row| row.direction == "out").collect()
}

on_both_databases! {
    async fn the_list_shows_who_wrote_last_first_and_goes_on_where_it_ended(app: TestApp) {
        let ana = answered(&app, ANA, "tem vaga?", "Tem sim!\nQuer reservar?").await;
        app.clock.advance(TimeDelta::minutes(1));
        let bia = answered(&app, BIA, "oi", "Olá!").await;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let list = json_of(&operator, &api(&operator)).await;
        assert_eq!(ids(&list, "conversations"), [bia, ana]);
        let row = &list["conversations"][1];
        assert_eq!(row["phone_text"], "(11) 98765-0001");
        assert_eq!(row["last_message"]["text"], "Tem sim!");
        assert_eq!(row["last_message"]["delivery"], "sent");
        assert_eq!((&row["is_unanswered"], &row["handler"]), (&json!(false), &json!("bot")));
        let first = json_of(&operator, &format!("{}?limit=1", api(&operator))).await;
        assert_eq!(ids(&first, "conversations"), [bia]);
        let next = first["next"].as_str().unwrap();
        let path = format!("{}?limit=1&before={next}", api(&operator));
        let second = json_of(&operator, &path).await;
        assert_eq!((ids(&second, "conversations"), &second["next"]), (vec![ana], &Value::Null));
        // Who writes again comes first.
        app.clock.advance(TimeDelta::minutes(1));
        answered(&app, ANA, "e café?", "Também.").await;
        let list = json_of(&operator, &api(&operator)).await;
        assert_eq!(ids(&list, "conversations"), [ana, bia]);
        let page = operator.get("/conversations").await;
        assert!(page.body.contains("Também.") && page.body.contains("tick sent"), "{}", page.body);
        assert!(page.body.contains(&format!("href=\"/conversations/{ana}\"")), "{}", page.body);
    }

    async fn filters_find_what_waits_what_failed_and_what_triage_stopped(app: TestApp) {
        let plain = answered(&app, ANA, "tem vaga?", "Tem.").await;
        app.model.answer_next(Answer::call("transferir_atendimento", json!({ "motivo": "reclamação" })));
        let waits = answered(&app, BIA, "quero reclamar do quarto", "Vou chamar alguém.").await;
        let angry = "5511970000003";
        app.say(angry, "esse bot é uma porra, não funciona NADA").await;
        app.settle().await;
        let angry = app.messages().await.last().unwrap().conversation_id;
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        let failed = answered(&app, "5511970000004", "oi", "Olá!").await;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        for (query, expected) in [
            ("waiting=true", vec![waits]),
            ("handler=human&state=open", vec![waits]),
            ("undelivered=true", vec![failed]),
            ("verdict=frustrated", vec![angry]),
            ("state=resolved", vec![]),
            ("inbox=999", vec![]),
        ] {
            let list = json_of(&operator, &format!("{}?{query}", api(&operator))).await;
            assert_eq!(ids(&list, "conversations"), expected, "{query}: {list}");
        }
        let bot = json_of(&operator, &format!("{}?handler=bot", api(&operator))).await;
        assert_eq!(ids(&bot, "conversations").len(), 3);
        let resolve = format!("/conversations/{plain}/resolve");
        assert_eq!(operator.post(&resolve, &[]).await.status, 204);
        assert_eq!(operator.post(&resolve, &[]).await.status, 409);
        let over = json_of(&operator, &format!("{}?state=resolved", api(&operator))).await;
        assert_eq!(ids(&over, "conversations"), [plain]);
        let page = operator.get("/conversations?view=waiting").await;
        assert!(page.body.contains("O bot pediu ajuda"), "{}", page.body);
        assert_eq!(operator.get(&format!("{}?state=closed", api(&operator))).await.status, 422);
    }

    async fn a_search_finds_numbers_and_words_and_shows_them_in_their_place(app: TestApp) {
        let ana = answered(&app, ANA, "Vocês têm suíte com hidromassagem?", "Temos duas.").await;
        let bia = answered(&app, BIA, "oi", "Olá!").await;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let find = async |typed: &str| {
            let typed: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
            json_of(&operator, &format!("{}?search={typed}", api(&operator))).await
        };
        for number in ["(85) 98765-0002", "85 8765 0002", "+55 85 9 8765-0002", "8765-0002"] {
            assert_eq!(ids(&find(number).await, "contacts"), [bia], "{number}");
        }
        let found = find("SUITE hidro").await;
        assert_eq!((ids(&found, "conversations"), ids(&found, "contacts")), (vec![ana], vec![]));
        let hit = &found["conversations"][0]["found"];
        assert!(hit["excerpt"].as_str().unwrap().contains("suíte com hidromassagem"), "{hit}");
        let page = operator.get(&format!("/conversations/{ana}?message={}", hit["id"])).await;
        assert!(page.body.contains(&format!("data-target=\"m-{}\"", hit["id"])), "{}", page.body);
        let nothing = find("piscina").await;
        assert_eq!((ids(&nothing, "conversations").len(), &nothing["next"]), (0, &Value::Null));
        let box_ = operator.live("/conversations?search=hidromassagem").await;
        assert!(box_.body.contains("id=\"list\"") && !box_.body.contains("<html"), "{}", box_.body);
    }

    async fn a_thread_shows_changes_reactions_answers_and_what_became_of_each_message(app: TestApp) {
        let first = app.say(ANA, "quero 2 diárias").await;
        let change = json!({ "original_message_id": first, "message": { "type": "text", "text": { "body": "quero 3 diárias" } } });
        app.send_kind(ANA, "edit", change).await;
        app.settle().await;
        let gone = app.say(ANA, "meu cartão é 1234").await;
        app.send_kind(ANA, "revoke", json!({ "original_message_id": gone })).await;
        app.settle().await;
        let ours = app.meta.sends()[0].clone();
        app.send_kind(ANA, "reaction", json!({ "message_id": ours.id, "emoji": "❤️" })).await;
        for status in ["delivered", "read"] {
            let report = json!({ "id": ours.id, "status": status, "recipient_id": ANA, "timestamp": app.now().timestamp().to_string() });
            app.deliver(vec![bodies::statuses(&[report])]).await;
        }
        let id = app.open_conversation().await.id;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let thread = json_of(&operator, &format!("{}/{id}/messages", api(&operator))).await;
        let messages = thread["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 3, "changes are no messages: {thread}");
        assert_eq!(messages[0]["text"], "quero 3 diárias");
        assert!(messages[0]["edited_at"].is_string());
        assert_eq!((&messages[0]["outcome"], &messages[0]["verdict"]), (&json!("answered"), &json!("proceed")));
        assert_eq!((&messages[1]["delivery"], &messages[1]["reactions"][0]["emoji"]), (&json!("read"), &json!("❤️")));
        assert!(messages[1]["read_at"].is_string());
        assert!(messages[2]["revoked_at"].is_string());
        assert_eq!(thread["turns"][0]["id"], messages[1]["turn_id"]);
        let page = operator.get(&format!("/conversations/{id}")).await;
        for shown in ["editada", "O cliente apagou esta mensagem.", "❤️", "tick read", "apagada antes da resposta"] {
            assert!(page.body.contains(shown), "{shown}: {}", page.body);
        }
        assert!(!page.body.contains("id=\"composer\""), "who only reads has no composer");
    }

    async fn long_threads_are_read_in_pages_and_kept_up_with(app: TestApp) {
        for number in 0..60 {
            app.say(ANA, &format!("mensagem {number}")).await;
        }
        app.settle().await;
        let id = app.open_conversation().await.id;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        let path = format!("{}/{id}/messages", api(&operator));
        let newest = json_of(&operator, &path).await;
        assert_eq!(newest["messages"].as_array().unwrap().len(), 50);
        let older = json_of(&operator, &format!("{path}?before={}", newest["older"])).await;
        let texts = |page: &Value| -> Vec<String> {
            let rows = page["messages"].as_array().unwrap();
            rows.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(texts(&older)[0], "mensagem 0");
        let last_older = older["messages"].as_array().unwrap().last().unwrap()["id"].as_i64().unwrap();
        assert!(last_older < newest["messages"][0]["id"].as_i64().unwrap());
        assert_eq!(older["older"], Value::Null);
        let newer = json_of(&operator, &format!("{path}?after={last_older}")).await;
        assert_eq!(texts(&newer), texts(&newest));
        // The page asks anew from where it began, however much is said meanwhile.
        let first = newest["messages"][0]["id"].as_i64().unwrap();
        app.say(ANA, "e mais esta").await;
        let live = operator.live(&format!("/conversations/{id}/live?first={first}")).await;
        assert!(live.body.contains(&format!("id=\"m-{first}\"")) && live.body.contains("e mais esta"));
        assert!(live.body.contains("id=\"thread-head\" class=\"thread-head\" hx-swap-oob=\"morph\""), "{}", live.body);
        assert!(!live.body.contains("mensagem 0<"));
        let above = operator.live(&format!("/conversations/{id}/older?before={first}")).await;
        assert!(above.body.contains("mensagem 0<") && !above.body.contains("e mais esta"));
    }

    async fn a_customers_file_is_shown_or_saved_and_nothing_in_it_runs(app: TestApp) {
        app.meta.keep_file("foto", "image/jpeg", b"JPEG-0123456789");
        app.send_kind(ANA, "image", json!({ "id": "foto", "mime_type": "image/jpeg", "sha256": "x", "caption": "o quarto" })).await;
        app.meta.keep_file("nota", "text/html", b"<script>alert(1)</script>");
        app.send_kind(ANA, "document", json!({ "id": "nota", "mime_type": "text/html", "sha256": "x", "filename": "../nota.html" })).await;
        app.settle().await;
        let inbound: Vec<_> = app.messages().await.into_iter().filter(|row| row.direction == "in").collect();
        let id = inbound[0].conversation_id;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let file = |message: i64| format!("/conversations/{id}/messages/{message}/file");
        let picture = operator.request(Method::GET, &file(inbound[0].id)).header("range", "bytes=5-8").send().await.unwrap();
        assert_eq!(picture.status(), 206);
        assert_eq!(picture.headers()["content-type"], "image/jpeg");
        assert_eq!(picture.headers()["content-range"], "bytes 5-8/15");
        assert_eq!(picture.bytes().await.unwrap().as_ref(), b"0123");
        let page = operator.request(Method::GET, &file(inbound[1].id)).send().await.unwrap();
        assert_eq!(page.headers()["content-type"], "application/octet-stream");
        assert_eq!(page.headers()["x-content-type-options"], "nosniff");
        let disposition = page.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(disposition.starts_with("attachment;") && !disposition.contains('/'), "{disposition}");
        let thread = operator.get(&format!("/conversations/{id}")).await;
        assert!(thread.body.contains(&format!("<img src=\"{}\"", file(inbound[0].id))), "{}", thread.body);
        assert_eq!(operator.get(&file(inbound[1].id + 99)).await.status, 404);
        let by_api = operator.get(&format!("{}/{id}/messages/{}/file", api(&operator), inbound[0].id)).await;
        assert_eq!(by_api.body, "JPEG-0123456789");
    }

    async fn a_turn_is_taken_apart_for_thirty_days(app: TestApp) {
        let app = app.with_memory().await;
        app.model.answer_next(Answer::Calls("Um instante.", vec![("list_my_memories", json!({}))]));
        app.model.answer_next(Answer::Text("A diária custa R$ 987,00.".into()));
        app.model.answer_next(Answer::Text("Vou verificar o valor para você.".into()));
        app.say(ANA, "quanto custa?").await;
        app.settle().await;
        let turn = app.turns().await.remove(0);
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let path = format!("{}/{}/turns/{}", api(&operator), turn.conversation_id, turn.id);
        let record = json_of(&operator, &path).await;
        assert!(record["layers"]["system"].as_str().unwrap().contains("Regras:"), "{record}");
        assert_eq!(record["layers"]["asked"][0]["text"], "quanto custa?");
        assert_eq!(record["rounds"][0]["calls"][0]["tool"], "list_my_memories");
        assert!(record["rounds"][1]["objections"].to_string().contains("987"), "{record}");
        assert_eq!(record["rounds"][2]["is_rewriting"], true);
        let happened: Vec<&str> = record["timeline"].as_array().unwrap().iter().map(|moment| moment["what"].as_str().unwrap()).collect();
        assert_eq!(happened[..2], ["received", "judged"]);
        let place = |what: &str| happened.iter().position(|moment| *moment == what).unwrap_or_else(|| panic!("{what}: {happened:?}"));
        assert!(place("started") < place("called") && place("called") < place("finished") && place("finished") < place("sent"));
        let shown = operator.get(&format!("/conversations/{}/turns/{}", turn.conversation_id, turn.id)).await;
        for text in ["R$ 987,00", "Não foi enviado", "list_my_memories", "quanto custa?"] {
            assert!(shown.body.contains(text), "{text}: {}", shown.body);
        }
        // Of another conversation it is not.
        assert_eq!(operator.get(&format!("/conversations/999/turns/{}", turn.id)).await.status, 404);
        app.clock.advance(TimeDelta::days(31));
        app.run_now(&Retention {}).await;
        // Nobody stays signed in for so long.
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let record = json_of(&operator, &path).await;
        assert_eq!((&record["is_gone"], &record["layers"]), (&json!(true), &Value::Null));
        let shown = operator.get(&format!("/conversations/{}/turns/{}", turn.conversation_id, turn.id)).await;
        assert!(shown.body.contains("fica guardado por 30 dias"), "{}", shown.body);
    }

    async fn an_operator_answers_from_the_page_until_the_window_closes(app: TestApp) {
        let id = answered(&app, ANA, "tem vaga?", "Tem.").await;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        let say = format!("/conversations/{id}/messages");
        assert_eq!(operator.post(&say, &[("text", "  ")]).await.status, 422);
        assert_eq!(operator.post(&say, &[("text", "Oi Ana, aqui é a Rita.")]).await.status, 204);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).last().unwrap(), "Oi Ana, aqui é a Rita.");
        let said = outbound(&app).await.pop().unwrap();
        assert_eq!(said.said_by, Some(format!("operator:{}", operator.id)));
        let page = operator.get(&format!("/conversations/{id}")).await;
        assert!(page.body.contains(&operator.email) && page.body.contains("Com você"), "{}", page.body);
        // The bot is silent until it is given back.
        app.say(ANA, "obrigada").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 2);
        assert_eq!(operator.post(&format!("/conversations/{id}/return"), &[]).await.status, 204);
        let silent = operator.post(&format!("/conversations/{id}/pause"), &[("minutes", "30")]).await;
        assert_eq!((silent.status, silent.notice.as_deref()), (204, Some("Bot em pausa.")));
        app.say(ANA, "e o café?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 2);
        app.clock.advance(TimeDelta::hours(25));
        let late = operator.post(&say, &[("text", "Bom dia!")]).await;
        assert_eq!(late.status, 409);
        assert!(late.notice.unwrap().contains("24 horas"));
        let page = operator.get(&format!("/conversations/{id}")).await;
        assert!(page.body.contains("composer-state is-closed"), "{}", page.body);
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        assert_eq!(viewer.post(&say, &[("text", "oi")]).await.status, 403);
    }

    async fn what_failed_is_sent_again_once_with_what_waited_behind_it(app: TestApp) {
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        let id = answered(&app, ANA, "conta tudo", &"palavra ".repeat(700)).await;
        let parts = outbound(&app).await;
        assert!(parts.len() > 1);
        assert!(app.alerts().await.iter().any(|(kind, _)| kind == "delivery_failed"));
        let operator = Operator::sign_in(&app, Role::Agent).await;
        let page = operator.get(&format!("/conversations/{id}")).await;
        assert!(page.body.contains("O WhatsApp não consegue entregar para este número."), "{}", page.body);
        let again = format!("/conversations/{id}/messages/{}/resend", parts[0].id);
        assert_eq!(operator.post(&again, &[]).await.status, 204);
        assert_eq!(operator.post(&again, &[]).await.status, 409);
        app.settle().await;
        let all = outbound(&app).await;
        assert_eq!(all.len(), parts.len() * 2);
        let texts = |rows: &[lembra_entities::message::Model]| -> Vec<String> { rows.iter().map(|row| row.text.clone()).collect() };
        assert_eq!(texts(&all[parts.len()..]), texts(&parts));
        assert!(all[parts.len()..].iter().all(|row| row.delivery.as_deref() == Some("sent")));
        assert!(!app.alerts().await.iter().any(|(kind, _)| kind == "delivery_failed"));
        // Nobody was silenced by it.
        assert_eq!(app.open_conversation().await.handler, "bot");
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        answered(&app, ANA, "e o café?", "Das 7h.").await;
        let failed = outbound(&app).await.pop().unwrap();
        let leave = format!("{}/{id}/messages/{}/leave", api(&operator), failed.id);
        let left = operator.post(&leave, &[]).await;
        assert_eq!(left.status, 204, "{}", left.body);
        let list = json_of(&operator, &format!("{}?undelivered=true", api(&operator))).await;
        assert_eq!(ids(&list, "conversations"), Vec::<i64>::new());
    }

    async fn another_accounts_conversations_do_not_exist(app: TestApp) {
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        let id = answered(&app, ANA, "meu segredo é jabuticaba", "Guardo.").await;
        let failed = outbound(&app).await.pop().unwrap();
        let turn = app.turns().await.pop().unwrap().id;
        let other = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let stranger = Operator::of(&app, other, Role::Admin, false).await;
        let one = format!("/conversations/{id}");
        for path in ["", "/live?first=1", "/older?before=99", &format!("/turns/{turn}"), &format!("/messages/{}/file", failed.id)] {
            let answer = stranger.get(&format!("{one}{path}")).await;
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.body.contains("jabuticaba"));
        }
        let acts = ["take", "return", "resolve"].map(|act| format!("{one}/{act}"));
        let messages = ["resend", "leave"].map(|act| format!("{one}/messages/{}/{act}", failed.id));
        for path in acts.iter().chain(&messages) {
            assert_eq!(stranger.post(path, &[]).await.status, 404, "{path}");
        }
        assert_eq!(stranger.post(&format!("{one}/messages"), &[("text", "oi")]).await.status, 404);
        assert_eq!(stranger.post(&format!("{one}/pause"), &[("minutes", "5")]).await.status, 404);
        let list = json_of(&stranger, &format!("{}?search=jabuticaba", api(&stranger))).await;
        assert_eq!((ids(&list, "conversations").len(), ids(&list, "contacts").len()), (0, 0));
        for rest in ["", "/messages", &format!("/turns/{turn}")] {
            assert_eq!(stranger.get(&format!("{}/{id}{rest}", api(&stranger))).await.status, 404, "{rest}");
        }
        assert_eq!(app.open_conversation().await.handler, "bot");
    }
}
