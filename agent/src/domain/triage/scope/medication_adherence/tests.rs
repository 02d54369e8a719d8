use super::*;

#[test]
fn every_class_named_in_a_phrase_exists() {
    let lists: Vec<&str> =
        words::CLASSES.iter().chain(drugs::CLASSES).map(|(name, _)| *name).collect();
    assert!(lists.len() <= 64);
    for phrase in TABLES.iter().copied().flatten().flat_map(|table| table.phrases) {
        for word in phrase.split([' ', '|']).filter(|word| *word != "??") {
            let word = word.trim_end_matches('?');
            if let Some(name) = word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
                assert!(lists.contains(&name), "{name} in {phrase}");
            }
            assert!(word.is_ascii() && !word.is_empty(), "{word} in {phrase}");
        }
    }
}
