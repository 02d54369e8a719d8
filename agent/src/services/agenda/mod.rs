//! The agendas of accounts: where each is, and how it is asked.

mod calls;
mod client;
pub mod contract;
pub mod wire;

use std::sync::Arc;
use std::time::Duration;

use lembra_entities::agenda;
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::clock::SharedClock;
use crate::config::{Vault, VaultError};
use crate::http::allowed::AllowedHosts;
use crate::http::public::{self, PublicClient};
use crate::store::{StoreError, StoreResult, accounts, agendas};

pub use calls::SlotQuery;
pub use client::{AgendaClient, Call, CallError, Pace};

/// Why an agenda's settings cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum AgendaError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no account {0}")]
    NoAccount(i64),
    #[error("{0}")]
    Address(&'static str),
    #[error("token of an agenda: {0}")]
    Vault(#[from] VaultError),
}

/// What an agenda says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub doctors: usize,
    pub with_scheduling: usize,
    pub insurances: usize,
    pub procedures: usize,
}

/// All agendas. Clones share their connections.
#[derive(Clone)]
pub struct Agendas {
    db: DatabaseConnection,
    vault: Arc<Vault>,
    clock: SharedClock,
    http: reqwest::Client,
    /// For agendas that accounts chose.
    public: PublicClient,
}

impl Agendas {
    pub fn new(
        db: DatabaseConnection,
        vault: Arc<Vault>,
        clock: SharedClock,
        allowed: AllowedHosts,
    ) -> Result<Self, reqwest::Error> {
        // Each attempt has a shorter time of its own.
        let longest = Duration::from_secs(30);
        let http = crate::http::client(longest)?;
        let public = public::client_within(allowed, longest)?;
        Ok(Self { db, vault, clock, http, public })
    }

    /// The account's agenda, ready to be asked; `None` when it has none.
    pub async fn of_account(&self, account_id: i64) -> StoreResult<Option<AgendaClient>> {
        let Some(row) = agendas::find(&self.db, account_id).await? else {
            return Ok(None);
        };
        let Some(account) = accounts::find(&self.db, account_id).await? else {
            return Ok(None);
        };
        let broken = |what: &str| StoreError::Inconsistent(format!("agenda {account_id}: {what}"));
        let base_url = Url::parse(&row.base_url).map_err(|_| broken("its address is none"))?;
        let token = self.token(&row).map_err(|error| broken(&error.to_string()))?;
        let http = match row.public_only {
            true => self.public.client_for(&base_url).map_err(|why| broken(&why.to_string()))?,
            false => &self.http,
        };
        let zone = accounts::zone(&account);
        Ok(Some(AgendaClient::new(http.clone(), base_url, token, zone)))
    }

    /// The account's agenda is here from now on, under this token or without any: a token is not
    /// carried over to another address. Private addresses are allowed, for it is the host who says
    /// where the agenda is.
    pub async fn set(
        &self,
        account_id: i64,
        base_url: &Url,
        token: Option<&SecretString>,
    ) -> Result<(), AgendaError> {
        self.write(account_id, base_url, token, false).await
    }

    /// The same, said by the account: of private addresses none is called that the host does not
    /// allow.
    pub async fn choose(
        &self,
        account_id: i64,
        base_url: &Url,
        token: Option<&SecretString>,
    ) -> Result<(), AgendaError> {
        self.write(account_id, base_url, token, true).await
    }

    async fn write(
        &self,
        account_id: i64,
        base_url: &Url,
        token: Option<&SecretString>,
        public_only: bool,
    ) -> Result<(), AgendaError> {
        check_address(base_url).map_err(AgendaError::Address)?;
        if accounts::find(&self.db, account_id).await?.is_none() {
            return Err(AgendaError::NoAccount(account_id));
        }
        let sealed = token
            .map(|token| self.vault.encrypt(token.expose_secret(), &context(account_id)))
            .transpose()?;
        let base_url = base_url.as_str().trim_end_matches('/');
        let now = self.clock.now();
        agendas::set(&self.db, account_id, base_url, sealed, public_only, now).await?;
        Ok(())
    }

    /// Asks the account's agenda for what it has; `None` when there is no agenda. [`explain`] says
    /// an error in words.
    pub async fn check(&self, account_id: i64) -> StoreResult<Option<Result<Checked, CallError>>> {
        let Some(agenda) = self.of_account(account_id).await? else {
            return Ok(None);
        };
        let call = agenda.begin();
        let asked = futures::try_join!(call.doctors(), call.insurances(), call.procedures());
        Ok(Some(asked.map(|(doctors, insurances, procedures)| Checked {
            with_scheduling: doctors.iter().filter(|one| one.automatic_scheduling).count(),
            doctors: doctors.len(),
            insurances: insurances.len(),
            procedures: procedures.len(),
        })))
    }

    /// The token of an agenda.
    pub fn token(&self, row: &agenda::Model) -> Result<Option<SecretString>, VaultError> {
        let open = |sealed: &String| self.vault.decrypt(sealed, &context(row.account_id));
        Ok(row.token.as_ref().map(open).transpose()?.map(SecretString::from))
    }
}

/// What the token of an account's agenda is bound to.
pub(crate) fn context(account_id: i64) -> String {
    format!("agenda {account_id}")
}

/// Whether paths can be put behind this address, and nothing secret stands in it.
pub fn check_address(url: &Url) -> Result<(), &'static str> {
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("the address begins with http:// or https://");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("the address ends with its path, without ? and #");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the address holds no name and password; give the token apart");
    }
    Ok(())
}

/// What is wrong with an agenda, for whoever set it up.
pub fn explain(error: &CallError) -> String {
    match error {
        CallError::Unreachable { .. } => "it did not answer in two attempts".to_owned(),
        CallError::Refused { status, code: Some(code) } => format!("it refuses: {status} {code}"),
        CallError::Refused { status, code: None } => {
            format!("it answers {status} without a code of the contract: is the address right?")
        }
        CallError::Empty => "its answer is empty".to_owned(),
        CallError::Unusable(what) => what.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_that_paths_can_follow() {
        for (url, fits) in [
            ("https://agenda.example/v1", true),
            ("http://10.0.0.5:8000", true),
            ("ftp://agenda.example", false),
            ("https://agenda.example/v1?key=1", false),
            ("https://ana:segredo@agenda.example", false),
        ] {
            assert_eq!(check_address(&Url::parse(url).unwrap()).is_ok(), fits, "{url}");
        }
    }
}
