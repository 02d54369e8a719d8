//! `cadastrar_paciente`: whoever is to be booked for must be known to the clinic.

use async_trait::async_trait;
use serde_json::json;

use super::failure::{Asked, registering};
use super::names::{self, Chosen};
use super::{argument, question, spec};
use crate::domain::scheduling;
use crate::domain::scheduling::patient::{cpf, phone};
use crate::domain::scheduling::spoken::read_day;
use crate::domain::tool::ToolSpec;
use crate::services::agenda::AgendaClient;
use crate::services::agenda::wire::NewPatient;
use crate::services::tools::{Invocation, Tool, ToolError};

const DESCRIPTION: &str = "Cadastra o paciente na clínica, ou encontra o cadastro de mesmo CPF. \
    Chame antes de agendar_horario, com o nome completo que o paciente informou; não invente dados \
    que ele não deu. Devolve paciente_id, que agendar_horario usa; não mostre esse id ao paciente.";

pub struct Register {
    agenda: AgendaClient,
    spec: ToolSpec,
}

impl Register {
    pub fn new(agenda: AgendaClient) -> Self {
        let text = |description: &str| json!({ "type": "string", "maxLength": 200, "description": description });
        let properties = json!({
            "nome": {
                "type": "string",
                "minLength": 2,
                "maxLength": 200,
                "description": "Nome completo do paciente.",
            },
            "nascimento": {
                "type": "string",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
                "description": "Data de nascimento, AAAA-MM-DD.",
            },
            "cpf": text("CPF do paciente, com ou sem pontos."),
            "telefone": text("Telefone com DDD."),
            "convenio": text("Nome do convênio. Omita se for particular ou se ele não disse."),
        });
        Self { agenda, spec: spec(scheduling::REGISTER, DESCRIPTION, &properties, &["nome"]) }
    }
}

#[async_trait]
impl Tool for Register {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn has_effect(&self) -> bool {
        true
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let text = |name| argument(call.arguments, name);
        let ask = |what: &str| Ok(question(what, &[]));
        let Some(name) = text("nome") else {
            return ask("Falta o nome completo do paciente. Pergunte a ele.");
        };
        let birth_date = match text("nascimento").map(read_day) {
            Some(None) => {
                return ask("A data de nascimento não existe. Confirme com o paciente.");
            }
            Some(Some(day)) if day > call.now.with_timezone(&self.agenda.zone()).date_naive() => {
                return ask("A data de nascimento está no futuro. Confirme com o paciente.");
            }
            day => day.flatten(),
        };
        let cpf = match text("cpf").map(cpf) {
            Some(None) => return ask("O CPF não confere. Peça ao paciente que o confirme."),
            cpf => cpf.flatten(),
        };
        let asked = Asked { insurance: text("convenio"), ..Asked::default() };
        let agenda = self.agenda.begin();
        let insurance = names::insurance(&agenda, asked.insurance).await;
        let insurance = match insurance.map_err(|problem| problem.into_error(asked))? {
            Chosen::Ask(question) => return Ok(question),
            Chosen::One(insurance) => Some(insurance),
            Chosen::Any => None,
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let patient = NewPatient {
            name: name.clone(),
            birth_date: birth_date.map(|day| day.format("%Y-%m-%d").to_string()),
            cpf,
            phone: text("telefone").and_then(phone),
            insurance_id: insurance.map(|insurance| insurance.id),
        };
        let patient = agenda.register(&patient, call.key).await.map_err(registering)?;
        let answer = json!({ "situacao": "cadastrado", "paciente_id": patient.id, "nome": name });
        Ok(answer.to_string())
    }
}
