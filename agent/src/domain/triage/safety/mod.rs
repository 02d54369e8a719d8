//! Customers whose life is in danger: found before anything else is looked at.
//!
//! Pure. What must be answered and who must be told follows from the verdict and is not decided
//! here.

mod crisis;
mod harmless;

use std::sync::LazyLock;

use super::fold::{self, Folded};
use super::phrase::{self, Disguises, Lexicon, WordClass};

/// What a phrase says about the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    /// Somebody means to die, or to hurt themselves.
    Crisis,
    /// The same words are also said in jest: laughter excuses them.
    Hint,
    /// A way of speaking: what stands inside is not meant.
    Harmless,
}

type Table = phrase::Table<Group>;

/// Long words of this subject in which one wrong letter is forgiven.
const MISSPELT: &[&str] =
    &["suicidio", "suicidar", "suicida", "suicidarme", "suicide", "suicidal", "matarme", "morirme"];

static LEXICON: LazyLock<Lexicon<Group>> = LazyLock::new(|| {
    let class = |(index, (name, words)): (usize, &(&str, &'static str))| WordClass {
        name: (*name).to_owned(),
        bit: 1 << index,
        words,
    };
    let classes: Vec<WordClass> = crisis::CLASSES.iter().enumerate().map(class).collect();
    let disguises = Disguises { misspelt: MISSPELT, hidden: &[] };
    Lexicon::build(classes, disguises, &[crisis::TABLES, harmless::TABLES])
});

/// Finds messages of customers in danger.
#[derive(Debug, Clone, Copy)]
pub struct SafetyCheck;

impl SafetyCheck {
    /// The rule by which `message` speaks of suicide or self-harm; `None` when it does not.
    pub fn evaluate(message: &str) -> Option<&'static str> {
        Self::judge(&fold::tokenize(message))
    }

    /// As [`Self::evaluate`], for a message that is folded already.
    pub(super) fn judge(text: &Folded) -> Option<&'static str> {
        let found = LEXICON.read(text);
        let laughs = text.words().any(|word| word == "kkk")
            || text.emoji.iter().any(|emoji| "😂🤣😅😆".contains(*emoji));
        let harmless = Some(Group::Harmless);
        let hint = || found.first_outside(Group::Hint, harmless).filter(|_| !laughs);
        let meant = found.first_outside(Group::Crisis, harmless).or_else(hint);
        meant.map(|hit| hit.rule)
    }
}

#[cfg(test)]
mod tests;
