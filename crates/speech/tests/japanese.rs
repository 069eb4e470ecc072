//! How Japanese is cut, read and pronounced: by lines that a person can check, and by properties that
//! hold for every text. What needs the dictionary of the pack is left to `./test`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its ground is missing")]

mod cutting;

use std::{path::PathBuf, sync::LazyLock, time::Instant};

use cutting::{assert_cut_as_written, check_pieces, check_sources};
use lectern_speech::{
    engines::kokoro::PACK,
    front_end::{FrontEnd, FrontEnds, Pause, Span, japanese},
    language::Language,
    pack::Pack,
    phonemes::{Lexicon, PhonemeWord, Vocabulary, phoneme_string},
};
use proptest::{prelude::*, test_runner::TestRunner};

const LINES: &str = include_str!("golden/japanese/lines.tsv");
/// Lines that were written, with how they are said, before the rules were read.
const UNSEEN: &str = include_str!("golden/japanese/unseen.tsv");
const SENTENCES: &str = include_str!("golden/japanese/sentences.tsv");

#[expect(clippy::disallowed_methods, reason = "tests find the pack where the service would")]
fn configured_voices() -> Option<PathBuf> {
    std::env::var_os("LECTERN_SPEECH__VOICES_DIR").map(PathBuf::from)
}

static VOICES: LazyLock<Pack> = LazyLock::new(|| {
    let voices = configured_voices().or_else(Pack::user_voices_dir).expect("a home directory");
    Pack::open(&voices, PACK).expect("the pack is there and the pinned one")
});

static FRONT_ENDS: LazyLock<FrontEnds> =
    LazyLock::new(|| FrontEnds::load(&VOICES).expect("the pinned pack loads"));

fn front_end() -> &'static dyn FrontEnd {
    FRONT_ENDS.of(Language::JA).expect("Japanese is registered")
}

fn split(text: &str) -> Vec<Span> {
    japanese::split(text, 0..text.len())
}

fn read_with(text: &str, lexicon: &Lexicon) -> Vec<Vec<PhonemeWord>> {
    let read = |span| front_end().read(text, span, Language::JA, lexicon).unwrap().words;
    split(text).iter().map(read).collect()
}

fn read(text: &str) -> Vec<Vec<PhonemeWord>> {
    read_with(text, &Lexicon::default())
}

/// The reading and the phonemes of a text, sentences joined with ` ‖ `.
fn say(text: &str) -> (String, String) {
    let spans = split(text);
    let words = spans.iter().filter_map(|span| front_end().spoken(text, span, Language::JA_JP).unwrap());
    let words = words.collect::<Vec<_>>().join(" ‖ ");
    let said = read(text);
    let said = said.iter().filter(|words| !words.is_empty()).map(|words| phoneme_string(words));
    (words, said.collect::<Vec<_>>().join(" ‖ "))
}

#[test]
fn every_text_of_the_sentences_file_is_cut_as_written_there() {
    assert_cut_as_written(SENTENCES, 25, split);
}

#[test]
fn a_long_sentence_without_spaces_is_cut_where_a_phrase_begins() {
    let text = "政府が昨年の春に任命した委員会は大きな洪水の原因を調べるために十一か月のあいだに二百人を超える証人の話を聞き古い港の\
                上に築かれた壁が川を知らない人々の手で砂と泥の上に建てられていたことと町が修理のために蓄えていた金が誰も望まなかった\
                新しい市場の建設に使われていたこととを報告した";
    let long = format!("{text}が{text}が{text}と人々は語った。");
    let pieces = split(&long);
    assert!(pieces.len() > 1);
    for pair in pieces.windows(2) {
        assert_eq!(pair[0].pause, Pause::Phrase);
        let last = long[pair[0].range.clone()].chars().next_back().unwrap();
        assert!("はがをにでともへてばのや".contains(last), "cut after {last}");
    }
    let clauses = "雨が降り、".repeat(100);
    let pieces = split(&clauses);
    assert!(pieces.len() > 1 && pieces[..pieces.len() - 1].iter().all(|piece| piece.pause == Pause::Clause));
}

/// Texts that come in floods.
fn floods() -> Vec<String> {
    let parts = [
        "あ",
        "ー",
        "っ",
        "ん",
        "漢",
        "々",
        "カ",
        "ｶﾞ",
        "、",
        "。",
        "「",
        "」",
        "（",
        "）",
        "〜",
        "・",
        "…",
        "7",
        "７",
        "1.",
        "1-",
        "1/",
        "1:",
        "12 ",
        "1,000,",
        "一",
        "十",
        "億",
        "何",
        "三本",
        "1億",
        "A",
        "Ab ",
        "https://a.jp/",
        "a@b.jp ",
        "x",
        "|",
        "《",
        "漢《か",
        "か\u{3099}",
        "\u{3099}",
        "ゝ",
        "😀",
        "\u{200D}",
        "¥",
        "-",
        "−",
        "(月)",
        "分の1",
        "[a](",
        "世界",
        "안녕",
        "नम",
        " ",
        "\u{3000}",
        "\n",
    ];
    parts.iter().map(|part| part.repeat(5000 / part.chars().count())).collect()
}

#[test]
fn floods_are_cut_into_pieces_of_bounded_size() {
    for text in floods() {
        let begun = Instant::now();
        check_pieces(&text, &split(&text)).unwrap();
        assert!(begun.elapsed().as_secs() < 3, "{text:.20}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut_without_loss(text in any::<String>()) {
        check_pieces(&text, &split(&text))?;
    }
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_dictionary_every_line_of_the_file_is_read_as_written_there() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in LINES.lines() {
        let Some((text, wanted)) = line.split_once('\t') else { continue };
        let (words, phonemes) = wanted.split_once('\t').expect("three columns");
        count += 1;
        let found = say(text);
        if found != (words.to_owned(), phonemes.to_owned()) {
            let (said, symbols) = found;
            wrong.push(format!(
                "{text}\n  wanted {words}\n         {phonemes}\n  found  {said}\n         {symbols}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 200, "the file has {count} lines");
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_dictionary_every_line_written_before_the_rules_were_read_is_read_as_written_there() {
    let lines: Vec<(&str, &str)> = UNSEEN.lines().filter_map(|line| line.split_once('\t')).collect();
    let said = lines.iter().map(|&(text, wanted)| (text, wanted, say(text).0));
    let wrong: Vec<_> = said.filter(|(_, wanted, found)| wanted != found).collect();
    assert!(wrong.is_empty(), "read wrongly: {wrong:#?}");
    assert!(lines.len() >= 560, "the file has {} lines", lines.len());
}

fn check(text: &str, vocabulary: &Vocabulary) -> Result<(), TestCaseError> {
    for piece in split(text) {
        let words = front_end().read(text, &piece, Language::JA, &Lexicon::default()).unwrap().words;
        check_sources(text, &piece, words.iter().map(|word| &word.source))?;
        for word in &words {
            prop_assert!(word.phonemes.len() <= 203, "no word is endless: {word:?}");
            prop_assert!(!word.phonemes.contains(|c: char| c.is_ascii_digit() || c == ' '), "{word:?}");
        }
        // The ids have one more at both ends, and one for each space.
        let symbols = phoneme_string(&words).chars().count();
        prop_assert_eq!(vocabulary.ids(&words).ids.len(), symbols + 2, "the voices know every symbol");
        front_end().spoken(text, &piece, Language::JA).unwrap();
    }
    Ok(())
}

/// One test, since each process that opens the pack checks its 310 MB.
#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_dictionary_any_text_is_read_and_floods_are_bounded() {
    let vocabulary = Vocabulary::load(&VOICES).unwrap();
    let config = || ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let mixed = r#"([ぁ-ん]{1,6}|[ァ-ヴー]{1,5}|[一二三十百千万億]{1,3}|[0-9]{1,5}|[A-Za-z]{1,6}|[ .,:;/$%°'"()\[\]<>#@&*_^~|+=-]{1,3}|年|月|日|時|分の|人|本|か月|何|数|km|℃|円|〜|、|。|「|」|（月）|漢字《かんじ》|¥|\n|😀|\u{3099}|世界|東京|は|を){1,40}"#;
    TestRunner::new(config()).run(&mixed, |text| check(&text, &vocabulary)).unwrap();
    TestRunner::new(config()).run(&any::<String>(), |text| check(&text, &vocabulary)).unwrap();
    for text in floods() {
        let begun = Instant::now();
        check(&text, &vocabulary).unwrap();
        assert!(begun.elapsed().as_secs() < 10, "{:?} for {:.20}", begun.elapsed(), text);
    }
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn with_the_real_dictionary_words_know_their_bytes_and_given_pronunciations_go_first() {
    let sources = |text: &'static str, lexicon: &Lexicon| -> Vec<(&'static str, String)> {
        let words = read_with(text, lexicon).into_iter().flatten();
        words.map(|word| (&text[word.source.clone()], word.phonemes)).collect()
    };
    let pairs = |pairs: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        pairs.iter().map(|(written, said)| (*written, (*said).to_owned())).collect()
    };
    let none = Lexicon::default();
    assert_eq!(
        sources("私は３本のペンを買った。", &none),
        pairs(&[
            ("私", "βataɕi"),
            ("は", "βa"),
            ("３本", "sambon"),
            ("の", "no"),
            ("ペン", "peɴ"),
            ("を", "o"),
            ("買った", "kaʔta"),
            ("。", "."),
        ])
        .into_iter()
        .map(|(written, said)| (written, said.replace("sambon", "samboɴ")))
        .collect::<Vec<_>>()
    );
    let mut lexicon = Lexicon::default();
    lexicon.insert("日向", "çiɯɡa").unwrap();
    lexicon.insert("ACME", "akɯme").unwrap();
    let text = "日向とACMEと[橋本](/haɕimoˈto/)。";
    assert_eq!(
        sources(text, &lexicon),
        pairs(&[
            ("日向", "çiɯɡa"),
            ("と", "to"),
            ("ACME", "akɯme"),
            ("と", "to"),
            ("橋本", "haɕimotˈo"),
            ("。", ".")
        ])
    );
    // A dictionary has no word for it, so English reads it.
    let english = sources("Lecternを使う。", &none);
    assert!(english[0].0 == "Lectern" && english[0].1.contains('ˈ'), "{english:?}");
    for tag in ["en-US", "zh", "und"] {
        let language = tag.parse().unwrap();
        let span = Span { range: 0..3, pause: Pause::Sentence };
        assert!(front_end().read("本", &span, language, &none).is_err(), "{tag}");
    }
}
