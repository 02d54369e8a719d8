//! Where code between ` ``` ` is in a text, as WhatsApp sees it: the marks pair up in order,
//! wherever they stand in a line, and one without a partner is text.

pub(super) const MARK: &str = "```";

/// A piece of code with its marks, in byte offsets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Block {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The pieces of code of a text, in order.
#[derive(Default)]
pub(super) struct Fences(Vec<Block>);

impl Fences {
    pub(super) fn find(text: &str) -> Self {
        let mut marks = text.match_indices(MARK).map(|(at, _)| at);
        let mut blocks = Vec::new();
        while let (Some(start), Some(last)) = (marks.next(), marks.next()) {
            let end = last + MARK.len();
            blocks.push(Block { start, end });
        }
        Self(blocks)
    }

    /// The code that a cut at `at` would be inside of.
    pub(super) fn around(&self, at: usize) -> Option<Block> {
        let next = self.0.partition_point(|block| block.end <= at);
        self.0.get(next).filter(|block| block.start < at).copied()
    }

    /// The code that begins at `at`.
    pub(super) fn starting_at(&self, at: usize) -> Option<Block> {
        let next = self.0.partition_point(|block| block.start < at);
        self.0.get(next).filter(|block| block.start == at).copied()
    }
}
