//! Which questions there are in a text, and where each rises: by a table that a person can check.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use lectern_speech::{
    front_end::questions::{self, RiseSize},
    language::Language,
};

const KINDS: &str = include_str!("golden/questions/kinds.tsv");

fn language(tag: &str) -> Language {
    tag.parse().unwrap()
}

// Not seen to fail with a single table left out; with expectations that the rules did not meet it did.
#[test]
fn every_question_of_the_table_has_its_kind() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in KINDS.lines() {
        let [tag, wanted, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("malformed: {line}")
        };
        count += 1;
        let found = questions::find(text, 0..text.len(), language(tag));
        let kinds: Vec<&str> = found.iter().map(|question| question.kind.as_str()).collect();
        let kinds = if kinds.is_empty() { "-".to_owned() } else { kinds.join(", ") };
        if kinds != wanted {
            wrong.push(format!("{text}\n  wanted {wanted}\n  found  {kinds}"));
        }
        for question in &found {
            assert!(!question.rises.is_empty() || !question.kind.rises(), "{text}");
            for rise in &question.rises {
                assert!(rise.range.start >= question.range.start && rise.range.end <= question.range.end);
                assert!(text.is_char_boundary(rise.range.start) && text.is_char_boundary(rise.range.end));
            }
        }
    }
    assert!(count >= 160, "the table has {count} lines");
    assert!(wrong.is_empty(), "{} of {count} are taken for another kind:\n{}", wrong.len(), wrong.join("\n"));
}

fn rising<'a>(text: &'a str, tag: &str) -> Vec<&'a str> {
    questions::rises(text, 0..text.len(), language(tag)).into_iter().map(|rise| &text[rise.range]).collect()
}

#[test]
fn a_rise_is_where_the_question_is() {
    assert_eq!(rising("“Is it yours?” she asked.", "en-US"), ["Is it yours"]);
    assert_eq!(rising("It works, right?", "en-GB"), ["right"]);
    assert_eq!(rising("Would you like tea, coffee or juice?", "en-US"), ["Would you like tea", "coffee"]);
    assert_eq!(rising("What time is it?", "en-US"), [""; 0]);
    assert_eq!(rising("Si llueve, ¿vendrás?", "es-ES"), ["vendrás"]);
    let sizes: Vec<RiseSize> =
        questions::rises("来ますか？", 0..15, language("ja")).iter().map(|rise| rise.size).collect();
    assert_eq!(sizes, [RiseSize::Mora]);
}

// Negative control: with `sentence_start` returning `span_start`, the second part rises.
#[test]
fn a_part_of_a_long_sentence_knows_how_the_sentence_began() {
    let text =
        "He knew. What did the keeper of the tower say to you, and to nobody else, on the bridge that night?";
    let part = text.find("and to nobody").unwrap()..text.len();
    assert_eq!(questions::rises(text, part.clone(), Language::EN_US), []);
    let text = text.replace("What did the keeper", "Did the keeper");
    let part = part.start - 5..text.len();
    assert_eq!(questions::rises(&text, part, Language::EN_US).len(), 1);
}

#[test]
fn any_text_and_any_part_of_it_can_be_looked_at() {
    for text in ["", "?", "¿?", "\"?\"", "'?'", "(?)", "a?b?c? ??", "…?", "—?", "[pause 1s]?", "¿¿a?? '\"?"]
    {
        for tag in ["en", "es", "fr", "it", "pt", "ja", "zh", "de"] {
            for start in 0..=text.len() {
                questions::find(text, start..text.len(), language(tag));
            }
        }
    }
}
