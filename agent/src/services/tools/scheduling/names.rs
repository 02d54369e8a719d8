//! Doctors, insurances and procedures of an agenda, found by what the customer calls them.

use super::failure::{Asked, consulting, named};
use super::question;
use crate::domain::scheduling::names::{Kind, Match, find, is_anything, is_private};
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::wire::{Doctor, Named, Procedure};
use crate::services::agenda::{Call, CallError};
use crate::services::tools::ToolError;

/// Most names in one question.
const MOST_OPTIONS: usize = 8;

/// What a name came to.
pub enum Chosen<T> {
    /// Nothing in particular was asked for.
    Any,
    One(T),
    /// The customer must say which: an answer for the model.
    Ask(String),
}

impl<T> Chosen<T> {
    pub fn one(&self) -> Option<&T> {
        match self {
            Chosen::One(one) => Some(one),
            Chosen::Any | Chosen::Ask(_) => None,
        }
    }
}

fn ask<T>(text: &str, options: impl Iterator<Item = String>) -> Chosen<T> {
    let options: Vec<String> = options.take(MOST_OPTIONS).collect();
    Chosen::Ask(question(text, &options))
}

fn described(doctor: &Doctor) -> String {
    let specialty = doctor.specialty.as_deref().map(|specialty| format!(" ({specialty})"));
    let by_people = if doctor.automatic_scheduling { "" } else { ", sem agendamento automático" };
    format!("{}{}{by_people}", doctor.name, specialty.unwrap_or_default())
}

/// The doctor of that name, or the only one of that specialty.
pub fn doctor<'d>(
    asked: Option<&str>,
    doctors: &'d [Doctor],
) -> Result<Chosen<&'d Doctor>, ToolFailure> {
    let Some(asked) = asked.filter(|asked| !is_anything(Kind::Doctor, asked)) else {
        return Ok(Chosen::Any);
    };
    let mut found = find(Kind::Doctor, asked, doctors.iter().map(|doctor| doctor.name.as_str()));
    let mut text = "Mais de um médico pode ser o pedido, ou o nome não é exato. Pergunte ao \
                    paciente qual deles.";
    if found == Match::None {
        let specialty = |doctor: &'d Doctor| doctor.specialty.as_deref().unwrap_or_default();
        found = match find(Kind::Procedure, asked, doctors.iter().map(specialty)) {
            // Those of one specialty fit equally well.
            Match::Several(places) if places.len() == 1 => Match::None,
            other => other,
        };
        text = "Há mais de um médico dessa especialidade. Pergunte ao paciente qual deles, ou \
                consulte pelo procedimento.";
    }
    match found {
        Match::None => Err(ToolFailure::DoctorNotFound { doctor: named(asked) }),
        Match::One(place) if doctors[place].automatic_scheduling => {
            Ok(Chosen::One(&doctors[place]))
        }
        Match::One(place) => {
            Err(ToolFailure::DoctorWithoutScheduling { doctor: named(&doctors[place].name) })
        }
        Match::Several(places) => {
            Ok(ask(text, places.into_iter().map(|place| described(&doctors[place]))))
        }
    }
}

/// The insurance of that name; nobody's when the customer pays.
pub async fn insurance(call: &Call<'_>, asked: Option<&str>) -> Result<Chosen<Named>, Problem> {
    let Some(asked) = asked.filter(|asked| !is_anything(Kind::Insurance, asked)) else {
        return Ok(Chosen::Any);
    };
    let insurances = call.insurances().await?;
    match find(Kind::Insurance, asked, insurances.iter().map(|one| one.name.as_str())) {
        Match::One(place) => Ok(Chosen::One(insurances[place].clone())),
        Match::Several(places) => Ok(ask(
            "O nome do convênio serve a mais de um, ou não é exato. Pergunte ao paciente qual \
             destes.",
            places.into_iter().map(|place| insurances[place].name.clone()),
        )),
        Match::None if is_private(asked) => Ok(Chosen::Any),
        Match::None => Err(ToolFailure::InsuranceNotFound { insurance: named(asked) }.into()),
    }
}

/// The procedure of that name.
pub async fn procedure(call: &Call<'_>, asked: Option<&str>) -> Result<Chosen<Procedure>, Problem> {
    let Some(asked) = asked.filter(|asked| !is_anything(Kind::Procedure, asked)) else {
        return Ok(Chosen::Any);
    };
    let procedures = call.procedures().await?;
    match find(Kind::Procedure, asked, procedures.iter().map(|one| one.name.as_str())) {
        Match::One(place) => Ok(Chosen::One(procedures[place].clone())),
        Match::Several(places) => Ok(ask(
            "O nome do procedimento serve a mais de um, ou não é exato. Pergunte ao paciente qual \
             destes.",
            places.into_iter().map(|place| procedures[place].name.clone()),
        )),
        Match::None => Err(ToolFailure::ProcedureNotFound { procedure: named(asked) }.into()),
    }
}

/// Why a name came to nothing.
pub enum Problem {
    Failed(ToolFailure),
    Call(CallError),
}

impl From<ToolFailure> for Problem {
    fn from(failure: ToolFailure) -> Self {
        Problem::Failed(failure)
    }
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        Problem::Call(error)
    }
}

impl Problem {
    pub fn into_error(self, asked: Asked<'_>) -> ToolError {
        match self {
            Problem::Failed(failure) => failure.into(),
            Problem::Call(error) => consulting(error, asked),
        }
    }
}
