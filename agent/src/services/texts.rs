//! Sentences that customers read, word for word from `templates/responses`.

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
