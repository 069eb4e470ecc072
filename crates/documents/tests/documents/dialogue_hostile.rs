//! Dialogue attribution of texts that are no novels: whatever is sent, it ends soon and its result
//! can be used.

use std::time::{Duration, Instant};

use lectern_documents::dialogue::{Attribution, attribute};
use proptest::prelude::*;

/// What every result promises.
fn checked(text: &str, language: &str) -> Attribution {
    let attribution = attribute(text, language);
    let mut end = 0;
    for quote in &attribution.quotes {
        assert!(quote.range.start >= end && quote.range.start < quote.range.end, "{quote:?}");
        end = quote.range.end;
        assert!(text[quote.range.clone()].contains(char::is_alphanumeric), "{quote:?}");
        assert!((0.0..=1.0).contains(&quote.confidence), "{quote:?}");
        assert_eq!(quote.speaker.is_none(), quote.confidence == 0.0, "{quote:?}");
        if let Some(name) = &quote.speaker {
            assert!(!name.trim().is_empty() && name.chars().count() <= 100, "{quote:?}");
            assert!(!name.contains(['[', ']', '\n', '\r', '\0']), "{quote:?}");
        }
    }
    let counted: u32 = attribution.speakers.iter().map(|speaker| speaker.quotes).sum();
    assert_eq!(counted as usize, attribution.quotes.iter().filter(|quote| quote.speaker.is_some()).count());
    attribution
}

const LANGUAGES: [&str; 5] = ["en", "fr", "de", "es", "it"];

#[test]
fn odd_texts_neither_panic_nor_take_long() {
    let long = 100_000;
    let names: String = (0..20_000).map(|n| format!("“Yes,” said Ab{} Cd{n}.\n\n", n % 977)).collect();
    let surnames: String = (0..20_000).map(|n| format!("“Yes,” said Mr. A{n} Smith. ")).collect();
    let texts = [
        String::new(),
        "\0\0\0“\0”\0 said \0Ines\0".repeat(1_000),
        "“".repeat(long),
        "\"".repeat(long),
        "'".repeat(long),
        "“a ".repeat(long),
        "\"a\" ".repeat(long),
        "'a' ".repeat(long),
        "‘a’ said ".repeat(long / 2),
        "“a”\n\n".repeat(long / 2),
        "\"a\n\n".repeat(long / 2),
        format!("“{}”", "word and Word, Ines, ".repeat(long / 8)),
        "Ines said, she told him that ".repeat(long / 10),
        "said ".repeat(long),
        "the ".repeat(long),
        "who said, and ".repeat(long / 4),
        "Ann’s ".repeat(long / 2),
        "A. ".repeat(long),
        "Mr. Mrs. ".repeat(long / 4),
        "— a, dit b, ".repeat(long / 4),
        "—a —b ".repeat(long / 2),
        ",".repeat(long * 2),
        "«»„“”‚‘’‹›\"'".repeat(long / 10),
        "אמר “שלום” ‏دان‏ «قال» ".repeat(long / 10),
        "x".repeat(1_000_000),
        format!("“Hm,” said {}.", "X".repeat(1_000_000)),
        names,
        surnames,
    ];
    for text in &texts {
        for language in LANGUAGES {
            let started = Instant::now();
            checked(text, language);
            // Linear work takes less than a second of an optimized build.
            let shown: String = text.chars().take(30).collect();
            let took = started.elapsed();
            assert!(took < Duration::from_secs(20), "{shown:?} in {language} took {took:?}");
        }
    }
}

#[test]
fn forty_thousand_quotes_are_attributed() {
    let turn = "“Where were you?” asked Ines.\n\n“At home,” said Tom.\n\n“Alone?”\n\n“Alone.”\n\n";
    let Attribution { speakers, quotes } = checked(&turn.repeat(10_000), "en");
    assert_eq!(quotes.len(), 40_000);
    assert_eq!(
        speakers.iter().map(|one| (one.name.as_str(), one.quotes)).collect::<Vec<_>>(),
        [("Ines", 20_000), ("Tom", 20_000)]
    );
}

#[test]
fn a_text_without_quotes_has_none() {
    assert_eq!(checked("Ines sat by the sea. She said nothing.", "en"), Attribution::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn results_are_sound_for_any_text(
        text in "([“”\"'‘’«»„—,.!?:;\\[\\]…-]|said|asked|the|old|man|her|father|Ines|Mr\\.|Tom|he|I|who|and|ß| |\n|\n\n|\\PC){0,300}",
        language in 0_usize..5,
    ) {
        checked(&text, LANGUAGES[language]);
    }
}
