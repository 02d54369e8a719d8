mod plain;
mod properties;
mod scores;
