//! Texts in more than one language. The English parts need the voice pack.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its ground is missing")]

use std::path::PathBuf;

use lectern_speech::{
    engines::{hibari, kokoro},
    front_end::FrontEnds,
    language::Language,
    pack::Pack,
    phonemes::{Lexicon, phoneme_string},
    spec::InLanguage,
};

#[expect(clippy::disallowed_methods, reason = "tests find the pack where the service would")]
fn voices_dir() -> PathBuf {
    let set = std::env::var_os("LECTERN_SPEECH__VOICES_DIR").map(PathBuf::from);
    set.or_else(Pack::user_voices_dir).expect("a home")
}

fn front_ends() -> FrontEnds {
    FrontEnds::load(&Pack::open(&voices_dir(), hibari::PACK).expect("the voice pack; ./test installs it"))
        .unwrap()
}

/// The phonemes of a text in which the words between braces are marked as a language's.
fn say(front_ends: &FrontEnds, text: &str, language: Language, marked: Language) -> String {
    let (mut plain, mut stretches, mut open) = (String::new(), Vec::new(), 0);
    for c in text.chars() {
        match c {
            '{' => open = plain.len(),
            '}' => stretches.push(InLanguage { range: open..plain.len(), language: marked }),
            _ => plain.push(c),
        }
    }
    let spans = front_ends.of(language).unwrap().split(&plain, 0..plain.len());
    let words = spans.iter().flat_map(|span| {
        let reading = front_ends.read(&plain, span, language, &Lexicon::default(), &stretches).unwrap();
        for word in &reading.words {
            assert!(plain.get(word.source.clone()).is_some(), "{word:?} of {plain:?}");
        }
        reading.words
    });
    phoneme_string(&words.collect::<Vec<_>>())
}

#[test]
fn marked_words_are_read_by_the_front_end_of_their_language() {
    let front_ends = front_ends();
    let say = |text: &str, marked| say(&front_ends, text, Language::EN_US, marked);
    let plain = say("She said bonjour, and left.", Language::FR);
    let marked = say("She said {bonjour}, and left.", Language::FR);
    assert!(!plain.contains('ʁ') && marked.contains("bɔ̃ʒˈuʁ,"), "{marked}");
    assert!(marked.starts_with("ʃˌi sˈɛd ") && marked.ends_with("lˈɛft."), "{marked}");
    // The mark at the end stays with the sentence.
    assert!(say("Is it {bonjour}?", Language::FR).ends_with("bɔ̃ʒˈuʁ?"));
    // A language that nothing here reads is read like the text around it.
    assert_eq!(say("She said {bonjour}, and left.", Language::UNDETERMINED), plain);
    // The whole sentence.
    assert_eq!(say("{Bonjour.}", Language::FR), "bɔ̃ʒˈuʁ.");
}

// Needs the dictionaries.
#[test]
#[ignore = "needs the pack of Kokoro"]
fn words_in_another_script_are_read_by_the_front_end_that_knows_it() {
    let pack = Pack::open(&voices_dir(), kokoro::PACK).expect("the pack is there and the pinned one");
    let front_ends = FrontEnds::load(&pack).unwrap();
    let say = |text: &str| say(&front_ends, text, Language::EN_US, Language::FR);
    let tokyo = say("The 東京タワー is tall.");
    assert!(tokyo.starts_with("ðə toːkʲoːtaβaː ") && tokyo.ends_with("tˈɔl."), "{tokyo}");
    // Digits that touch a word belong to it, and Han without kana is Chinese.
    assert!(say("We met in 北京, in 2026年.").contains("pei↓ʨi→ŋ,"));
    // The ending belongs to the word, and is no letter.
    let ours = say("We love 東京's parks and 北京’s food.");
    assert!(ours.contains("z pˈɑɹks") && ours.contains("z fˈud") && !ours.contains("ˈɛs"), "{ours}");
    assert!(say("नमस्ते means hello.").contains("nəmˈʌsteː"));
    // A number that touches a word belongs to it, with what is inside the number.
    let price = say("It cost 1,500円.");
    assert!(price.contains("kˈɔst ") && !price.contains("wˈʌn"), "{price}");
    // In Chinese, Han next to kana stays Chinese.
    let mixed = self::say(&front_ends, "这家店叫さくら很好吃。", Language::ZH_CN, Language::FR);
    let chinese = self::say(&front_ends, "这家店叫", Language::ZH_CN, Language::FR);
    assert!(mixed.starts_with(&chinese) && mixed.contains("sakɯɾa"), "{mixed}");
    // Cyrillic is not left out where the text's own front end has no sounds for it.
    let french = self::say(&front_ends, "Il a dit « Привет » et puis rien.", Language::FR_FR, Language::FR);
    assert!(french.matches(' ').count() > 6 && french.contains('p'), "{french}");
    // Other scripts are left to the text's own front end, which skips them.
    assert_eq!(say("Hello שלום, you."), say("Hello , you."));
}

// Needs the dictionaries.
#[test]
#[ignore = "needs the pack of Kokoro"]
fn every_word_of_a_mixed_text_reads_bytes_of_its_own_sentence() {
    let pack = Pack::open(&voices_dir(), kokoro::PACK).expect("the pack is there and the pinned one");
    let front_ends = FrontEnds::load(&pack).unwrap();
    let pieces = [
        "Hello",
        " ",
        "東京",
        "タワー",
        "北京",
        "नमस्ते",
        "Привет",
        "1,500",
        "円",
        "。",
        ". ",
        "’s",
        "e\u{301}",
        "٣",
        "שלום",
    ];
    let mut random = 7_u64;
    for round in 0..200 {
        let mut text = String::new();
        let mut marked = Vec::new();
        for _ in 0..12 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let start = text.len();
            text.push_str(pieces[(random >> 33) as usize % pieces.len()]);
            if (random >> 60).is_multiple_of(4) {
                let language =
                    [Language::FR, Language::JA, Language::UNDETERMINED][(random >> 50) as usize % 3];
                marked.push(InLanguage { range: start..text.len(), language });
            }
        }
        for language in [Language::EN_US, Language::FR_FR, Language::ZH_CN, Language::JA_JP, Language::HI_IN]
        {
            for span in front_ends.of(language).unwrap().split(&text, 0..text.len()) {
                let reading = front_ends.read(&text, &span, language, &Lexicon::default(), &marked).unwrap();
                for word in reading.words {
                    let inside = span.range.start <= word.source.start && word.source.end <= span.range.end;
                    assert!(
                        inside && text.get(word.source.clone()).is_some(),
                        "{round}: {word:?} of {span:?} in {text:?}"
                    );
                }
            }
        }
    }
}
