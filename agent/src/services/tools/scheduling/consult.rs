//! `consultar_horarios`: free times of the clinic.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, NaiveTime, SecondsFormat};
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::failure::{Asked, consulting};
use super::names::{self, Chosen};
use super::window::{Window, hour};
use super::{argument, question, spec};
use crate::domain::scheduling;
use crate::domain::scheduling::offer::{Free, Period, pick};
use crate::domain::scheduling::spoken;
use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::wire::{Doctor, Named, Procedure, Slot, Slots};
use crate::services::agenda::{AgendaClient, Call, SlotQuery};
use crate::services::tools::{Invocation, Tool, ToolError};

/// Times in one answer.
const MOST_SHOWN: usize = 6;
/// Times that the agenda is asked for, to choose from.
const MOST_READ: u32 = 500;

const DESCRIPTION: &str = "Consulta os horários livres da clínica. Chame sempre antes de falar de \
    qualquer horário, data ou preço de consulta; só ofereça horários que esta ferramenta devolveu. \
    Sem médico, procura em todos. Cada horário traz horario_id, que agendar_horario usa; não \
    mostre esse id ao paciente.";

pub struct Consult {
    agenda: AgendaClient,
    spec: ToolSpec,
}

impl Consult {
    pub fn new(agenda: AgendaClient) -> Self {
        let text = |description: &str| json!({ "type": "string", "maxLength": 200, "description": description });
        let day = |description: &str| {
            json!({
                "type": "string",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}$",
                "description": description,
            })
        };
        let properties = json!({
            "medico": text("Nome do médico ou da médica, como o paciente disse. Omita se ele não pediu ninguém."),
            "procedimento": text("Consulta, exame ou especialidade, como o paciente disse."),
            "convenio": text("Nome do convênio do paciente. Omita se for particular ou se ele não disse."),
            "de": day("Primeiro dia procurado, AAAA-MM-DD. Omita para procurar desde já."),
            "ate": day("Último dia procurado, AAAA-MM-DD. Para um dia só, igual a de."),
            "periodo": {
                "type": "string",
                "enum": ["manhã", "tarde", "noite"],
                "description": "Parte do dia, se o paciente disse.",
            },
            "hora": {
                "type": "string",
                "pattern": "^([01]?\\d|2[0-3]):[0-5]\\d$",
                "description": "Hora que o paciente pediu, HH:MM: vêm os horários mais próximos.",
            },
        });
        Self { agenda, spec: spec(scheduling::CONSULT, DESCRIPTION, &properties, &[]) }
    }
}

/// What free times are looked for.
struct Search<'a> {
    doctors: &'a [Doctor],
    doctor: Option<&'a Doctor>,
    insurance: Option<&'a Named>,
    procedure: Option<&'a Procedure>,
    asked: Asked<'a>,
}

/// A free time that can be offered.
struct Offer<'a> {
    slot: Slot,
    doctor: &'a Doctor,
    at: DateTime<Tz>,
}

/// Free times, and whose agendas could not be read.
struct Found<'a> {
    offers: Vec<Offer<'a>>,
    unread: Vec<&'a str>,
    /// Later times were left out.
    is_cut: bool,
}

impl<'a> Search<'a> {
    async fn look(&self, call: &Call<'_>, window: &Window) -> Result<Found<'a>, ToolError> {
        let query = SlotQuery {
            doctor_id: self.doctor.map(|doctor| doctor.id.as_str()),
            procedure_id: self.procedure.map(|procedure| procedure.id.as_str()),
            insurance_id: self.insurance.map(|insurance| insurance.id.as_str()),
            from: window.from,
            to: window.to,
            limit: MOST_READ,
        };
        let slots = call.slots(&query).await.map_err(|error| consulting(error, self.asked))?;
        Ok(self.read(slots, window)?)
    }

    /// Times of the doctors that were meant, each once, within the window: an agenda may have
    /// passed over what it was asked.
    fn read(&self, slots: Slots, window: &Window) -> Result<Found<'a>, ToolFailure> {
        if let Some(doctor) = self.doctor
            && slots.slots.iter().any(|slot| slot.doctor_id != doctor.id)
        {
            return Err(ToolFailure::AgendaMismatch);
        }
        let doctor = |id: &str| self.doctors.iter().find(|doctor| doctor.id == id);
        let known = |slot: &Slot| doctor(&slot.doctor_id).is_some();
        if !slots.slots.is_empty() && !slots.slots.iter().any(known) {
            return Err(ToolFailure::AgendaMismatch);
        }
        let is_cut = slots.slots.len() >= MOST_READ as usize;
        let mut seen = BTreeSet::new();
        let offers = slots.slots.into_iter().filter_map(|slot| {
            let doctor = doctor(&slot.doctor_id).filter(|doctor| doctor.automatic_scheduling)?;
            let at = slot.start.with_timezone(&window.from.timezone());
            let fits = window.from <= at && at < window.to && seen.insert(slot.id.clone());
            fits.then_some(Offer { slot, doctor, at })
        });
        let offers: Vec<Offer<'a>> = offers.collect();
        let unread = slots.failed_doctors.iter().filter_map(|id| doctor(id));
        let unread = unread.map(|doctor| doctor.name.as_str()).collect();
        Ok(Found { offers, unread, is_cut })
    }

    fn nothing(&self) -> ToolFailure {
        match self.doctor {
            Some(_) => ToolFailure::AgendaEmpty,
            None => ToolFailure::NoDoctorAvailable,
        }
    }

    fn shown(&self, offer: &Offer<'_>, now: DateTime<Tz>) -> Value {
        let paid = match self.insurance {
            Some(_) => None,
            None => self.procedure.and_then(|procedure| procedure.price_cents),
        };
        let mut shown = json!({
            "horario_id": offer.slot.id,
            "medico": offer.doctor.name,
            "inicio": offer.at.to_rfc3339_opts(SecondsFormat::Secs, false),
            "quando": spoken::moment(offer.at.naive_local(), now.date_naive()),
        });
        if let Some(procedure) = self.procedure {
            shown["procedimento"] = json!(procedure.name);
        }
        if let Some(cents) = offer.slot.price_cents.or(paid).filter(|cents| *cents >= 0) {
            shown["preco"] = json!(spoken::price(cents));
        }
        shown
    }
}

#[async_trait]
impl Tool for Consult {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let text = |name| argument(call.arguments, name);
        let asked = Asked {
            doctor: text("medico"),
            insurance: text("convenio"),
            procedure: text("procedimento"),
        };
        let now = call.now.with_timezone(&self.agenda.zone());
        let window = match Window::read(text("de"), text("ate"), now) {
            Ok(window) => window,
            Err(why) => return Ok(question(&why, &[])),
        };
        let agenda = self.agenda.begin();
        let (doctors, insurance, procedure) = futures::join!(
            agenda.doctors(),
            names::insurance(&agenda, asked.insurance),
            names::procedure(&agenda, asked.procedure)
        );
        let doctors = doctors.map_err(|error| consulting(error, asked))?;
        let doctor = names::doctor(asked.doctor, &doctors)?;
        let insurance = insurance.map_err(|problem| problem.into_error(asked))?;
        let procedure = procedure.map_err(|problem| problem.into_error(asked))?;
        let asks = [doctor.question(), insurance.question(), procedure.question()];
        if let Some(ask) = asks.into_iter().flatten().next() {
            return Ok(ask.to_owned());
        }
        let search = Search {
            doctors: &doctors,
            doctor: doctor.one().copied(),
            insurance: insurance.one(),
            procedure: procedure.one(),
            asked,
        };
        let mut notes = Vec::new();
        let mut found = search.look(&agenda, &window).await?;
        if found.offers.is_empty() {
            // The day is full; the customer may take another.
            let wider = match window.wider() {
                Some(wider) => Some(search.look(&agenda, &wider).await?),
                None => None,
            };
            let wider = wider.filter(|found| !found.offers.is_empty());
            found = wider.ok_or_else(|| search.nothing())?;
            notes
                .push("Não há horários livres nos dias pedidos; estes são os próximos.".to_owned());
        }
        let wish = Wish {
            period: text("periodo").and_then(Period::parse),
            hour: text("hora").and_then(hour),
        };
        let (shown, more) = choose(&mut found, &wish, &mut notes);
        if !found.unread.is_empty() {
            let unread = found.unread.join(", ");
            notes.push(format!("Não foi possível ler a agenda de: {unread}."));
        }
        let shown: Vec<Value> =
            shown.into_iter().map(|place| search.shown(&found.offers[place], now)).collect();
        let mut answer = json!({ "situacao": "horarios", "horarios": shown, "ha_mais": more });
        if !notes.is_empty() {
            answer["observacao"] = json!(notes.join(" "));
        }
        Ok(answer.to_string())
    }
}

/// When on a day the customer would like it.
struct Wish {
    period: Option<Period>,
    hour: Option<NaiveTime>,
}

/// The times that are shown, and whether there are more. What cannot be met of the wish is noted,
/// and no more than is known: where later times were left out, only the first ones are.
fn choose(found: &mut Found<'_>, wish: &Wish, notes: &mut Vec<String>) -> (Vec<usize>, bool) {
    let total = found.offers.len();
    let among =
        if found.is_cut { "Entre os primeiros horários livres não há" } else { "Não há" };
    if let Some(period) = wish.period {
        let fits = |offer: &Offer<'_>| Period::of(offer.at.naive_local()) == period;
        if found.offers.iter().any(fits) {
            found.offers.retain(fits);
        } else {
            notes.push(format!("{among} horário nesse período do dia; estes são os de outros."));
        }
    }
    if let Some(hour) = wish.hour
        && !found.offers.iter().any(|offer| offer.at.time() == hour)
    {
        notes.push(format!("{among} horário livre na hora pedida; estes são os mais próximos."));
    }
    let free: Vec<Free<'_>> = found
        .offers
        .iter()
        .map(|offer| Free { doctor: &offer.doctor.id, at: offer.at.naive_local() })
        .collect();
    let shown = pick(&free, wish.hour, MOST_SHOWN);
    let more = found.is_cut || shown.len() < total;
    (shown, more)
}

impl<T> Chosen<T> {
    fn question(&self) -> Option<&str> {
        match self {
            Chosen::Ask(question) => Some(question),
            Chosen::Any | Chosen::One(_) => None,
        }
    }
}
