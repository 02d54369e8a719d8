//! Number words and month names of the three languages, folded (see `triage::fold`).

/// Portuguese cardinals below a million; "um" and "uma" are articles more often than numbers.
const PORTUGUESE: &[(&str, u64)] = &[
    ("um", 1),
    ("uma", 1),
    ("dois", 2),
    ("duas", 2),
    ("tres", 3),
    ("quatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("sete", 7),
    ("oito", 8),
    ("nove", 9),
    ("dez", 10),
    ("onze", 11),
    ("doze", 12),
    ("treze", 13),
    ("catorze", 14),
    ("quatorze", 14),
    ("quinze", 15),
    ("dezesseis", 16),
    ("dezessete", 17),
    ("dezoito", 18),
    ("dezenove", 19),
    ("vinte", 20),
    ("trinta", 30),
    ("quarenta", 40),
    ("cinquenta", 50),
    ("sessenta", 60),
    ("setenta", 70),
    ("oitenta", 80),
    ("noventa", 90),
    ("cem", 100),
    ("cento", 100),
    ("duzentos", 200),
    ("duzentas", 200),
    ("trezentos", 300),
    ("trezentas", 300),
    ("quatrocentos", 400),
    ("quatrocentas", 400),
    ("quinhentos", 500),
    ("quinhentas", 500),
    ("seiscentos", 600),
    ("seiscentas", 600),
    ("setecentos", 700),
    ("setecentas", 700),
    ("oitocentos", 800),
    ("oitocentas", 800),
    ("novecentos", 900),
    ("novecentas", 900),
    ("mil", 1000),
];

/// Spanish and English cardinals that Portuguese does not have.
const OTHERS: &[(&str, u64)] = &[
    ("uno", 1),
    ("una", 1),
    ("dos", 2),
    ("cuatro", 4),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("once", 11),
    ("doce", 12),
    ("trece", 13),
    ("quince", 15),
    ("dieciseis", 16),
    ("diecisiete", 17),
    ("dieciocho", 18),
    ("diecinueve", 19),
    ("veinte", 20),
    ("veintiuno", 21),
    ("veintidos", 22),
    ("veintitres", 23),
    ("veinticuatro", 24),
    ("veinticinco", 25),
    ("veintiseis", 26),
    ("veintisiete", 27),
    ("veintiocho", 28),
    ("veintinueve", 29),
    ("treinta", 30),
    ("cuarenta", 40),
    ("cincuenta", 50),
    ("sesenta", 60),
    ("ochenta", 80),
    ("cien", 100),
    ("ciento", 100),
    ("doscientos", 200),
    ("trescientos", 300),
    ("cuatrocientos", 400),
    ("quinientos", 500),
    ("seiscientos", 600),
    ("setecientos", 700),
    ("ochocientos", 800),
    ("novecientos", 900),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("thousand", 1000),
];

/// The months in Portuguese, Spanish and English, January first.
const MONTHS: [[&str; 3]; 12] = [
    ["janeiro", "enero", "january"],
    ["fevereiro", "febrero", "february"],
    ["marco", "marzo", "march"],
    ["abril", "abril", "april"],
    ["maio", "mayo", "may"],
    ["junho", "junio", "june"],
    ["julho", "julio", "july"],
    ["agosto", "agosto", "august"],
    ["setembro", "septiembre", "september"],
    ["outubro", "octubre", "october"],
    ["novembro", "noviembre", "november"],
    ["dezembro", "diciembre", "december"],
];

fn find(table: &[(&str, u64)], word: &str) -> Option<u64> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// The value of a folded Portuguese number word.
pub fn portuguese(word: &str) -> Option<u64> {
    find(PORTUGUESE, word)
}

/// The value of a folded number word in any of the three languages.
pub fn cardinal(word: &str) -> Option<u64> {
    // Longer than any of them: "novecientos", "quatrocentos", "veinticuatro".
    if word.len() > 12 {
        return None;
    }
    find(PORTUGUESE, word).or_else(|| find(OTHERS, word))
}

/// The month, 1 to 12, that a folded word names in full in Portuguese.
pub fn portuguese_month(word: &str) -> Option<u8> {
    (1..).zip(MONTHS).find(|(_, names)| names[0] == word).map(|(month, _)| month)
}

/// The month of which a folded word is the first three letters in Portuguese.
pub fn short_portuguese_month(word: &str) -> Option<u8> {
    let starts = |names: &[&str; 3]| word.len() == 3 && names[0].starts_with(word);
    (1..).zip(MONTHS).find(|(_, names)| starts(names)).map(|(month, _)| month)
}

/// The month that a folded word names in full in any of the three languages.
pub fn month(word: &str) -> Option<u8> {
    (1..).zip(MONTHS).find(|(_, names)| names.contains(&word)).map(|(month, _)| month)
}

/// The month that the first three or four letters name: "fev", "sept", "dic".
pub fn short_month(word: &str) -> Option<u8> {
    if !(3..=4).contains(&word.len()) {
        return None;
    }
    let starts = |names: &[&str; 3]| names.iter().any(|name| name.starts_with(word));
    (1..).zip(MONTHS).find(|(_, names)| starts(names)).map(|(month, _)| month)
}
