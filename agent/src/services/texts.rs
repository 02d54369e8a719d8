//! Sentences that customers read, word for word from `templates/responses`.

use crate::domain::triage::locale::Locale;

/// When no answer could be made (seed 004).
pub const TECHNICAL_PROBLEM: &str =
    include_str!("../../../templates/responses/pt-BR/technical-problem.txt");

/// To a voice message that nobody can hear.
pub const AUDIO_NOT_HEARD: &str =
    include_str!("../../../templates/responses/pt-BR/audio-not-heard.txt");

/// To a file that nobody looks into.
pub const MEDIA_NOT_SEEN: &str =
    include_str!("../../../templates/responses/pt-BR/media-not-seen.txt");

/// To a message that the platform does not show.
pub const MESSAGE_NOT_READABLE: &str =
    include_str!("../../../templates/responses/pt-BR/message-not-readable.txt");

/// A sentence that stands in each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// A tool failed, and what the model made of it may not go out.
    ToolFailure,
    /// The answer's figures have no source.
    NotGrounded,
    /// Nobody took the conversation yet.
    HandoffWaiting,
    /// Nobody took it, and the bot goes on.
    HandoffResumed,
}

macro_rules! languages {
    ($name:literal) => {
        [
            include_str!(concat!("../../../templates/responses/pt-BR/", $name, ".txt")),
            include_str!(concat!("../../../templates/responses/es-419/", $name, ".txt")),
            include_str!(concat!("../../../templates/responses/en/", $name, ".txt")),
        ]
    };
}

impl Text {
    pub fn of(self, locale: Locale) -> &'static str {
        let [pt, es, en] = match self {
            Text::ToolFailure => languages!("tool-failure"),
            Text::NotGrounded => languages!("not-grounded"),
            Text::HandoffWaiting => languages!("handoff-waiting"),
            Text::HandoffResumed => languages!("handoff-resumed"),
        };
        match locale {
            Locale::PtBr => pt,
            Locale::Es419 => es,
            Locale::En => en,
        }
        .trim_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sentence_stands_in_each_language_and_holds_no_figure() {
        let texts =
            [Text::ToolFailure, Text::NotGrounded, Text::HandoffWaiting, Text::HandoffResumed];
        for text in texts {
            let said: Vec<_> =
                [Locale::PtBr, Locale::Es419, Locale::En].map(|locale| text.of(locale)).to_vec();
            assert!(said.iter().all(|said| !said.is_empty() && !said.contains(char::is_numeric)));
            assert!(said[0] != said[1] && said[1] != said[2], "{text:?}");
        }
    }
}
