//! How texts are cut, read aloud and tagged: by files of examples that a person can check, and by
//! properties that hold for every text. Needs the voice pack, which `./test` installs.

#![expect(clippy::expect_used, reason = "a test that cannot prepare its ground fails")]

mod cutting;

use std::{ops::Range, path::PathBuf, sync::OnceLock};

use cutting::{assert_cut_as_written, check_pieces, check_sources, unescaped};
use lectern_speech::{
    engines::hibari,
    front_end::{
        Pause, Span,
        english::{
            Accent,
            text::{Analyzer, Sentence, spoken},
        },
    },
    pack::Pack,
};
use proptest::prelude::*;

const WORDS: &str = include_str!("golden/text/words.tsv");
const SENTENCES: &str = include_str!("golden/text/sentences.tsv");
const HARD: &str = include_str!("golden/text/hard.tsv");

#[expect(clippy::disallowed_methods, reason = "tests find the pack where the service would")]
fn analyzer() -> &'static Analyzer {
    static ANALYZER: OnceLock<Analyzer> = OnceLock::new();
    ANALYZER.get_or_init(|| {
        let set = std::env::var_os("LECTERN_SPEECH__VOICES_DIR").map(PathBuf::from);
        let voices = set.or_else(Pack::user_voices_dir).expect("a home directory");
        let pack = Pack::open(&voices, hibari::PACK).expect("the voice pack; ./test installs it");
        Analyzer::load(&pack).expect("a tagger and a tokenizer in the pack")
    })
}

fn read(text: &str, accent: Accent) -> Vec<Sentence> {
    let analyzer = analyzer();
    split(text).iter().filter_map(|span| analyzer.analyze(text, span, accent)).collect()
}

fn split(text: &str) -> Vec<Span> {
    analyzer().split(text, 0..text.len())
}

/// The sentence of the first token in a range of a text.
fn analyze(text: &str, range: Range<usize>) -> Option<Sentence> {
    analyzer().analyze(text, &Span { range, pause: Pause::Sentence }, Accent::American)
}

fn say(text: &str, accent: Accent) -> String {
    let sentences: Vec<String> = read(text, accent).iter().map(spoken).collect();
    if sentences.is_empty() { "∅".to_owned() } else { sentences.join(" ‖ ") }
}

#[test]
fn every_line_of_the_words_file_is_read_as_written_there() {
    let mut accent = Accent::American;
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in WORDS.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            accent = if heading.contains("(British)") { Accent::British } else { Accent::American };
        }
        let Some((written, wanted)) =
            line.split_once(" ⇒ ").filter(|_| !line.starts_with("How ") && !line.contains("what is said"))
        else {
            continue;
        };
        count += 1;
        let found = say(&unescaped(written), accent);
        if found != wanted {
            wrong.push(format!("{written}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    assert!(count >= 500, "the file has {count} cases");
    assert!(wrong.is_empty(), "{} of {count} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is said, without marks, spaces and capitals; `‖` between sentences stays.
fn bare(said: &str) -> String {
    said.chars().filter(|&c| c.is_alphanumeric() || c == '‖').flat_map(char::to_lowercase).collect()
}

/// Lines of `category, text, what is said`, with ` | ` between readings that are equally good.
///
/// Negative controls, seen: "In the 18th c. 90% of people farmed" and "Trk. 9" end a sentence early without their rules.
#[test]
fn every_hard_line_is_read_as_a_person_would_read_it() {
    let mut wrong = Vec::new();
    let mut rates: std::collections::BTreeMap<&str, (usize, usize)> = std::collections::BTreeMap::new();
    for line in HARD.lines() {
        let [category, written, wanted] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("malformed: {line}")
        };
        let found = say(&unescaped(&written.replace(r"\\", "\u{5c}")), Accent::American);
        let right = wanted.split(" | ").any(|wanted| bare(wanted) == bare(&found));
        let rate = rates.entry(category).or_default();
        rate.1 += 1;
        rate.0 += usize::from(right);
        if !right {
            wrong.push(format!("[{category}] {written}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    let lines: usize = rates.values().map(|rate| rate.1).sum();
    assert!(lines >= 600 && rates.len() == 34, "{lines} lines in {} categories", rates.len());
    assert!(wrong.is_empty(), "{} of {lines} are read wrongly: {rates:?}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_text_of_the_sentences_file_is_cut_as_written_there() {
    assert_cut_as_written(SENTENCES, 80, split);
}

/// The tags of a word in a sentence, in order of appearance.
fn tags(text: &str, word: &str) -> Vec<&'static str> {
    let sentences = read(text, Accent::American);
    let tokens = sentences.iter().flat_map(|sentence| &sentence.tokens);
    tokens.filter(|token| token.text == word).map(|token| token.tag).collect()
}

#[test]
fn heteronyms_are_tagged_by_what_they_do_in_the_sentence() {
    for (text, word, wanted) in [
        ("I will read the book tomorrow.", "read", "VB"),
        ("I read the book yesterday and she was glad.", "read", "VBD"),
        ("They live in Paris.", "live", "VBP"),
        ("It was a live concert.", "live", "JJ"),
        ("She wants to record a song.", "record", "VB"),
        ("He broke the record.", "record", "NN"),
        ("They will present the prize.", "present", "VB"),
        ("She opened the present.", "present", "NN"),
        ("He will lead the team.", "lead", "VB"),
        ("The pipe is made of lead.", "lead", "NN"),
        ("The wind was strong.", "wind", "NN"),
        ("You must wind the clock.", "wind", "VB"),
        ("We refuse to go.", "refuse", "VBP"),
        ("The refuse was burnt.", "refuse", "NN"),
    ] {
        assert_eq!(tags(text, word), [wanted], "{word:?} in {text:?}");
    }
}

#[test]
fn contractions_and_possessives_are_two_tokens_and_names_with_stops_one() {
    let tokens = |text: &str| -> Vec<String> {
        read(text, Accent::American)
            .iter()
            .flat_map(|sentence| &sentence.tokens)
            .map(|token| token.text.clone())
            .collect()
    };
    assert_eq!(tokens("I don't."), ["I", "do", "n't", "."]);
    assert_eq!(tokens("It’s John’s."), ["It", "'s", "John", "'s", "."]);
    assert_eq!(tokens("We can't, they'll."), ["We", "ca", "n't", ",", "they", "'ll", "."]);
    assert_eq!(tokens("the U.S. at 10am"), ["the", "U.S.", "at", "ten", "a.m."]);
    assert_eq!(tokens("a well-known (old) man"), ["a", "well", "-", "known", "(", "old", ")", "man"]);
    assert_eq!(tokens("Well... yes—no"), ["Well", "...", "yes", "—", "no"]);
}

/// Each token's text, and the part of the original that it reads.
fn sources(text: &str) -> Vec<(String, &str)> {
    let sentences = read(text, Accent::American);
    let tokens = sentences.iter().flat_map(|sentence| &sentence.tokens);
    tokens.map(|token| (token.text.clone(), &text[token.source.clone()])).collect()
}

#[test]
fn every_token_knows_the_part_of_the_original_that_it_reads() {
    let pair = |spoken: &str, written: &'static str| (spoken.to_owned(), written);
    assert_eq!(
        sources("“Hi,” $5 don’t"),
        [
            pair("Hi", "Hi"),
            pair(",", ","),
            pair("five", "$5"),
            pair("dollars", "$5"),
            pair("do", "do"),
            pair("n't", "n’t")
        ]
    );
    assert_eq!(
        sources("**On** Jan. 5, 2020"),
        [
            pair("On", "On"),
            pair("January", "Jan."),
            pair("fifth", "5"),
            pair(",", ","),
            pair("twenty", "2020"),
            pair("twenty", "2020")
        ]
    );
    assert_eq!(
        sources("cafe\u{301} 5km"),
        [pair("café", "cafe\u{301}"), pair("five", "5"), pair("kilometers", "km")]
    );
    assert_eq!(sources("co\u{AD}op"), [pair("coop", "co\u{AD}op")]);
    assert_eq!(
        sources("a [b](http://c.de) [d](/diː/)!"),
        [pair("a", "a"), pair("b", "b"), pair("d", "d"), pair("!", "!")]
    );
}

#[test]
fn a_pronunciation_given_inline_stays_with_its_word() {
    let sentences = read("Say [New York's](/nu jɔɹks/) now.", Accent::American);
    let tokens: Vec<(&str, Option<&str>)> = sentences
        .iter()
        .flat_map(|sentence| &sentence.tokens)
        .map(|token| (token.text.as_str(), token.ipa.as_deref()))
        .collect();
    assert_eq!(tokens, [("Say", None), ("New York's", Some("nu jɔɹks")), ("now", None), (".", None)]);
}

#[test]
fn a_range_that_is_none_of_the_texts_says_nothing() {
    assert_eq!(analyze("é", 1..2), None);
    assert_eq!(analyze("abc", 2..9), None);
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is tried")]
    let backwards = 2..1;
    assert_eq!(analyze("abc", backwards), None);
}

#[test]
fn a_sentence_given_by_its_range_gets_the_pause_that_splitting_gave_it() {
    let text = "The Title\n\nOne. Two.\n\nThree.\n\n* * *\n\nFour.";
    for piece in split(text) {
        let alone = analyzer().split(text, piece.range.clone());
        assert_eq!(alone, [piece]);
    }
}

/// Properties that hold for the pieces and sentences of any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let pieces = split(text);
    check_pieces(text, &pieces)?;
    for piece in &pieces {
        let Some(sentence) = analyze(text, piece.range.clone()) else { continue };
        prop_assert!(!sentence.tokens.is_empty());
        check_sources(text, piece, sentence.tokens.iter().map(|token| &token.source))?;
        for token in &sentence.tokens {
            let is_one_word = !token.text.is_empty() && !token.text.contains(' ');
            prop_assert!(is_one_word || token.ipa.is_some(), "{token:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    // Negative control: seen to fail when `Clean::origin` returned the cleaned text's range.
    #[test]
    fn any_text_is_cut_and_read_without_loss(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn texts_of_signs_digits_and_words_are_cut_and_read_without_loss(
        text in r#"([A-Za-z]{1,6}|[0-9]{1,5}|[ .,:;/$%°'"()\[\]<>#@&*_^~|+=-]{1,3}|Dr\.|St\.|No\. |a\.m\.|IV|é|—|–|’|“|½|²|€|km|https://|\n|\n\n|😀|世|\u{301}|\u{200D}){1,60}"#
    ) {
        check(&text)?;
    }

    /// Plain words come out unchanged: none is dropped, doubled or moved.
    #[test]
    fn plain_words_are_all_said(words in prop::collection::vec("[b-z]{3,9}", 1..40)) {
        let text = words.join(" ");
        let tokens: Vec<String> = sources(&text).into_iter().map(|(_, written)| written.to_owned()).collect();
        prop_assert_eq!(tokens.concat(), words.concat());
    }
}

// Negative control: seen to fail with `split::WISHED` raised to 350,000, and so was the flood of
// digits below.
#[test]
fn floods_are_read_in_pieces_of_bounded_size() {
    for text in [
        "a".repeat(5000),
        "7".repeat(5000),
        ".".repeat(5000),
        "word ".repeat(1000),
        "word, ".repeat(800),
        "[".repeat(5000),
        "[a](".repeat(1250),
        "\"'".repeat(2500),
        "1.".repeat(2500),
        "1-".repeat(2500),
        "<http".repeat(1000),
        "😀".repeat(5000),
        "é\u{301}\u{301}".repeat(1600),
        "e\u{301}".repeat(2500) + &"\u{301}".repeat(2500),
        "世".repeat(5000),
        "\n".repeat(5000),
        "U.S.".repeat(1250),
        "A ".repeat(2500),
        "a\n".repeat(2500),
        "5 - ".repeat(1250),
        "x@".repeat(2500),
        "*".repeat(5000),
    ] {
        check(&text)
            .unwrap_or_else(|error| panic!("{}…: {error}", text.chars().take(20).collect::<String>()));
    }
}

/// A digit is a word, and the network takes about 400 phonemes at a time.
#[test]
fn a_flood_of_digits_is_read_digit_by_digit_in_short_pieces() {
    let text = "7".repeat(5000);
    let sentences = read(&text, Accent::American);
    let words = |sentence: &Sentence| sentence.tokens.iter().filter(|token| token.text == "seven").count();
    assert_eq!(sentences.iter().map(words).sum::<usize>(), 5000);
    assert!(sentences.iter().all(|sentence| words(sentence) <= 90));
}

#[test]
fn a_long_sentence_is_cut_after_clauses() {
    let clause = "the river ran on past the mill and the old stone bridge".to_owned();
    let text = format!("{}.", vec![clause; 20].join("; "));
    let pieces = split(&text);
    assert!(pieces.len() > 3, "{pieces:?}");
    for piece in pieces {
        assert!(text[piece.range.clone()].ends_with([';', '.']), "{:?}", &text[piece.range]);
    }
}

/// Where a long sentence without punctuation is cut: the last word of each piece except the last,
/// and the first word of the next piece.
fn cuts(text: &str) -> Vec<(String, String)> {
    let pieces = split(text);
    assert!(pieces.len() > 1, "{text} is not cut");
    let ends = pieces.windows(2).map(|pair| {
        assert_eq!(pair[0].pause, Pause::Phrase, "{:?}", &text[pair[0].range.clone()]);
        let last = text[pair[0].range.clone()].rsplit(' ').next().unwrap_or_default();
        let first = text[pair[1].range.clone()].split(' ').next().unwrap_or_default();
        (last.to_owned(), first.to_owned())
    });
    ends.collect()
}

// Negative control: without the tagger, the first was cut at "more | than" and the second at "the |
// supervision".
#[test]
fn a_long_sentence_without_marks_is_cut_where_a_phrase_begins() {
    for text in [
        "The commission that had been appointed in the spring to look into the causes of the great flood reported after \
         eleven months of hearings at which more than two hundred witnesses had been heard that the wall above the old \
         harbour had been built on sand and clay by men who knew nothing of the river and that the money which the town \
         had set aside for its repair had been spent on a new market hall which nobody had wanted.",
        "All students who wish to take part in the summer course on the history of the northern islands must hand in a \
         written account of their earlier studies to the office of the faculty before the end of the month and carry out \
         a small piece of independent work under the supervision of a member of the teaching staff who has been chosen \
         by the head of the department for this purpose and who will report on it to the board.",
        "She walked along the narrow path between the high hedges and the stone walls of the upper fields until she came \
         to the place where the old road to the quarry crosses the stream and stood there for a long while looking at the \
         water and the slow brown leaves that turned and turned beneath the bridge because nothing that anybody had said \
         to her in the house that morning had made the least sense to her at all.",
    ] {
        for (last, first) in cuts(text) {
            let starts = [
                "that", "which", "who", "where", "and", "because", "until", "before", "under", "at", "by",
                "with",
            ];
            assert!(starts.contains(&first.as_str()), "cut at {last} | {first}");
            let leans = ["the", "a", "of", "to", "more", "in", "old", "new", "and", "had", "been", "was"];
            assert!(!leans.contains(&last.as_str()), "cut at {last} | {first}");
        }
    }
}

/// The number of words in each piece that are digits.
fn digits(text: &str) -> Vec<usize> {
    let sentences = read(text, Accent::American);
    let digits = sentences.iter().map(|sentence| {
        sentence.tokens.iter().filter(|token| ["one", "two", "three"].contains(&token.text.as_str())).count()
    });
    digits.collect()
}

// Negative control: when the search for a phrase ignored the length of spoken digits, one piece had
// all 230.
#[test]
fn a_phrase_that_follows_too_many_digits_is_too_far() {
    let text = format!(
        "The old men of the village said that they had measured about {} metres which the river had dug and that the men of \
         the town would have to fill again before the winter came and which nobody had seen since the great flood.",
        "123".repeat(76) + "12"
    );
    let digits = digits(&text);
    assert_eq!(digits.iter().sum::<usize>(), 230);
    assert!(digits.iter().all(|&count| count <= 90), "{digits:?}");
}

// Negative control: with a cut inside markup that begins a piece, the word lost its pronunciation,
// and the IPA was read.
#[test]
fn a_pronunciation_that_is_longer_than_a_piece_stays_whole() {
    let word = "Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoro";
    let given = format!("[{word}](/ˈ{}/)", "nomi".repeat(74));
    for text in [format!("{given} is a hill."), format!("{given}."), format!("Up there. {given}, a hill.")] {
        let sentences = read(&text, Accent::American);
        let tokens: Vec<_> = sentences.iter().flat_map(|sentence| &sentence.tokens).collect();
        let named: Vec<_> = tokens.iter().filter(|token| token.text == word).collect();
        assert!(named.len() == 1 && named[0].ipa.is_some(), "{tokens:?}");
        assert!(!tokens.iter().any(|token| token.text.contains("nomi")), "{tokens:?}");
    }
}

// Negative control: without `outside` in `sentences`, there were three pieces, and the first was
// "[Yes!".
#[test]
fn a_sentence_does_not_end_inside_a_pronunciation() {
    let text = "[Yes! No](/jˈɛs nˈO/) is a song. It is long.";
    let pieces: Vec<&str> = split(text).into_iter().map(|piece| &text[piece.range]).collect();
    assert_eq!(pieces, ["[Yes! No](/jˈɛs nˈO/) is a song.", "It is long."]);
}

// Negative control: with the search for markup in the cleaned text, "[pause  1s]" was not read.
#[test]
fn what_becomes_markup_by_cleaning_only_is_read() {
    for written in
        ["[pause  1s]", "[pause\n1s]", "[pause\u{a0}1s]", "[pause １s]", "［pause 1s］", "[pa\u{ad}use 1s]"]
    {
        let said = say(&format!("Wait {written} here."), Accent::American);
        assert!(said.contains("pause one"), "{written}: {said}");
    }
    for written in ["[new\nname](/nu nˈAm/)", "[name](/’nAm/)", "[name](/n\u{200B}ˈAm/)"] {
        let tokens = read(&format!("A {written} here."), Accent::American).remove(0).tokens;
        assert!(tokens.iter().all(|token| token.ipa.is_none()), "{written}: {tokens:?}");
    }
}

// Negative control: when `is_blank` searched the whole line, this was stopped after 60 s.
#[test]
fn a_heading_of_many_sentences_is_cut_in_one_pass() {
    let text = format!("# {}", "Go. ".repeat(250_000));
    let begin = std::time::Instant::now();
    assert!(!split(&text).is_empty());
    assert!(begin.elapsed().as_secs() < 6, "{:?}", begin.elapsed());
}

#[test]
fn pauses_in_brackets_are_not_said_and_what_only_looks_like_one_is() {
    assert_eq!(say("Wait [pause 1.5s] for it.[pause 300ms]", Accent::American), "Wait for it.");
    assert!(say("Wait [pause 11s] for it.", Accent::American).contains("pause eleven"));
    assert_eq!(say("A [word](/route/) and [one](/wˈʌn/).", Accent::American), "A word and one.");
    let text = "One thing [pause 1s] and another. [pause 1s]\n\nNext.";
    let pause = |range: Range<usize>| analyzer().split(text, range).first().map(|span| span.pause);
    assert_eq!(pause(0..9), Some(Pause::Phrase));
    assert_eq!(pause(21..33), Some(Pause::Paragraph));
}

#[test]
fn floods_of_flags_are_one_run_or_many_pieces() {
    assert_eq!(
        say(&"🇫🇷".repeat(2_401), Accent::American),
        "flag of France, two thousand four hundred one times"
    );
    assert!(split(&"🇫🇷🇩🇪".repeat(1_200)).len() > 10);
}
