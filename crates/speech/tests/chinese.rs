//! How Chinese is cut, read and pronounced: by lines that a person can check, and by properties
//! that hold for every text. What needs the dictionaries runs with Kokoro's pack.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its ground is missing")]

mod cutting;

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::Instant,
};

use cutting::{assert_cut_as_written, check_pieces, check_sources};
use lectern_speech::{
    engines::{hibari, kokoro},
    front_end::{
        FrontEnd as _, Pause, Span,
        chinese::{self, Chinese, Files},
        english::English,
    },
    language::Language,
    pack::Pack,
    phonemes::{Lexicon, PhonemeWord, phoneme_string},
};
use proptest::prelude::*;

const LINES: &str = include_str!("golden/chinese/lines.tsv");
/// Lines that were written, with how they are said, before the rules were read.
const UNSEEN: &str = include_str!("golden/chinese/unseen.tsv");
const READINGS: &str = include_str!("golden/chinese/readings.tsv");
const PHONEMES: &str = include_str!("golden/chinese/phonemes.tsv");
const SENTENCES: &str = include_str!("golden/chinese/sentences.tsv");

/// The symbols of the voices' alphabet.
const ALPHABET: &str = "→↗↓↘ ;:,.!?—…";

/// Where the installed packs are: `LECTERN_SPEECH__VOICES_DIR`, or the user's own directory.
#[expect(clippy::disallowed_methods, reason = "tests find the pack as the service would")]
fn voices_dir() -> PathBuf {
    std::env::var_os("LECTERN_SPEECH__VOICES_DIR")
        .map(PathBuf::from)
        .or_else(Pack::user_voices_dir)
        .expect("a home directory")
}

static PACK: LazyLock<Pack> =
    LazyLock::new(|| Pack::open(&voices_dir(), kokoro::PACK).expect("the pack is there and the pinned one"));

static CHINESE: LazyLock<Chinese> = LazyLock::new(|| {
    let pack = Pack::open(&voices_dir(), hibari::PACK).expect("./test installs the voice pack");
    Chinese::new(&PACK, &Arc::new(English::load(&pack).expect("the pinned pack loads")))
});

fn split(text: &str) -> Vec<Span> {
    chinese::split(text, 0..text.len())
}

fn spoken(text: &str) -> String {
    let words = split(text).iter().filter_map(|span| chinese::spoken(text, span)).collect::<Vec<_>>();
    words.join("‖")
}

fn read(text: &str) -> Vec<Vec<PhonemeWord>> {
    let lexicon = Lexicon::default();
    let read = |span: &Span| CHINESE.read(text, span, Language::ZH, &lexicon).unwrap().words;
    split(text).iter().map(read).collect()
}

fn phonemes(text: &str) -> String {
    let said = read(text);
    let said = said.iter().filter(|words| !words.is_empty()).map(|words| phoneme_string(words));
    said.collect::<Vec<_>>().join(" ‖ ")
}

fn pinyin(text: &str) -> String {
    let lexicon = Lexicon::default();
    let read = |span: &Span| CHINESE.pinyin(text, span, &lexicon).unwrap();
    split(text).iter().filter_map(read).collect::<Vec<_>>().join(" ‖ ")
}

/// Compares each line `text ⇥ result` with what is found; returns the number of lines.
fn compare(lines: &str, found: impl Fn(&str) -> String) -> usize {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines.lines() {
        let Some((text, wanted)) = line.split_once('\t') else { continue };
        count += 1;
        let found = found(text);
        if found != wanted {
            wrong.push(format!("{text}\n  wanted {wanted}\n  found  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
    count
}

#[test]
fn every_number_and_sign_is_read_as_written_in_the_file() {
    let count = compare(LINES, spoken);
    assert!(count >= 200, "the file has {count} lines");
}

#[test]
fn every_line_that_was_written_before_the_rules_were_read_is_read_as_written_there() {
    let count = compare(UNSEEN, spoken);
    assert!(count >= 580, "the file has {count} lines");
}

#[test]
fn every_text_of_the_sentences_file_is_cut_as_written_there() {
    assert_cut_as_written(SENTENCES, 25, split);
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn every_character_is_read_as_written_in_the_file() {
    let count = compare(READINGS, pinyin);
    assert!(count >= 100, "the file has {count} lines");
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn every_sentence_has_the_phonemes_of_the_file() {
    let count = compare(PHONEMES, phonemes);
    assert!(count >= 20, "the file has {count} lines");
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn every_word_knows_the_part_of_the_original_that_it_reads() {
    let pairs = |text: &'static str| -> Vec<(String, &str)> {
        read(text).into_iter().flatten().map(|word| (word.phonemes, &text[word.source])).collect()
    };
    let pair = |said: &str, written: &'static str| (said.to_owned(), written);
    assert_eq!(
        pairs("他花了¥5，买３支筆。"),
        [
            pair("tʰa→", "他"),
            pair("xwa→", "花"),
            pair("lɤ", "了"),
            pair("u↓", "¥5"),
            pair("ɥɛ↗n", "¥5"),
            pair(",", "，"),
            pair("mai↓", "买"),
            pair("sa→n", "３"),
            pair("ꭧɨ→", "支"),
            pair("pi↓", "筆"),
            pair(".", "。"),
        ]
    );
    assert_eq!(
        pairs("2026-11-25"),
        [pair("ɚ↘li↗ŋɚ↘ljou↘njɛ↗n", "2026"), pair("ʂɨ↗i→ɥe↘", "-11"), pair("ɚ↘ʂɨ↗u↓ɻɨ↘", "-25")]
    );
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn pronunciations_that_are_given_go_before_the_dictionary() {
    let mut lexicon = Lexicon::default();
    lexicon.insert("乐高", "lɤ↘kau→").unwrap();
    let text = "[单](/ʂa↘n/)买了乐高。";
    let span = &split(text)[0];
    let words = CHINESE.read(text, span, Language::ZH, &lexicon).unwrap().words;
    assert_eq!(phoneme_string(&words), "ʂa↘n mai↓ lɤ lɤ↘kau→.");
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn another_language_is_refused_and_all_varieties_are_read() {
    let span = Span { range: 0..6, pause: Pause::Sentence };
    for tag in ["en-US", "ja", "und"] {
        let language = tag.parse().unwrap();
        assert!(CHINESE.read("你好", &span, language, &Lexicon::default()).is_err(), "{tag}");
        assert!(CHINESE.spoken("你好", &span, language).is_err(), "{tag}");
    }
    for tag in ["zh", "zh-CN", "zh-Hans-CN", "zh-TW", "zh-Hant-TW"] {
        let language = tag.parse().unwrap();
        assert!(CHINESE.read("你好", &span, language, &Lexicon::default()).is_ok(), "{tag}");
    }
}

#[test]
fn damaged_dictionaries_are_refused_by_name() {
    let files = || Files {
        words: "你好 10 l\n".into(),
        phrases: r#"{"你好": [["nǐ"], ["hǎo"]]}"#.into(),
        characters: r#"{"20320": "nǐ"}"#.into(),
        traditional: "export default \"國 国|書 书\";".into(),
        traditional_phrases: "export default \"乾淨 干净\";".into(),
    };
    Chinese::check(&files()).unwrap();
    for damaged in ["", "\u{0}", "{", "你好", "你好 x l\n", "[1 a", "{\"a\": 1}", "export default \"國\";"]
    {
        for place in 0..5 {
            let mut files = files();
            let file = [
                &mut files.words,
                &mut files.phrases,
                &mut files.characters,
                &mut files.traditional,
                &mut files.traditional_phrases,
            ]
            .into_iter()
            .nth(place)
            .unwrap();
            *file = damaged.into();
            // JSON that has no words of the language is a dictionary.
            let refused = Chinese::check(&files);
            assert!(refused.is_err(), "{damaged:?} at {place}");
        }
    }
    let cut = Files { words: "你好 10 l\n".as_bytes()[..4].to_vec(), ..files() };
    assert!(Chinese::check(&cut).is_err(), "half a character");
}

/// Properties that hold for the pieces and words of any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let pieces = split(text);
    check_pieces(text, &pieces)?;
    for piece in &pieces {
        let spoken = chinese::spoken(text, piece).unwrap_or_default();
        prop_assert!(!spoken.contains(|c: char| c.is_ascii_digit()), "a digit is left: {spoken}");
    }
    Ok(())
}

fn check_words(text: &str) -> Result<(), TestCaseError> {
    for piece in &split(text) {
        let words = CHINESE.read(text, piece, Language::ZH, &Lexicon::default()).unwrap().words;
        check_sources(text, piece, words.iter().map(|word| &word.source))?;
        for word in &words {
            prop_assert!(!word.phonemes.contains(|c: char| c.is_ascii_digit() || c == ' '), "{word:?}");
        }
    }
    Ok(())
}

/// Frequent characters.
const FREQUENT: &str = "[的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏銀長樂萬與學會說時來個們這國]{1,80}";

const MIXED: &str = r#"([A-Za-z]{1,6}|[0-9]{1,5}|[ .,:;/$%°'"()\[\]<>#@&*_^~|+=-]{1,3}|，|。|、|：|（|）|“|”|《|》|年|月|日|点|分|万|亿|元|个|第|的|了|行|长|得|銀|樂|著|京A|¥|℃|²|½|—|–|…|km|kg|https://|www\.|\n|\n\n|😀|の|\u{301}|\u{200D}|〇|𠀀){1,60}"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_cut_and_spelled_out_without_loss(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn texts_of_signs_digits_and_words_are_cut_and_spelled_out_without_loss(text in MIXED) {
        check(&text)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "needs the pack of Kokoro"]
    fn the_words_of_any_text_lie_in_order(text in MIXED, other in any::<String>()) {
        check_words(&text)?;
        check_words(&other)?;
    }

    /// Every character comes out: none is dropped, doubled or moved, and each has a sound.
    #[test]
    #[ignore = "needs the pack of Kokoro"]
    fn plain_characters_are_all_said(text in FREQUENT) {
        let words: Vec<PhonemeWord> = read(&text).into_iter().flatten().collect();
        for word in &words {
            prop_assert!(word.phonemes.chars().any(char::is_alphabetic), "{:?}", word);
        }
        let said: String = words.iter().map(|word| &text[word.source.clone()]).collect();
        prop_assert_eq!(said, text);
    }
}

const FLOODS: [&str; 40] = [
    "长",
    "行长",
    "的",
    "了得",
    "一",
    "銀行",
    "著",
    "7",
    "1.",
    "1-",
    "1/",
    "1:",
    "12 ",
    "1,234,",
    "1.000.",
    "-5",
    "¥5",
    "5元",
    "5%",
    "1-2-",
    "2026-11-25 ",
    "2026年",
    "14:30 ",
    "13800138000",
    "京A12345",
    "www.",
    "a.b@",
    "A1",
    "No.",
    "（",
    "“",
    "《",
    "，",
    "。",
    "……",
    "——",
    "😀",
    "½",
    "世\u{301}",
    "の",
];

#[test]
fn floods_are_cut_in_pieces_of_bounded_size_and_time() {
    for flood in FLOODS {
        let text = flood.repeat(5000 / flood.chars().count());
        let begun = Instant::now();
        check(&text).unwrap_or_else(|error| panic!("{flood}…: {error}"));
        assert!(begun.elapsed().as_secs() < 3, "{:?} for {flood:?}", begun.elapsed());
    }
}

#[test]
#[ignore = "needs the pack of Kokoro"]
fn floods_are_read_in_bounded_time() {
    for flood in FLOODS {
        let text = flood.repeat(5000 / flood.chars().count());
        let begun = Instant::now();
        check_words(&text).unwrap_or_else(|error| panic!("{flood}…: {error}"));
        assert!(begun.elapsed().as_secs() < 3, "{:?} for {flood:?}", begun.elapsed());
    }
}

/// The front end is called for every sentence of a book.
#[test]
#[ignore = "needs the pack of Kokoro"]
fn reading_is_fast_and_linear() {
    let paragraph = "2026年11月25日，他在银行花了3.5小时，办了12件事；行长说：“没问题！”他们都很高兴地走了。";
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

/// What is written is in the voices' alphabet: the symbols that Chinese adds are few.
#[test]
#[ignore = "needs the pack of Kokoro"]
fn chinese_words_have_chinese_symbols() {
    let known = "aeikxlmnopfhstuwjyŋɕɚɛəɤɥɨɻʂʊʦʨʰꭧɔ";
    for line in READINGS.lines().filter_map(|line| line.split_once('\t')) {
        let said = phonemes(line.0);
        assert!(said.chars().all(|symbol| known.contains(symbol) || ALPHABET.contains(symbol)), "{said}");
    }
}
