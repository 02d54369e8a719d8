mod plain;
mod scores;
