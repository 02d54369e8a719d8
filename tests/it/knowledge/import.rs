//! Files of entries: read, brought up to date, never doubled.

use lembra_agent::domain::knowledge::Refusal;
use lembra_agent::domain::knowledge::file::Refused;
use lembra_agent::services::knowledge::edit::{Changes, Filter};
use lembra_agent::services::knowledge::import::{File, ImportError, Report};
use lembra_agent::services::memory::metering::Payer;
use lembra_agent::store::accounts;
use lembra_agent::store::knowledge::Status;

use super::{entries, told};
use crate::support::app::TestApp;
use crate::support::fake_model::Asked;
use crate::support::on_both_databases;

async fn import(app: &TestApp, name: &str, text: &str) -> Report {
    let account = app.account().await;
    let file = File { name, bytes: text.as_bytes(), format: None };
    let report = app.runtime.knowledge.import(account, file).await.expect("is imported");
    app.settle().await;
    report
}

const TABLE: &str = "\u{feff}Pergunta;Resposta;Categoria\r\n\
    Aceitam cartão?;\"Sim:\r\n- débito\r\n- crédito\";Pagamento\r\n\
    ;Sem pergunta;\r\n\
    Tem wifi?;Sim;Estrutura\r\n\
    aceitam CARTAO;Não;\r\n";

on_both_databases! {
    async fn a_file_is_imported_once_and_then_brought_up_to_date(app: TestApp) {
        let report = import(&app, "faq.csv", TABLE).await;
        assert_eq!((report.added, report.updated, report.unchanged), (2, 0, 0));
        assert_eq!(report.refused, [
            Refused { line: 5, why: Refusal::NoQuestion },
            Refused { line: 7, why: Refusal::Repeated { line: 2 } },
        ]);
        let rows = entries(&app).await;
        assert_eq!(rows[0].answer, "Sim:\n- débito\n- crédito");
        assert_eq!((rows[0].source.as_str(), rows[0].status.as_str()), ("file:faq.csv", "enabled"));
        assert!(rows.iter().all(|row| row.embedding_model.is_some()));
        let embedded = app.model.requests_for(Asked::Embedding).len();
        let again = import(&app, "faq.csv", TABLE).await;
        assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2));
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded);
        let changed = TABLE.replace("Tem wifi?;Sim;Estrutura", "TEM WIFI;Sim, grátis;Estrutura");
        let report = import(&app, "faq.csv", &changed).await;
        assert_eq!((report.added, report.updated, report.unchanged), (0, 1, 1));
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded + 1);
        let now = entries(&app).await;
        assert_eq!((now.len(), now[1].id), (2, rows[1].id));
        assert_eq!((now[1].question.as_str(), now[1].answer.as_str()), ("TEM WIFI", "Sim, grátis"));
        // Only of another category: nothing to embed.
        let moved = changed.replace("Estrutura", "Quartos");
        assert_eq!(import(&app, "faq.csv", &moved).await.updated, 1);
        assert_eq!(app.model.requests_for(Asked::Embedding).len(), embedded + 1);
        assert_eq!(entries(&app).await[1].category.as_deref(), Some("Quartos"));
    }

    async fn an_entry_that_was_disabled_stays_so(app: TestApp) {
        import(&app, "faq.csv", "question,answer\nTem wifi?,Sim\n").await;
        let account = app.account().await;
        let id = entries(&app).await[0].id;
        let off = Changes { status: Some(Status::Disabled), ..Changes::default() };
        app.runtime.knowledge.edit(account, id, off, "test").await.unwrap();
        assert_eq!(import(&app, "faq.csv", "question,answer\nTem wifi?,Sim e rápido\n").await.updated, 1);
        let row = entries(&app).await.remove(0);
        assert_eq!((row.status.as_str(), row.answer.as_str()), ("disabled", "Sim e rápido"));
        assert!(told(&app, "tem wifi?").await.is_empty());
    }

    async fn a_document_is_read_by_its_headings_and_its_outgrown_parts_go(app: TestApp) {
        let paragraph = format!("{}\n\n", "Não é permitido som alto. ".repeat(30).trim());
        let document = |paragraphs: usize| {
            format!("# Pousada\n## Regras\n### Pode som?\n{}", paragraph.repeat(paragraphs))
        };
        let report = import(&app, "regras.md", &document(9)).await;
        assert!(report.added >= 3 && report.refused.is_empty(), "{report:?}");
        let rows = entries(&app).await;
        assert_eq!(rows[1].question, "Pode som? (parte 2)");
        assert!(rows.iter().all(|row| row.category.as_deref() == Some("Regras")));
        let short = import(&app, "regras.md", &document(1)).await;
        assert_eq!((short.updated, short.removed), (1, rows.len() - 1));
        let left = entries(&app).await;
        assert_eq!(left.len(), 1);
        assert_eq!((left[0].id, left[0].question.as_str()), (rows[0].id, "Pode som?"));
    }

    async fn many_entries_are_written_listed_and_searched(app: TestApp) {
        let mut table = "pergunta,resposta,categoria\n".to_owned();
        for number in 0..1_203 {
            let category = if number % 2 == 0 { "Preços > Exames" } else { "Horários" };
            table.push_str(&format!("Quanto custa o exame {number}?,R$ {number} 100%,{category}\n"));
        }
        let account = app.account().await;
        let knowledge = &app.runtime.knowledge;
        let file = File { name: "precos.csv", bytes: table.as_bytes(), format: None };
        let report = knowledge.import(account, file).await.unwrap();
        assert_eq!((report.added, report.refused.len()), (1_203, 0));
        let jobs = app.jobs().await;
        assert_eq!(jobs.iter().filter(|job| job.kind == "update_knowledge_embedding").count(), 1_203);
        let all = Filter { status: None, category: None, search: None, before: None, limit: 50 };
        let page = knowledge.list(account, &all).await.unwrap();
        let next = knowledge.list(account, &Filter { before: page.last().map(|row| row.id), ..all }).await;
        assert_eq!(page.len(), 50);
        assert!(next.unwrap()[0].id < page[49].id);
        for (category, search, expected) in [
            (Some("preços"), None, 200),
            (Some("PRECOS > EXAMES"), None, 200),
            (Some("exames"), None, 0),
            (None, Some("EXAME 77?"), 1),
            (None, Some("100%"), 200),
            (None, Some("1_0"), 0),
            (None, Some("quanto custá o exame 12"), 14),
            (Some("horarios"), Some("exame 12"), 6),
        ] {
            let filter = Filter { category, search, limit: 200, ..all };
            let found = knowledge.list(account, &filter).await.unwrap();
            assert_eq!(found.len(), expected, "{category:?} {search:?}");
        }
        let payer = Payer { account_id: account, conversation_id: None };
        let found = knowledge.search(payer, "qual o valor do exame 777?", 3).await.unwrap();
        assert_eq!(found[0].question, "Quanto custa o exame 777?");
    }

    async fn what_cannot_be_imported_changes_nothing(app: TestApp) {
        let account = app.account().await;
        let knowledge = &app.runtime.knowledge;
        for (bytes, part) in [
            (&b""[..], "empty"),
            (b"isto,aquilo\n1,2\n", "columns"),
        ] {
            let file = File { name: "faq.csv", bytes, format: None };
            let error = knowledge.import(account, file).await.unwrap_err();
            assert!(matches!(error, ImportError::Unreadable(_)), "{error}");
            assert!(error.to_string().contains(part), "{error}");
        }
        let file = File { name: "faq.csv", bytes: TABLE.as_bytes(), format: None };
        let error = knowledge.import(999_999, file).await.unwrap_err();
        assert!(matches!(error, ImportError::NoAccount));
        assert!(entries(&app).await.is_empty());
        // Another account's same questions are its own.
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        import(&app, "faq.csv", TABLE).await;
        assert_eq!(knowledge.import(stranger, file).await.unwrap().added, 2);
        assert_eq!(entries(&app).await.len(), 4);
    }
}
