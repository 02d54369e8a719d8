//! WhatsApp's marks that are open at a point of the text being written.
//!
//! A mark is written when the first content after it is, and formatting ends with the line: at a
//! line break every written mark is closed, to be written again on the next line.

/// The open marks, outermost first; at most one of each kind, as WhatsApp nests no mark in itself.
#[derive(Default)]
pub(super) struct Marks(Vec<Mark>);

struct Mark {
    sign: char,
    state: State,
}

#[derive(PartialEq)]
enum State {
    /// To be written before the next content.
    Due,
    Written,
    /// Written by somebody else around the text that is being made.
    Outside,
}

impl Marks {
    /// Opens a mark; `false` if one of its kind is open already and this one shows nothing new.
    pub(super) fn open(&mut self, sign: char) -> bool {
        self.push(sign, State::Due)
    }

    /// Takes note of a mark that will stand around the text being made.
    pub(super) fn assume(&mut self, sign: char) -> bool {
        self.push(sign, State::Outside)
    }

    fn push(&mut self, sign: char, state: State) -> bool {
        let new = self.0.iter().all(|mark| mark.sign != sign);
        if new {
            self.0.push(Mark { sign, state });
        }
        new
    }

    /// Writes what is due; to be called before any content is written.
    pub(super) fn write_due(&mut self, out: &mut String) {
        for mark in self.0.iter_mut().filter(|mark| mark.state == State::Due) {
            out.push(mark.sign);
            mark.state = State::Written;
        }
    }

    /// Closes the mark opened last; `false` if there was nothing between its ends.
    pub(super) fn close(&mut self, out: &mut String) -> bool {
        let Some(mark) = self.0.pop() else {
            return false;
        };
        let written = mark.state == State::Written;
        if written {
            out.push(mark.sign);
        }
        written
    }

    /// Closes every mark for a line break; they are due again after it.
    pub(super) fn break_line(&mut self, out: &mut String) {
        let written = |mark: &&mut Mark| mark.state == State::Written;
        for mark in self.0.iter_mut().rev().filter(written) {
            out.push(mark.sign);
            mark.state = State::Due;
        }
    }
}
