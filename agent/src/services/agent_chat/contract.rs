//! The contract of `FALHA_CONSULTA`, in code and not only in the prompt (seed 004, DESIGN §5).

use super::Grounds;
use crate::domain::grounding::{self, Claim, FigureKind};
use crate::domain::scheduling::{BOOK, CANCEL, CONSULT, REGISTER};
use crate::domain::tool_failure::{PREFIX, ToolFailure};
use crate::domain::triage::fold::fold;
use crate::services::tools::{forget, knowledge, scheduling, transfer};

/// What has happened in a turn so far.
#[derive(Debug, Default)]
pub struct Standing {
    /// The first failure, with its tool: from then on only a transfer may be called.
    pub failure: Option<(String, ToolFailure)>,
    /// The reason that the model gave for a transfer.
    pub transfer: Option<String>,
    /// What nobody foresaw: the turn ends.
    pub uncontrolled: Option<(String, String)>,
    /// What succeeded in this turn.
    pub done: Vec<Done>,
    /// A tool gave what was asked of it.
    pub resolved: bool,
    /// Tools whose arguments were corrected once.
    pub corrected: Vec<String>,
    pub incidents: Vec<Incident>,
}

/// The conversation goes to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub why: TransferWhy,
    /// `motivo`: the model's words, or the failure's text.
    pub detail: String,
}

/// What made it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferWhy {
    /// The model called the tool.
    Asked,
    /// A tool failed.
    ToolFailure,
    /// Nobody foresaw what happened.
    Uncontrolled,
}

/// Something that operators must see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub kind: IncidentKind,
    pub tool: Option<String>,
    pub code: String,
    pub detail: String,
}

/// Stored as `dashboard_errors.error_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncidentKind {
    /// A tool failed as the contract foresees.
    FalhaConsulta,
    /// Nobody foresaw it.
    Uncontrolled,
    /// An answer said what nothing holds, twice.
    Ungrounded,
}

impl IncidentKind {
    pub const ALL: [Self; 3] = [Self::FalhaConsulta, Self::Uncontrolled, Self::Ungrounded];

    pub fn as_str(self) -> &'static str {
        match self {
            IncidentKind::FalhaConsulta => "falha_consulta",
            IncidentKind::Uncontrolled => "uncontrolled",
            IncidentKind::Ungrounded => "ungrounded",
        }
    }
}

impl Standing {
    pub fn fail(&mut self, tool: &str, failure: ToolFailure) {
        self.incidents.push(Incident {
            kind: IncidentKind::FalhaConsulta,
            tool: Some(tool.to_owned()),
            code: failure.code().to_owned(),
            detail: failure.detail(),
        });
        self.failure.get_or_insert((tool.to_owned(), failure));
    }

    pub fn fail_uncontrolled(&mut self, tool: &str, detail: String) {
        self.incidents.push(Incident {
            kind: IncidentKind::Uncontrolled,
            tool: Some(tool.to_owned()),
            code: "uncontrolled".to_owned(),
            detail: detail.clone(),
        });
        self.uncontrolled.get_or_insert((tool.to_owned(), detail));
    }

    /// Whether a tool may be called now.
    pub fn allows(&self, tool: &str) -> bool {
        self.uncontrolled.is_none() && (self.failure.is_none() || tool == transfer::NAME)
    }

    /// The transfer that the turn ends with, also where the model forgot it.
    pub fn transfer(&self) -> Option<Transfer> {
        match (&self.failure, &self.transfer) {
            (Some((_, failure)), asked) => {
                let asked = asked.as_ref().filter(|motive| motive.starts_with(PREFIX.trim_end()));
                let detail = asked.map_or_else(|| failure.to_string(), Clone::clone);
                Some(Transfer { why: TransferWhy::ToolFailure, detail })
            }
            (None, Some(motive)) => {
                Some(Transfer { why: TransferWhy::Asked, detail: motive.clone() })
            }
            (None, None) => None,
        }
    }

    /// What an answer says that it may not say; empty when it may go out.
    pub fn objections(&self, answer: &str, grounds: &Grounds) -> Vec<String> {
        let context = &grounds.context;
        let results = self.done.iter().map(|done| done.result.as_str());
        let figures = if self.failure.is_some() {
            let sources: Vec<&str> = results.collect();
            grounding::ungrounded_strict(answer, &sources, context)
        } else {
            let sources: Vec<&str> =
                results.chain(grounds.sources.iter().map(String::as_str)).collect();
            grounding::ungrounded(answer, &sources, context)
        };
        let mut objections: Vec<String> = figures.into_iter().map(|figure| figure.text).collect();
        let claims = grounding::claims(answer).into_iter();
        objections.extend(
            claims
                .filter(|claim| !self.was_done(*claim, answer, grounds))
                .map(|claim| named(claim).to_owned()),
        );
        objections.dedup();
        objections
    }

    /// An answer that says the conversation went to a person makes it go there.
    pub fn keep_promise(&mut self, answer: &str) {
        if self.transfer.is_none() && grounding::claims(answer).contains(&Claim::Transferred) {
            self.transfer = Some("a resposta diz que um atendente foi acionado".to_owned());
        }
    }

    /// Whether something with this effect was done: in this turn, or, where nothing failed, before;
    /// what was done before must hold every day and hour of the sentence that claims it, or the answer
    /// speaks of something else.
    fn was_done(&self, claim: Claim, answer: &str, grounds: &Grounds) -> bool {
        if claim == Claim::Transferred || self.done.iter().any(|done| done.backs(claim)) {
            return true;
        }
        if self.failure.is_some() {
            return false;
        }
        // "Sempre temos mesas livres" is a fact of the house, where the house says so.
        let of_the_house = [Claim::Available, Claim::Booked, Claim::Registered].contains(&claim);
        if of_the_house && grounds.house.iter().any(|text| grounding::claims(text).contains(&claim))
        {
            return true;
        }
        let claims_it = |sentence: &&str| grounding::claims(sentence).contains(&claim);
        let said: String =
            answer.split_inclusive(['.', '!', '?', ';', '\n']).filter(claims_it).collect();
        let said = if said.is_empty() { answer } else { said.as_str() };
        let when = [FigureKind::Date, FigureKind::Day, FigureKind::Clock];
        let speaks_of = |done: &Done| {
            let foreign = grounding::ungrounded_strict(said, &[&done.result], &grounds.context);
            !foreign.iter().any(|figure| when.contains(&figure.kind))
        };
        grounds.done.iter().any(|done| done.backs(claim) && speaks_of(done))
    }
}

/// A call that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub tool: String,
    pub has_effect: bool,
    pub result: String,
}

impl Done {
    /// Whether this is what the claim speaks of. Tools of the account's own may have any effect;
    /// what only looked backs a claim by telling of it.
    fn backs(&self, claim: Claim) -> bool {
        if scheduling::is_question(&self.result) {
            return false;
        }
        match self.tool.as_str() {
            CONSULT => claim == Claim::Available,
            forget::NAME => claim == Claim::Erased && !self.result.contains(forget::ASKED),
            transfer::NAME => claim == Claim::Transferred,
            BOOK => matches!(claim, Claim::Booked | Claim::Available),
            CANCEL => claim == Claim::Cancelled,
            REGISTER => claim == Claim::Registered,
            _ => {
                let looked_up = claim == Claim::Available && self.tool != knowledge::NAME;
                self.has_effect
                    || looked_up
                    || grounding::claims(&self.result).contains(&claim)
                    || self.tells()
            }
        }
    }

    /// It is a record of something done: it says how that stands.
    fn tells(&self) -> bool {
        let folded = fold(&self.result);
        ["\"status\"", "\"situacao\"", "\"state\"", "\"estado\""]
            .iter()
            .any(|key| folded.contains(key))
    }
}

/// A claim as the model is told of it.
fn named(claim: Claim) -> &'static str {
    match claim {
        Claim::Booked => "que algo foi marcado ou confirmado",
        Claim::Cancelled => "que algo foi cancelado",
        Claim::Registered => "que algo foi cadastrado ou registrado",
        Claim::Transferred => "que a conversa foi transferida",
        Claim::Erased => "que os dados foram apagados",
        Claim::Available => "que há vaga ou horário livre",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_failure_only_a_transfer_may_be_called() {
        let mut standing = Standing::default();
        assert!(standing.allows("consultar_horarios"));
        standing.fail("consultar_horarios", ToolFailure::AgendaEmpty);
        assert!(!standing.allows("consultar_horarios"));
        assert!(!standing.allows("agendar_horario"));
        assert!(standing.allows(transfer::NAME));
    }

    #[test]
    fn a_forgotten_transfer_is_made_with_the_failures_text() {
        let mut standing = Standing::default();
        assert_eq!(standing.transfer(), None);
        standing.fail("consultar_horarios", ToolFailure::AgendaEmpty);
        let transfer = standing.transfer().unwrap();
        assert_eq!(transfer.detail, "FALHA_CONSULTA: agenda sem horarios disponiveis");
        standing.transfer = Some("FALHA_CONSULTA: agenda sem horarios".to_owned());
        assert_eq!(standing.transfer().unwrap().detail, "FALHA_CONSULTA: agenda sem horarios");
        standing.transfer = Some("cliente quer outro dia".to_owned());
        assert_eq!(
            standing.transfer().unwrap().detail,
            "FALHA_CONSULTA: agenda sem horarios disponiveis",
        );
    }
}
