//! What one word means: a few numbers, so that reading a message allocates nothing per word.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many phrase words one word can stand for: itself and beginnings of it.
const SYMBOLS: usize = 6;
/// Stands for no phrase word.
pub const NO_SYMBOL: u16 = u16::MAX;

/// What one word means: the phrase words it stands for and its classes.
#[derive(Debug, Clone, Copy)]
pub struct Sense {
    symbols: [u16; SYMBOLS],
    /// Classes of the word, one bit each; see [`super::WordClass`].
    pub classes: u64,
}

impl Default for Sense {
    fn default() -> Self {
        Self { symbols: [NO_SYMBOL; SYMBOLS], classes: 0 }
    }
}

impl Sense {
    /// The phrase word that this word itself is.
    pub fn own_symbol(&mut self) -> &mut u16 {
        &mut self.symbols[0]
    }

    /// The phrase words this word stands for.
    pub fn symbols(&self) -> impl Iterator<Item = u16> {
        self.symbols.into_iter().take_while(|s| *s != NO_SYMBOL)
    }

    /// Adds what `other` means.
    pub fn absorb(&mut self, other: &Self) {
        self.classes |= other.classes;
        for symbol in other.symbols() {
            if let Some(free) = self.symbols.iter_mut().find(|s| **s == NO_SYMBOL) {
                *free = symbol;
            }
        }
    }
}

/// Hashes short words quickly; the keys are ours, so nobody can make them collide.
#[derive(Debug, Default, Clone, Copy)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

/// A map with words as keys.
pub type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// The positions of the bits set in `classes`.
pub fn bits(mut classes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = classes.trailing_zeros();
        classes &= classes.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}
