//! How far two words are apart.

/// Whether `a` and `b` differ by at most one letter added, lost, changed, or two swapped.
pub fn within_one_edit(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (rest_short, rest_long) = (&short[same..], &long[same..]);
    if rest_short.len() < rest_long.len() {
        return rest_short == &rest_long[1..];
    }
    match (rest_short, rest_long) {
        ([], []) => true,
        ([_, x @ ..], [_, y @ ..]) if x == y => true,
        ([p, q, x @ ..], [r, s, y @ ..]) => p == s && q == r && x == y,
        _ => false,
    }
}
