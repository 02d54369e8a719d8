//! Embeddings of the offline model: hashed character trigrams and words. Texts that share words,
//! in any form, point the same way; meaning is beyond it.

use async_trait::async_trait;

use crate::domain::memory::DIMENSIONS;
use crate::domain::triage::fold::fold;
use crate::llm::embedder::{Embedded, Embedder};
use crate::llm::{LlmError, Purpose};

/// Makes embeddings without any model.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineEmbedder;

#[async_trait]
impl Embedder for OfflineEmbedder {
    fn model(&self) -> &str {
        "offline-trigrams"
    }

    async fn embed(&self, _: Purpose, texts: &[String]) -> Result<Embedded, LlmError> {
        Ok(Embedded { vectors: texts.iter().map(|text| embed(text)).collect(), tokens: None })
    }

    fn is_offline(&self) -> bool {
        true
    }
}

/// Short words that every text has.
const EMPTY: &[&str] = &[
    "a", "o", "as", "os", "um", "uma", "de", "do", "da", "dos", "das", "em", "no", "na", "que",
    "e", "com", "por", "para", "pra", "eu", "me",
];

/// The embedding of a text, of length 1; of a text without letters, the zero vector.
pub fn embed(text: &str) -> Vec<f32> {
    let folded = fold(text);
    let mut vector = vec![0.0_f32; DIMENSIONS];
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if EMPTY.contains(&word) {
            continue;
        }
        add(&mut vector, word.as_bytes(), 2.0);
        let padded: Vec<char> = format!(" {word} ").chars().collect();
        for trigram in padded.windows(3) {
            add(&mut vector, trigram.iter().collect::<String>().as_bytes(), 1.0);
        }
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|number| *number /= length);
    }
    vector
}

/// Adds a feature at the place and with the sign that its hash (FNV-1a) says.
fn add(vector: &mut [f32], feature: &[u8], weight: f32) {
    let hash = feature.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let place = usize::try_from(hash % vector.len() as u64).unwrap_or_default();
    let sign = if hash >> 63 == 0 { weight } else { -weight };
    if let Some(number) = vector.get_mut(place) {
        *number += sign;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(left: &str, right: &str) -> f32 {
        embed(left).iter().zip(embed(right)).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn texts_that_share_words_are_alike() {
        assert!((likeness("Alérgico a amendoim", "alergico a AMENDOIM") - 1.0).abs() < 1e-5);
        let near = likeness("Prefere suíte com hidro", "tem suíte com hidro hoje?");
        let far = likeness("Prefere suíte com hidro", "Aniversário em 14/02");
        assert!(near > 0.4 && far < 0.2, "{near} {far}");
        let contrary = likeness("Prefere suíte com hidro", "Prefere quarto sem hidro");
        assert!(contrary > 0.4, "{contrary}");
    }

    #[test]
    fn a_text_without_letters_is_alike_to_nothing() {
        assert_eq!(likeness("🙂", "Alérgico a amendoim"), 0.0);
    }
}
