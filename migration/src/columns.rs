//! The few kinds of column that every table is made of.

use sea_orm_migration::prelude::*;

/// A 64-bit key that the database gives out and never gives out again.
pub fn id() -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new("id"));
    column.big_integer().not_null().auto_increment().primary_key();
    column
}

pub fn big(name: &str) -> ColumnDef {
    let mut column = optional_big(name);
    column.not_null();
    column
}

pub fn optional_big(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.big_integer();
    column
}

pub fn integer(name: &str, default: i32) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.integer().not_null().default(default);
    column
}

pub fn boolean(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.boolean().not_null().default(false);
    column
}

pub fn text(name: &str) -> ColumnDef {
    let mut column = optional_text(name);
    column.not_null();
    column
}

pub fn optional_text(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.text();
    column
}

pub fn json(name: &str) -> ColumnDef {
    let mut column = optional_json(name);
    column.not_null();
    column
}

pub fn optional_json(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.json_binary();
    column
}

pub fn time(name: &str) -> ColumnDef {
    let mut column = optional_time(name);
    column.not_null();
    column
}

pub fn optional_time(name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name));
    column.timestamp_with_time_zone();
    column
}

/// A reference that goes with the row that it points to.
pub fn belongs_to(table: &str, column: &str, parent: &str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(Alias::new(table), Alias::new(column))
        .to(Alias::new(parent), Alias::new("id"))
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned()
}

/// `name` over `columns` of `table`.
pub fn index(name: &str, table: &str, columns: &[&str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(Alias::new(table));
    for column in columns {
        index.col(Alias::new(*column));
    }
    index.to_owned()
}

/// A condition of a partial index, in the words both databases read.
pub fn only(condition: &'static str) -> SimpleExpr {
    Expr::cust(condition)
}
