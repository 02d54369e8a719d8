//! The nine kinds of fact, as one table (seed 002 §5).

use chrono::{DateTime, TimeDelta, Utc};

/// Where a fact counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In every unit of the account.
    Global,
    /// In the unit where it was learnt; a fact without a unit counts everywhere.
    Unit,
}

impl Scope {
    /// As stored in `captain_contact_memories.scope`.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Global => "global",
            Scope::Unit => "unit",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [Scope::Global, Scope::Unit].into_iter().find(|scope| scope.as_str() == word)
    }
}

/// What happens to a fact when its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    /// It has no end.
    Never,
    /// It stays active and weighs less in recall.
    WeighsLess,
    /// It is inactive, and the aging job deletes it.
    Deletes,
}

/// What kind of fact it is (seed 002 §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryKind {
    Preferencia,
    DataComemorativa,
    VinculoSocial,
    PadraoComportamental,
    Reclamacao,
    FeedbackPositivo,
    Restricao,
    VinculoComercial,
    ContextoPessoal,
}

/// One row of the seed's table.
#[derive(Debug, Clone, Copy)]
pub struct KindRule {
    pub kind: MemoryKind,
    /// As stored in `captain_contact_memories.memory_type`.
    pub name: &'static str,
    pub scope: Scope,
    pub ttl_days: Option<i64>,
    pub expiry: Expiry,
    /// May tell of somebody's health (LGPD art. 11).
    pub sensitive: bool,
    /// What it is, for the extraction prompt.
    pub meaning: &'static str,
    /// A fact of this kind with the excerpt that proves it, for the extraction prompt.
    pub example: (&'static str, &'static str),
}

/// The taxonomy.
pub const KINDS: [KindRule; 9] = [
    KindRule {
        kind: MemoryKind::Preferencia,
        name: "preferencia",
        scope: Scope::Global,
        ttl_days: Some(365),
        expiry: Expiry::WeighsLess,
        sensitive: false,
        meaning: "do que o cliente gosta, não gosta ou costuma escolher",
        example: ("Prefere suíte com hidromassagem", "sempre fico melhor numa suíte com hidro"),
    },
    KindRule {
        kind: MemoryKind::DataComemorativa,
        name: "data_comemorativa",
        scope: Scope::Global,
        ttl_days: None,
        expiry: Expiry::Never,
        sensitive: false,
        meaning: "aniversário ou outra data que o cliente comemora",
        example: ("Aniversário de casamento em 14/02", "nosso aniversário de casamento é 14/02"),
    },
    KindRule {
        kind: MemoryKind::VinculoSocial,
        name: "vinculo_social",
        scope: Scope::Global,
        ttl_days: Some(730),
        expiry: Expiry::Deletes,
        sensitive: false,
        meaning: "com quem o cliente vem ou vive: família, amigos, animais",
        example: ("Vem com a esposa Mariana", "vou com a minha esposa, a Mariana"),
    },
    KindRule {
        kind: MemoryKind::PadraoComportamental,
        name: "padrao_comportamental",
        scope: Scope::Unit,
        ttl_days: Some(365),
        expiry: Expiry::WeighsLess,
        sensitive: false,
        meaning: "um hábito do cliente nesta unidade, como a hora a que chega",
        example: ("Costuma chegar às 21h", "eu sempre chego umas 21h"),
    },
    KindRule {
        kind: MemoryKind::Reclamacao,
        name: "reclamacao",
        scope: Scope::Unit,
        ttl_days: Some(180),
        expiry: Expiry::Deletes,
        sensitive: false,
        meaning: "algo de que o cliente reclamou nesta unidade",
        example: ("Ar-condicionado da 204 barulhento", "o ar da 204 faz muito barulho"),
    },
    KindRule {
        kind: MemoryKind::FeedbackPositivo,
        name: "feedback_positivo",
        scope: Scope::Unit,
        ttl_days: Some(365),
        expiry: Expiry::Deletes,
        sensitive: false,
        meaning: "algo ou alguém que o cliente elogiou nesta unidade",
        example: ("Elogiou a Dona Cida do café", "a dona Cida do café é um amor"),
    },
    KindRule {
        kind: MemoryKind::Restricao,
        name: "restricao",
        scope: Scope::Global,
        ttl_days: None,
        expiry: Expiry::Never,
        sensitive: true,
        meaning: "alergia, restrição alimentar, de saúde ou de acessibilidade do próprio cliente",
        example: ("Alérgico a amendoim", "sou alérgico a amendoim"),
    },
    KindRule {
        kind: MemoryKind::VinculoComercial,
        name: "vinculo_comercial",
        scope: Scope::Global,
        ttl_days: Some(365),
        expiry: Expiry::WeighsLess,
        sensitive: false,
        meaning: "empresa, convênio ou programa que dá ao cliente uma condição especial",
        example: ("Funcionário da Caixa", "sou funcionário da Caixa, tem desconto?"),
    },
    KindRule {
        kind: MemoryKind::ContextoPessoal,
        name: "contexto_pessoal",
        scope: Scope::Global,
        ttl_days: Some(365),
        expiry: Expiry::WeighsLess,
        sensitive: false,
        meaning: "algo da vida do cliente que muda como atendê-lo",
        example: ("Viaja a trabalho e fica pouco tempo", "viajo a trabalho, fico pouco tempo"),
    },
];

impl MemoryKind {
    /// Its row of the table.
    pub fn rule(self) -> &'static KindRule {
        // The table lists the kinds in the order of the enum; a test holds that.
        &KINDS[self as usize]
    }

    pub fn as_str(self) -> &'static str {
        self.rule().name
    }

    /// The kind of that name, however it is spaced, accented or capitalised.
    pub fn parse(word: &str) -> Option<Self> {
        let word = crate::domain::triage::fold::fold(word.trim()).replace([' ', '-'], "_");
        KINDS.iter().find(|rule| rule.name == word).map(|rule| rule.kind)
    }

    /// When a fact that was verified at `verified_at` ends.
    pub fn expires_at(self, verified_at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.rule().ttl_days.map(|days| verified_at + TimeDelta::days(days))
    }

    /// Whether a fact of this kind still counts (DESIGN §7, "active").
    pub fn is_current(self, expires_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
        self.rule().expiry == Expiry::WeighsLess || expires_at.is_none_or(|end| end > now)
    }

    /// The names of the kinds with that end.
    pub fn names_of(expiry: Expiry) -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(move |rule| rule.expiry == expiry).map(|rule| rule.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_seeds() {
        let seed = [
            ("preferencia", "global", Some(365), Expiry::WeighsLess),
            ("data_comemorativa", "global", None, Expiry::Never),
            ("vinculo_social", "global", Some(730), Expiry::Deletes),
            ("padrao_comportamental", "unit", Some(365), Expiry::WeighsLess),
            ("reclamacao", "unit", Some(180), Expiry::Deletes),
            ("feedback_positivo", "unit", Some(365), Expiry::Deletes),
            ("restricao", "global", None, Expiry::Never),
            ("vinculo_comercial", "global", Some(365), Expiry::WeighsLess),
            ("contexto_pessoal", "global", Some(365), Expiry::WeighsLess),
        ];
        for ((name, scope, ttl, expiry), rule) in seed.into_iter().zip(KINDS) {
            assert_eq!((rule.name, rule.scope.as_str()), (name, scope));
            assert_eq!((rule.ttl_days, rule.expiry), (ttl, expiry), "{name}");
            assert_eq!(rule.kind.as_str(), name);
            assert_eq!(MemoryKind::parse(name), Some(rule.kind));
            assert_eq!(ttl.is_none(), expiry == Expiry::Never, "{name}");
        }
    }

    #[test]
    fn a_name_is_read_in_other_spellings_and_a_tenth_kind_is_not_read() {
        assert_eq!(MemoryKind::parse(" Reclamação "), Some(MemoryKind::Reclamacao));
        assert_eq!(MemoryKind::parse("Vínculo Social"), Some(MemoryKind::VinculoSocial));
        assert_eq!(MemoryKind::parse("humor"), None);
        assert_eq!(MemoryKind::parse(""), None);
    }

    #[test]
    fn an_expired_fact_is_current_only_when_its_kind_weighs_less() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let ended = Some(now - TimeDelta::seconds(1));
        for rule in KINDS {
            let weighs_less = rule.expiry == Expiry::WeighsLess;
            assert_eq!(rule.kind.is_current(ended, now), weighs_less, "{}", rule.name);
            assert!(rule.kind.is_current(None, now), "{}", rule.name);
            assert!(rule.kind.is_current(Some(now + TimeDelta::seconds(1)), now));
        }
    }
}
