//! How Spanish is cut, read and pronounced: by lines that a person can check, and by properties
//! that hold for every text. Needs no voice pack.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its ground is missing")]

mod cutting;

use std::{collections::BTreeMap, time::Instant};

use cutting::{assert_cut_as_written, check_pieces, check_sources};
use lectern_speech::{
    front_end::{FrontEnd as _, Pause, Span, spanish::SPANISH},
    language::Language,
    phonemes::{Lexicon, PhonemeWord, phoneme_string},
};
use proptest::prelude::*;

const LINES: &str = include_str!("golden/spanish/lines.tsv");
/// Lines that were written, with how they are said, before the rules were read.
const UNSEEN: &str = include_str!("golden/spanish/unseen.tsv");
const SENTENCES: &str = include_str!("golden/spanish/sentences.tsv");
const AMERICAN: &str = include_str!("golden/spanish/american.tsv");

fn split(text: &str) -> Vec<Span> {
    SPANISH.split(text, 0..text.len())
}

fn read(text: &str, language: Language) -> Vec<Vec<PhonemeWord>> {
    let lexicon = Lexicon::default();
    split(text).iter().map(|span| SPANISH.read(text, span, language, &lexicon).unwrap().words).collect()
}

/// The words and the phonemes of a text, sentences joined with ` ‖ `.
fn say(text: &str, language: Language) -> (String, String) {
    let spans = split(text);
    let words = spans.iter().filter_map(|span| SPANISH.spoken(text, span, language).unwrap());
    let words = words.collect::<Vec<_>>().join(" ‖ ");
    let said = read(text, language);
    let said = said.iter().filter(|words| !words.is_empty()).map(|words| phoneme_string(words));
    (words, said.collect::<Vec<_>>().join(" ‖ "))
}

/// Compares each line `text ⇥ words ⇥ phonemes` with the front end's result; returns the number of
/// lines.
fn compare(lines: &str, language: Language) -> usize {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines.lines() {
        let Some((text, wanted)) = line.split_once('\t') else { continue };
        let (words, phonemes) = wanted.split_once('\t').expect("three columns");
        count += 1;
        let found = say(text, language);
        if found != (words.to_owned(), phonemes.to_owned()) {
            wrong.push(format!(
                "{text}\n  wanted {words}\n         {phonemes}\n  found  {}\n         {}",
                found.0, found.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
    count
}

#[test]
fn every_line_of_the_spanish_file_is_read_as_written_there() {
    let count = compare(LINES, Language::ES);
    assert!(count >= 200, "the file has {count} lines");
    assert_eq!(compare(LINES, Language::ES_ES), count);
}

#[test]
fn lines_that_the_rules_had_not_seen_are_read_as_written_there() {
    let count = compare(UNSEEN, Language::ES);
    assert!(count >= 350, "the file has {count} lines");
}

#[test]
fn every_line_of_the_american_file_is_read_as_written_there() {
    let count = compare(AMERICAN, Language::ES_MX);
    assert!(count >= 15, "the file has {count} lines");
    assert_eq!(compare(AMERICAN, Language::ES_419), count);
}

#[test]
fn every_text_of_the_sentences_file_is_cut_as_written_there() {
    assert_cut_as_written(SENTENCES, 25, split);
}

/// Each word's phonemes and the part of the original that it reads.
fn sources(text: &str) -> Vec<(String, &str)> {
    let words = read(text, Language::ES).into_iter().flatten();
    words.map(|word| (word.phonemes, &text[word.source])).collect()
}

#[test]
fn every_word_knows_the_part_of_the_original_that_it_reads() {
    let pairs = |text| -> Vec<(String, &str)> { sources(text) };
    let pair = |said: &str, written: &'static str| (said.to_owned(), written);
    assert_eq!(
        pairs("¿Cuánto? 5 €, Sr. Paz"),
        [
            pair("kwˈanto", "Cuánto"),
            pair("?", "?"),
            pair("θˈinko", "5 €"),
            pair("ˈeʊɾos", "5 €"),
            pair(",", ","),
            pair("seɲˈoɾ", "Sr."),
            pair("pˈaθ", "Paz"),
        ]
    );
    assert_eq!(
        pairs("cafe\u{301} 5km"),
        [pair("kafˈe", "cafe\u{301}"), pair("θˈinko", "5"), pair("kilˈometɾos", "km")]
    );
    assert_eq!(pairs("caste\u{AD}llano"), [pair("kˌasteʎˈano", "caste\u{AD}llano")]);
}

#[test]
fn pronunciations_that_are_given_go_before_the_rules() {
    let mut lexicon = Lexicon::default();
    lexicon.insert("ONG", "oˈneɡe").unwrap();
    lexicon.insert("sr", "sˈiɾ").unwrap();
    let text = "La ONG de [Smith](/smˈiθ/), Sr. Paz.";
    let span = &split(text)[0];
    let words = SPANISH.read(text, span, Language::ES, &lexicon).unwrap().words;
    assert_eq!(phoneme_string(&words), "la onˈeɡe ðe smˈiθ, sˈiɾ. pˈaθ.");
}

#[test]
fn another_language_is_refused() {
    let span = Span { range: 0..4, pause: Pause::Sentence };
    for tag in ["en-US", "pt", "und"] {
        let language = tag.parse().unwrap();
        assert!(SPANISH.read("Hola", &span, language, &Lexicon::default()).is_err(), "{tag}");
        assert!(SPANISH.spoken("Hola", &span, language).is_err(), "{tag}");
    }
}

/// Properties that hold for the pieces and words of any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let pieces = split(text);
    check_pieces(text, &pieces)?;
    for piece in &pieces {
        let words = SPANISH.read(text, piece, Language::ES, &Lexicon::default()).unwrap().words;
        check_sources(text, piece, words.iter().map(|word| &word.source))?;
        for word in &words {
            prop_assert!(word.phonemes.len() <= 203, "no word is endless: {word:?}");
            prop_assert!(!word.phonemes.contains(|c: char| c.is_ascii_digit() || c == ' '), "{word:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut_and_read_without_loss(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn texts_of_signs_digits_and_words_are_cut_and_read_without_loss(
        text in r#"([A-Za-z]{1,6}|[0-9]{1,5}|[ .,:;/$%°'"()\[\]<>#@&*_^~|+=-]{1,3}|Sr\.|EE\. UU\.|n\.º |a\. m\.|siglo IV|á|ñ|ü|—|–|¿|¡|«|»|½|²|€|º|ª|km|h|de |las |https://|\n|\n\n|😀|世|\u{301}|\u{200D}){1,60}"#
    ) {
        check(&text)?;
    }

    /// Plain words come out unchanged: none is dropped, doubled or moved, and each has a sound.
    #[test]
    fn plain_words_are_all_said(words in prop::collection::vec("[b-zñáéíóúü]{3,9}", 1..40)) {
        let text = words.join(" ");
        let mut written: Vec<(usize, usize)> = Vec::new();
        for word in read(&text, Language::ES).into_iter().flatten() {
            prop_assert!(word.phonemes.chars().any(char::is_alphabetic) || text[word.source.clone()].chars().all(|c| c == 'h'), "{:?}", word);
            written.push((word.source.start, word.source.end));
        }
        written.dedup();
        let found: Vec<&str> = written.iter().map(|&(from, to)| &text[from..to]).collect();
        prop_assert_eq!(found.concat(), words.concat());
    }
}

#[test]
fn floods_are_read_in_pieces_of_bounded_size_and_time() {
    for text in [
        "la".repeat(2500),
        "a".repeat(5000),
        "h".repeat(5000),
        "bcd".repeat(1700),
        "B".repeat(5000),
        "7".repeat(10_000),
        "1.".repeat(2500),
        "1-".repeat(2500),
        "1/".repeat(2500),
        "1:".repeat(2500),
        "12 ".repeat(1700),
        "123 ".repeat(1250),
        "1.000.".repeat(800),
        "¿".repeat(5000),
        "¿¡«(".repeat(1250),
        "«¿hola? ".repeat(600),
        "[".repeat(5000),
        "[a](".repeat(1250),
        "(a".repeat(2500),
        "\"'".repeat(2500),
        "<http".repeat(1000),
        "x@".repeat(2500),
        "a.b@".repeat(1250),
        "XIV ".repeat(1250),
        "siglos V y ".repeat(450),
        "EE. UU. ".repeat(600),
        "Sr. ".repeat(1250),
        "—".repeat(5000),
        "😀".repeat(5000),
        "e\u{301}".repeat(2500) + &"\u{301}".repeat(2500),
        "世".repeat(5000),
        "\n".repeat(5000),
        "½".repeat(2500),
        "€5".repeat(1600),
        "5 € ".repeat(1250),
        "5º".repeat(1600),
    ] {
        let begun = Instant::now();
        check(&text)
            .unwrap_or_else(|error| panic!("{}…: {error}", text.chars().take(20).collect::<String>()));
        assert!(
            begun.elapsed().as_secs() < 3,
            "{:?} for {:?}",
            begun.elapsed(),
            text.chars().take(20).collect::<String>()
        );
    }
}

#[test]
fn a_flood_of_digits_is_read_digit_by_digit_in_short_pieces() {
    let text = "7".repeat(10_000);
    let pieces = read(&text, Language::ES);
    let sevens = |words: &Vec<PhonemeWord>| words.iter().filter(|word| word.phonemes.ends_with("te")).count();
    assert_eq!(pieces.iter().map(sevens).sum::<usize>(), 10_000);
    assert!(pieces.iter().all(|words| sevens(words) <= 90));
}

#[test]
fn a_long_sentence_without_marks_is_cut_where_a_phrase_begins() {
    let text = "La comisión que el gobierno había nombrado en primavera para que estudiara las causas de la gran inundación informó \
                después de once meses de sesiones en las que se escuchó a más de doscientos testigos que el muro levantado encima \
                del viejo puerto se había construido sobre arena y barro por hombres que nada sabían del río y que el dinero que \
                la ciudad había reservado para repararlo se había gastado en un mercado nuevo que nadie había pedido.";
    let pieces = split(text);
    assert!(pieces.len() > 1);
    for pair in pieces.windows(2) {
        assert_eq!(pair[0].pause, Pause::Phrase);
        let first = text[pair[1].range.clone()].split(' ').next().unwrap();
        assert!(["que", "y", "en", "sobre", "por", "para"].contains(&first), "cut before {first}");
    }
}

/// The front end is called for every sentence of a book.
#[test]
fn reading_is_fast_and_linear() {
    let paragraph = "El 3 de abril de 1925 llegaron 21 barcos al puerto; la Dra. Gómez contó 1.234 personas, y nadie dijo nada. ";
    let time = |times: usize| {
        let text = paragraph.repeat(times);
        let begun = Instant::now();
        assert!(read(&text, Language::ES).len() >= times);
        begun.elapsed().as_secs_f64() / times as f64
    };
    time(20);
    let (few, many) = (time(200), time(2000));
    assert!(many < 4.0 * few + 1e-4, "{few} s and {many} s a paragraph");
}

/// Every sound of the language occurs in some line, so that the comparison above covers it.
#[test]
fn the_lines_have_every_sound() {
    let mut seen: BTreeMap<char, usize> = BTreeMap::new();
    for symbol in LINES.lines().filter_map(|line| line.split('\t').nth(2)).flat_map(str::chars) {
        *seen.entry(symbol).or_default() += 1;
    }
    for symbol in "abdefijklmnoprstuwxθβðɣɡɾʎɲŋʝʤʧʃɛɪʊAIWːˈˌ".chars() {
        assert!(seen.contains_key(&symbol), "no line has {symbol}");
    }
}
