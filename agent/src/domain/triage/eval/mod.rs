//! How well triage does on labelled messages: precision, recall, F1 and what was taken for what.
//!
//! Reads tables separated by tabs, with a header. Four layouts are told apart by their columns and
//! labels: `m1 m2 m3 past_turns label` is a loop; `area text recommended` are cases of policy, one
//! area per row; `text label` with labels of scope (`reject:…`, `domain:…`, `general`, `in-scope`)
//! is scope, and anything else is the guard with the crisis route before it.

mod judge;
mod score;

pub use judge::is_scope_label;
pub use score::{ClassScore, Report};

use judge::Asked;

/// A file that is not a table of labelled messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotATable(String);

impl std::fmt::Display for NotATable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not a table of labelled messages: {}", self.0)
    }
}

impl std::error::Error for NotATable {}

/// One labelled message, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The message; those of a loop are separated by ` | `.
    pub text: String,
    pub label: String,
    pub verdict: String,
    /// The rule that fired.
    pub rule: Option<&'static str>,
}

impl Judged {
    /// Whether the verdict is the label.
    pub fn is_right(&self) -> bool {
        self.label == self.verdict
    }
}

/// Judges every row of `table`.
pub fn run(table: &str) -> Result<Vec<Judged>, NotATable> {
    let mut lines = table.trim_start_matches('\u{feff}').lines().filter(|l| !l.trim().is_empty());
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').map(str::trim).collect();
    let column = |name: &str| header.iter().position(|column| *column == name);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let cell = |row: &Vec<&str>, at: usize| {
        row.get(at).copied().unwrap_or_default().trim().trim_matches('"').to_owned()
    };
    if let (Some(a), Some(b), Some(c), Some(turns), Some(label)) =
        (column("m1"), column("m2"), column("m3"), column("past_turns"), column("label"))
    {
        let judge = |row: &Vec<&str>| {
            let said = [a, b, c].map(|at| cell(row, at));
            let past = cell(row, turns).parse().ok();
            judge::judged(&Asked::Loop(said, past), &cell(row, label))
        };
        return Ok(rows.iter().map(judge).collect());
    }
    if let (Some(area), Some(text), Some(recommended)) =
        (column("area"), column("text"), column("recommended"))
    {
        let judge = |row: &Vec<&str>| {
            judge::policy(&cell(row, area), &cell(row, text), &cell(row, recommended))
        };
        return Ok(rows.iter().flat_map(judge).collect());
    }
    let (Some(text), Some(label)) = (column("text"), column("label")) else {
        return Err(NotATable(format!("its columns are {}", header.join(", "))));
    };
    let is_scope = |row: &Vec<&str>| judge::is_scope_label(&cell(row, label));
    let scope = rows.iter().any(is_scope);
    let judge = |row: &Vec<&str>| {
        let text = row.get(text).copied().unwrap_or_default().to_owned();
        let asked = if scope { Asked::Scope(text) } else { Asked::Guard(text) };
        judge::judged(&asked, &cell(row, label))
    };
    Ok(rows.iter().map(judge).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(table: &str) -> Vec<(String, String)> {
        let rows = run(table).unwrap();
        rows.into_iter().map(|row| (row.label, row.verdict)).collect()
    }

    fn all_right(table: &str) {
        let wrong: Vec<Judged> =
            run(table).unwrap().into_iter().filter(|row| !row.is_right()).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_table_of_the_guard_is_judged_by_the_guard_and_the_crisis_route() {
        all_right(
            "id\tlocale\ttext\tlabel\tsource\n\
             1\tpt-BR\tque bot inútil\tfrustrated\tx\n\
             2\tpt-BR\tchama um atendente\thuman-request\tx\n\
             3\tpt-BR\tqual o horário?\tnone\tx\n\
             4\tpt-BR\tquero me matar\tcrisis\tx\n",
        );
    }

    #[test]
    fn a_table_of_loops_is_known_by_its_columns() {
        all_right(
            "m1\tm2\tm3\tpast_turns\tlabel\n\
             limite?\tqual o limite?\tlimite mesmo\t2\tloop\n\
             limite?\tqual o limite?\tlimite mesmo\t1\tnone\n",
        );
    }

    #[test]
    fn a_table_of_scope_is_known_by_its_labels() {
        all_right(
            "text\tlabel\n\
             qual a dose máxima de dipirona?\treject:dosage\n\
             meu pai esconde o remédio\tdomain:caregiver\n\
             vai chover?\tgeneral\n\
             olá\tin-scope\n",
        );
    }

    #[test]
    fn cases_of_policy_name_their_area_in_each_row() {
        let rows = verdicts(
            "area\ttext\trecommended\treason\n\
             guard\tsaco de lixo / OBRIGADA\tnone\tcalm\n\
             loop\tsim|sim|sim , oi|oi|oi\tnone\tempty\n\
             scope\tminha mãe não quer a bombinha\tdomain:inhaler or caregiver\ttwo\n\
             scope\tquero me matar\tcrisis\troute\n",
        );
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|(label, verdict)| label == verdict), "{rows:?}");
    }

    #[test]
    fn other_files_are_refused_with_their_columns() {
        let error = run("a\tb\n1\t2\n").unwrap_err().to_string();
        assert!(error.contains("a, b"), "{error}");
    }
}
