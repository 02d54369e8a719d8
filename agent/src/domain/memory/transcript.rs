//! Which messages of a conversation an extraction reads: all that have not been learnt from, and
//! as much of what came before as there is room for.

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    Customer,
    Bot,
    /// A person of the business.
    Operator,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub id: i64,
    pub author: Author,
    pub text: String,
    /// A customer's message that no extraction has read.
    pub fresh: bool,
}

/// What one extraction reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub lines: Vec<Line>,
    /// Fresh lines are left for another extraction.
    pub more: bool,
}

impl Excerpt {
    /// The messages that are learnt from.
    pub fn fresh(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.fresh)
    }
}

/// What a line costs beside its text: its number, its author, marks.
const LINE_CHARS: usize = 40;

fn size(line: &Line) -> usize {
    line.text.chars().count() + LINE_CHARS
}

/// Cuts a conversation, oldest first, to `room` characters, at message boundaries. Lines that came
/// before the first fresh one go first, the oldest first of all. When what is fresh does not fit by
/// itself, its oldest part is read now and the rest later. At least one line is read.
pub fn cut(lines: &[Line], room: usize) -> Excerpt {
    let Some(first) = lines.iter().position(|line| line.fresh) else {
        return Excerpt { lines: Vec::new(), more: false };
    };
    let mut free = room;
    let mut end = first;
    for line in &lines[first..] {
        let size = size(line);
        if size > free && end > first {
            break;
        }
        free = free.saturating_sub(size);
        end += 1;
    }
    let more = lines[end..].iter().any(|line| line.fresh);
    let mut begin = first;
    for line in lines[..first].iter().rev() {
        let size = size(line);
        if size > free {
            break;
        }
        free -= size;
        begin -= 1;
    }
    Excerpt { lines: lines[begin..end].to_vec(), more }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: i64, fresh: bool, chars: usize) -> Line {
        let author = if fresh || id % 2 == 1 { Author::Customer } else { Author::Bot };
        Line { id, author, text: "a".repeat(chars), fresh }
    }

    fn ids(excerpt: &Excerpt) -> Vec<i64> {
        excerpt.lines.iter().map(|line| line.id).collect()
    }

    #[test]
    fn what_fits_is_read_whole() {
        let lines = vec![line(1, false, 10), line(2, false, 10), line(3, true, 10)];
        let excerpt = cut(&lines, 1_000);
        assert_eq!((ids(&excerpt), excerpt.more), (vec![1, 2, 3], false));
    }

    #[test]
    fn the_oldest_context_is_cut_first_and_nothing_fresh() {
        let lines = vec![line(1, false, 60), line(2, false, 60), line(3, true, 60)];
        let excerpt = cut(&lines, 200);
        assert_eq!((ids(&excerpt), excerpt.more), (vec![2, 3], false));
    }

    #[test]
    fn fresh_messages_that_do_not_fit_are_left_for_the_next_time() {
        let lines: Vec<Line> = (1..=10).map(|id| line(id, true, 60)).collect();
        let excerpt = cut(&lines, 350);
        assert_eq!((ids(&excerpt), excerpt.more), (vec![1, 2, 3], true));
    }

    #[test]
    fn a_message_larger_than_the_room_is_read_alone() {
        let excerpt = cut(&[line(1, true, 5_000), line(2, true, 10)], 100);
        assert_eq!((ids(&excerpt), excerpt.more), (vec![1], true));
    }

    #[test]
    fn without_anything_fresh_nothing_is_read() {
        let excerpt = cut(&[line(1, false, 10)], 100);
        assert_eq!((excerpt.lines.len(), excerpt.more), (0, false));
    }

    #[test]
    fn every_fresh_message_is_read_once_however_little_room_there_is() {
        for room in [1, 90, 333, 5_000, 1_000_000] {
            let mut lines: Vec<Line> = (1..=2_000).map(|id| line(id, id % 3 != 0, 50)).collect();
            let mut read = Vec::new();
            loop {
                let excerpt = cut(&lines, room);
                let now: Vec<i64> = excerpt.fresh().map(|line| line.id).collect();
                lines.iter_mut().filter(|line| now.contains(&line.id)).for_each(|line| {
                    line.fresh = false;
                });
                read.extend(now);
                if !excerpt.more {
                    break;
                }
                // Slow for tiny rooms; enough has been seen.
                if read.len() > 300 && room < 5_000 {
                    break;
                }
            }
            let expected = (1..=2_000).filter(|id| id % 3 != 0).take(read.len());
            assert_eq!(read, expected.collect::<Vec<i64>>(), "{room}");
            assert!(room < 5_000 || read.len() == 1_334, "{room}");
        }
    }
}
