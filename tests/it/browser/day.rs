//! A day at the demo's clinic: customers who ask, book, complain, wait for a person and are
//! remembered, all through the simulator, so that pages have something to show.

use super::desk::Desk;
use super::pages;
use crate::support::until;

/// What customers say, in order. The offline model answers, with the demo's agenda and knowledge.
const ASKS: [(&str, &[&str]); 6] = [
    (
        "Ana Beatriz Lopes",
        &[
            "Bom dia! Quais convênios vocês aceitam?",
            "Tenho convênio Unimed e prefiro horários de manhã.",
            "Tem vaga com a Dra. Joana?",
        ],
    ),
    (
        "Carlos Menezes",
        &[
            "Oi, quanto custa a consulta cardiológica?",
            "Sou alérgico a dipirona, viu?",
            "Meu aniversário é dia 14/02. Costumo chegar mais cedo",
        ],
    ),
    (
        "Juliana Prado",
        &[
            "O ar-condicionado da recepção não funciona.",
            "Mas adorei o atendimento da Dra. Marina!",
            "Minha filha se chama Alice e moro em Niterói.",
        ],
    ),
    ("Roberto Siqueira", &["Vocês abrem sábado?", "esse bot é uma porra, não funciona NADA"]),
    ("Sofia Andrade", &["Qual é o endereço da clínica?", "Obrigada!"]),
    ("Tiago Barros", &["Qual é o horário de atendimento?"]),
];

/// Whose conversation is over, and so has been learnt from.
const GONE: [&str; 3] = ["Ana Beatriz Lopes", "Carlos Menezes", "Juliana Prado"];
/// What they come back with: the bot knows them now.
const AGAIN: (&str, &str) = ("Carlos Menezes", "O que vocês sabem de mim?");

/// Who waits for a person: one because the agenda has no times, one who asked.
const WAITS: [(&str, &str); 2] = [
    ("Fernanda Rocha", "Quero marcar uma consulta com a Dra. Helena para minha filha"),
    ("Marcos Vinícius Teles", "Quero falar com um atendente, por favor"),
];

/// What is there at its end.
pub struct Day {
    /// Name and number of each customer, as they came.
    pub customers: Vec<(String, String)>,
    /// An address of each kind of page.
    pub pages: Vec<String>,
}

impl Day {
    /// Lives it. The operator has signed in.
    pub async fn lived(desk: &Desk) -> Self {
        let people = ["account", "set", "1", "--human-support", "available"];
        desk.installation.bot_json(&people);
        let parameters =
            r#"{"type":"object","properties":{"cpf":{"type":"string"}},"required":["cpf"]}"#;
        let tool = ["tool", "add", "--account", "1", "--name", "saldo_pontos", "--description"];
        let tool = [&tool[..], &["Pontos de fidelidade.", "--parameters", parameters]].concat();
        let address = ["--url", "https://erp.example.com/pontos/{cpf}"];
        desk.installation.bot_json(&[&tool[..], &address].concat());
        let mut customers = Vec::new();
        for (name, texts) in ASKS {
            let customer = desk.customer(name).await;
            for text in texts {
                desk.ask(&customer, text).await;
            }
            if GONE.contains(&name) {
                desk.resolve(&customer).await;
            }
            customers.push((name.to_owned(), customer));
        }
        for (name, text) in WAITS {
            let customer = desk.customer(name).await;
            desk.ask(&customer, text).await;
            customers.push((name.to_owned(), customer));
        }
        let mut day = Self { customers, pages: Vec::new() };
        let known = || day.facts(desk, "Carlos Menezes");
        until(20, "what was said is learnt", || async { known().len() >= 2 }).await;
        desk.ask(day.number(AGAIN.0), AGAIN.1).await;
        day.pages = pages::all(&desk.browser).await;
        day
    }

    /// The number of a customer.
    pub fn number(&self, name: &str) -> &str {
        let found = self.customers.iter().find(|(known, _)| known == name);
        found.map(|(_, number)| number.as_str()).expect("a customer of the day")
    }

    /// What is known of a customer, by the command line.
    pub fn facts(&self, desk: &Desk, name: &str) -> Vec<String> {
        let whom = ["memory", "list", "--account", "1", "--phone", self.number(name)];
        let list = desk.installation.bot_json(&whom);
        let contents = list["memories"].as_array().into_iter().flatten();
        contents.filter_map(|fact| fact["content"].as_str()).map(str::to_owned).collect()
    }
}
