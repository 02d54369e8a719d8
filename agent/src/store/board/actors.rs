//! What those are called who changed something: columns keep `operator:3` or `token:7`.

use std::collections::HashMap;

use lembra_entities::{api_token, operator};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use crate::store::StoreResult;

/// The operators and tokens of an account, disabled and revoked ones too.
#[derive(Debug, Clone, Default)]
pub struct Actors(HashMap<String, String>);

impl Actors {
    /// What `operator:3` is called; `None` for what belongs to no account, or to another.
    pub fn name(&self, actor: &str) -> Option<&str> {
        self.0.get(actor).map(String::as_str)
    }
}

/// An operator's name, or what they sign in with while they have none.
pub fn name_of(operator: &operator::Model) -> &str {
    if operator.name.is_empty() { &operator.email } else { &operator.name }
}

/// Reads them: an account has few.
pub async fn of_account(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Actors> {
    let operators =
        operator::Entity::find().filter(operator::Column::AccountId.eq(account_id)).all(db).await?;
    let tokens = api_token::Entity::find()
        .filter(api_token::Column::AccountId.eq(account_id))
        .all(db)
        .await?;
    let operators =
        operators.iter().map(|row| (format!("operator:{}", row.id), name_of(row).to_owned()));
    let tokens = tokens.iter().map(|row| (format!("token:{}", row.id), row.name.clone()));
    Ok(Actors(operators.chain(tokens).collect()))
}
