//! Prints who says what in a book: `cargo run -p lectern-documents --example dialogue -- FILE
//! [LANGUAGE]`. `!` marks proposals with high confidence.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people")]

use std::{process::ExitCode, time::Instant};

use lectern_documents::{
    Limits, Unreadable, detect,
    dialogue::{Attribution, HIGH_CONFIDENCE, attribute, has_rules},
    extract,
};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: dialogue FILE [LANGUAGE]");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let book = match detect(&bytes, &bytes).and_then(|kind| extract(kind, &bytes, &Limits::default())) {
        Ok(book) => book,
        Err(Unreadable { reason, message }) => {
            println!("{reason}: {message}");
            return ExitCode::FAILURE;
        }
    };
    let language = arguments.next().or(book.language.map(|language| language.tag)).unwrap_or_default();
    if !has_rules(&language) {
        println!("no rules for the language {language:?}");
        return ExitCode::SUCCESS;
    }
    let started = Instant::now();
    let Attribution { speakers, quotes } = attribute(&book.text, &language);
    let took = started.elapsed();
    for quote in &quotes {
        let words: String = book.text[quote.range.clone()].chars().take(80).collect();
        let sure = if quote.confidence >= HIGH_CONFIDENCE { '!' } else { ' ' };
        println!(
            "{:.2}{sure} {:<24} {}",
            quote.confidence,
            quote.speaker.as_deref().unwrap_or("-"),
            words.replace('\n', " ")
        );
    }
    println!("\nquotes  confidence  speaker");
    for speaker in &speakers {
        println!("{:>6}  {:>10.2}  {}", speaker.quotes, speaker.confidence, speaker.name);
    }
    let high = quotes.iter().filter(|quote| quote.confidence >= HIGH_CONFIDENCE).count();
    let open = quotes.iter().filter(|quote| quote.speaker.is_none()).count();
    println!(
        "\n{} quotes in {} characters in {} ms: {high} with high confidence, {open} without a speaker",
        quotes.len(),
        book.text.chars().count(),
        took.as_millis()
    );
    ExitCode::SUCCESS
}
