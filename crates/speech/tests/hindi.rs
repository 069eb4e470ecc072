//! How Hindi is cut, read and pronounced: by lines that a person can check, and by properties that
//! hold for every text. Needs no voice pack.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its ground is missing")]

mod cutting;

use std::{collections::BTreeMap, time::Instant};

use cutting::{assert_cut_as_written, check_pieces, check_sources};
use lectern_speech::{
    front_end::{FrontEnd as _, Pause, Span, hindi::Hindi},
    language::Language,
    phonemes::{Lexicon, PhonemeWord, phoneme_string},
};
use proptest::prelude::*;

const LINES: &str = include_str!("golden/hindi/lines.tsv");
const SENTENCES: &str = include_str!("golden/hindi/sentences.tsv");

fn split(text: &str) -> Vec<Span> {
    Hindi::default().split(text, 0..text.len())
}

fn read_with(text: &str, lexicon: &Lexicon) -> Vec<Vec<PhonemeWord>> {
    let hindi = Hindi::default();
    let read = |span| hindi.read(text, span, Language::HI_IN, lexicon).unwrap().words;
    split(text).iter().map(read).collect()
}

fn read(text: &str) -> Vec<Vec<PhonemeWord>> {
    read_with(text, &Lexicon::default())
}

/// The words and the phonemes of a text, sentences joined with ` ‖ `.
fn say(text: &str) -> (String, String) {
    let hindi = Hindi::default();
    let spans = split(text);
    let words = spans.iter().filter_map(|span| hindi.spoken(text, span, Language::HI).unwrap());
    let words = words.collect::<Vec<_>>().join(" ‖ ");
    let said = read(text);
    let said = said.iter().filter(|words| !words.is_empty()).map(|words| phoneme_string(words));
    (words, said.collect::<Vec<_>>().join(" ‖ "))
}

#[test]
fn every_line_of_the_file_is_read_as_written_there() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in LINES.lines() {
        let Some((text, wanted)) = line.split_once('\t') else { continue };
        let (words, phonemes) = wanted.split_once('\t').expect("three columns");
        count += 1;
        let found = say(text);
        if found != (words.to_owned(), phonemes.to_owned()) {
            wrong.push(format!(
                "{text}\n  wanted {words}\n         {phonemes}\n  found  {}\n         {}",
                found.0, found.1
            ));
        }
    }
    assert!(count >= 160, "the file has {count} lines");
    assert!(wrong.is_empty(), "{} of {count} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_text_of_the_sentences_file_is_cut_as_written_there() {
    assert_cut_as_written(SENTENCES, 19, split);
}

/// Every number to 99 has a word of its own and phonemes of its own.
#[test]
fn the_numbers_to_99_are_all_different() {
    let said: Vec<(String, String)> = (0..100).map(|number| say(&number.to_string())).collect();
    for (number, (word, phonemes)) in said.iter().enumerate() {
        assert!(!word.contains(|c: char| c == ' ' || c.is_ascii_digit()), "{number}: {word}");
        assert!(!phonemes.is_empty(), "{number}");
        let same: Vec<usize> =
            (0..100).filter(|&other| said[other].0 == *word || said[other].1 == *phonemes).collect();
        assert_eq!(same, [number], "{word} {phonemes}");
    }
}

/// Each word's phonemes and the part of the original that it reads.
fn sources(text: &str) -> Vec<(String, &str)> {
    let words = read(text).into_iter().flatten();
    words.map(|word| (word.phonemes, &text[word.source])).collect()
}

#[test]
fn every_word_knows_the_part_of_the_original_that_it_reads() {
    let pair = |said: &str, written: &'static str| (said.to_owned(), written);
    assert_eq!(
        sources("क्या? ₹५, डॉ. राम"),
        [
            pair("kːjaː", "क्या"),
            pair("?", "?"),
            pair("pˈa\u{303}c", "₹५"),
            pair("ɾˈʊpjˌeː", "₹५"),
            pair(",", ","),
            pair("ɖˈɔkʈəɾ", "डॉ."),
            pair("ɾˈaːm", "राम"),
        ]
    );
    // Invisible joiners and a dot below of its own belong to their word.
    assert_eq!(sources("क्\u{200D}या"), [pair("kːjaː", "क्\u{200D}या")]);
    assert_eq!(sources("ज\u{93C}रा"), [pair("zˈʌɾaː", "ज\u{93C}रा")]);
}

#[test]
fn pronunciations_that_are_given_go_before_the_rules() {
    let mut lexicon = Lexicon::default();
    lexicon.insert("राम", "ɾˈaːma").unwrap();
    lexicon.insert("डॉ", "dˈɔk").unwrap();
    let words = read_with("[Smith](/smˈiθ/) राम डॉ.", &lexicon).concat();
    assert_eq!(phoneme_string(&words), "smˈiθ ɾˈaːma dˈɔk.");
}

#[test]
fn another_language_is_refused() {
    let span = Span { range: 0..6, pause: Pause::Sentence };
    for tag in ["en-US", "mr", "und"] {
        let language = tag.parse().unwrap();
        assert!(Hindi::default().read("घर", &span, language, &Lexicon::default()).is_err(), "{tag}");
        assert!(Hindi::default().spoken("घर", &span, language).is_err(), "{tag}");
    }
}

/// Every short spelling, lone signs included, has only symbols of the alphabet, and no vowel of it is
/// composed with its tilde: the network would leave it out.
#[test]
fn every_symbol_is_one_that_the_voices_know() {
    let letters: Vec<char> = ('\u{900}'..='\u{97F}').chain(['a', 'é', '世', 'ж', '\u{200D}']).collect();
    let mut words = Vec::new();
    for &a in &letters {
        for &b in &letters {
            words.push(format!("{a}{b}"));
            words.extend(['क', 'र', 'य', 'ं', '\u{94D}', 'ा'].map(|c| format!("{a}{b}{c}")));
        }
    }
    for words in words.chunks(40) {
        let text = words.join(" ");
        for word in read(&text).into_iter().flatten() {
            let unknown: Vec<char> = word.phonemes.chars().filter(|&c| !is_known(c)).collect();
            assert!(unknown.is_empty(), "{unknown:?} in {word:?} of {text}");
        }
    }
}

fn is_known(symbol: char) -> bool {
    // Punctuation, and the alphabet of the voices.
    ";:,.!?—…()".contains(symbol)
        || "\u{303}ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ"
            .contains(symbol)
}

/// Properties that hold for the pieces and words of any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let hindi = Hindi::default();
    let pieces = split(text);
    check_pieces(text, &pieces)?;
    for piece in &pieces {
        let words = hindi.read(text, piece, Language::HI_IN, &Lexicon::default()).unwrap().words;
        check_sources(text, piece, words.iter().map(|word| &word.source))?;
        for word in &words {
            prop_assert!(word.phonemes.len() <= 203, "no word is endless: {word:?}");
            prop_assert!(!word.phonemes.contains(|c: char| c.is_ascii_digit() || c == ' '), "{word:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut_and_read_without_loss(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn texts_of_signs_digits_and_words_are_cut_and_read_without_loss(
        text in r#"([क-ह]{1,4}|[ा-्]{1,2}|[\u{900}-\u{97F}]{1,3}|[A-Za-z]{1,6}|[0-9]{1,5}|[०-९]{1,3}|[ .,:;/$%°'"()\[\]<>#@&*_^~|+=-]{1,3}|डॉ\.|कि\.मी\.|ई\.पू\.|एम\.ए\.|रु\. |₹|बजे |वाँ|वीं| में |।|॥|॰|—|–|½|²|km|https://|\n|\n\n|😀|世|\u{301}|\u{93C}|\u{200C}|\u{200D}){1,60}"#
    ) {
        check(&text)?;
    }

    /// Plain words come out in order: none is dropped, doubled or moved, and each has a sound.
    #[test]
    fn plain_words_are_all_said(words in prop::collection::vec("[क-नप-रलवश-ह][ािीुूेैोौ]?[क-नप-रलवश-ह][ािीुूेैोौंँ]?[क-नप-रलवश-ह]ा", 1..30)) {
        let text = words.join(" ");
        let said: Vec<PhonemeWord> = read(&text).into_iter().flatten().filter(|word| !word.punctuation).collect();
        prop_assert!(said.iter().all(|word| word.phonemes.chars().count() >= 4), "{said:?}");
        let found: Vec<&str> = said.iter().map(|word| &text[word.source.clone()]).collect();
        prop_assert_eq!(found.join(" "), text);
    }
}

#[test]
fn floods_are_read_in_pieces_of_bounded_size_and_time() {
    for text in [
        "का".repeat(2500),
        "क".repeat(5000),
        "क्".repeat(2500),
        "क्ष".repeat(1700),
        "ा".repeat(5000),
        "ं".repeat(5000),
        "\u{94D}".repeat(5000),
        "क\u{93C}".repeat(2500) + &"\u{93C}".repeat(2500),
        "क\u{200D}".repeat(2500),
        "र्".repeat(2500),
        "अह".repeat(2500),
        "a".repeat(5000),
        "a ".repeat(2500),
        "aक".repeat(2500),
        "7".repeat(10_000),
        "७".repeat(5000),
        "1,".repeat(2500),
        "1,23,".repeat(1250),
        "1.".repeat(2500),
        "1-".repeat(2500),
        "1/".repeat(2500),
        "1:".repeat(2500),
        "12 ".repeat(1700),
        "12345 ".repeat(800),
        "+91 ".repeat(1250),
        "रु. ".repeat(1250),
        "₹5".repeat(1600),
        "₹".repeat(5000),
        "ए.".repeat(2500),
        "ए. ".repeat(1700),
        "कि.मी.".repeat(800),
        "1947 में ".repeat(600),
        "9:30 बजे ".repeat(600),
        "5वाँ".repeat(1250),
        "½".repeat(2500),
        "।".repeat(5000),
        "॥ १ ".repeat(1250),
        "—".repeat(5000),
        "😀".repeat(5000),
        "世".repeat(5000),
        "ж".repeat(5000),
        "\n".repeat(5000),
        "[".repeat(5000),
        "[क](".repeat(1250),
        "<http".repeat(1000),
        "x@".repeat(2500),
        "a.b@".repeat(1250),
        "http://a.b/?".repeat(500),
        "क-".repeat(2500),
    ] {
        let begun = Instant::now();
        let begins: String = text.chars().take(20).collect();
        check(&text).unwrap_or_else(|error| panic!("{begins}…: {error}"));
        assert!(begun.elapsed().as_secs() < 3, "{:?} for {begins:?}", begun.elapsed());
    }
}

#[test]
fn a_long_sentence_without_marks_is_cut_where_a_phrase_begins() {
    let text = "सरकार ने जिस समिति को बाढ़ के कारणों की जाँच करने के लिए वसंत में नियुक्त किया था उसने ग्यारह महीने तक दो सौ से अधिक \
                गवाहों की बात सुनी और अंत में बताया कि पुराने बंदरगाह के ऊपर खड़ी दीवार रेत और मिट्टी पर उन लोगों ने बनाई थी जो नदी के \
                बारे में कुछ नहीं जानते थे और जो पैसा शहर ने उसकी मरम्मत के लिए बचाकर रखा था वह एक नए बाज़ार पर ख़र्च कर दिया गया था जिसे \
                किसी ने नहीं माँगा था क्योंकि पुराना बाज़ार अच्छा था";
    let pieces = split(text);
    assert!(pieces.len() > 1);
    for pair in pieces.windows(2) {
        assert_eq!(pair[0].pause, Pause::Phrase);
        let first = text[pair[1].range.clone()].split(' ').next().unwrap();
        assert!(["और", "कि", "जो", "क्योंकि"].contains(&first), "cut before {first}");
    }
}

/// The front end is called for every sentence of a book.
#[test]
fn reading_is_linear() {
    let paragraph = "3 अप्रैल 1925 को 21 जहाज़ बंदरगाह पर आए; डॉ. शर्मा ने 1,234 लोग गिने और किसी ने कुछ नहीं कहा। ";
    let time = |times: usize| {
        let text = paragraph.repeat(times);
        let begun = Instant::now();
        assert!(read(&text).len() >= times);
        begun.elapsed().as_secs_f64() / times as f64
    };
    time(20);
    let (few, many) = (time(100), time(1000));
    assert!(many < 4.0 * few + 1e-4, "{few} s and {many} s a paragraph");
}

/// Every sound of the language occurs in some line, so that the comparison above covers it.
#[test]
fn the_lines_have_every_sound() {
    let mut seen: BTreeMap<char, usize> = BTreeMap::new();
    for symbol in LINES.lines().filter_map(|line| line.split('\t').nth(2)).flat_map(str::chars) {
        *seen.entry(symbol).or_default() += 1;
    }
    for symbol in "abcdefhijklmnoprstuwxzŋɔəɖɛɟɡɣɪɲɳɾʂʃʈʊʋʌʰːˈˌ\u{303}".chars() {
        assert!(seen.contains_key(&symbol), "no line has {symbol}");
    }
}
