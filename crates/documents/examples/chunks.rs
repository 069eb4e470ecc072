//! Prints the text and chunks of a document: `cargo run -p lectern-documents --example chunks --
//! FILE [--json]`. With `--json`, prints the texts of the chunks as a list, for benchmarks; with
//! `--cover PATH`, writes the cover to a file.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people")]

use std::{process::ExitCode, time::Instant};

use lectern_documents::{CHUNK_CHARACTERS, Document, Limits, Unreadable, chunks, detect, read};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: chunks FILE [--json | --cover PATH]");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let started = Instant::now();
    let kind = detect(&bytes, &bytes);
    let document = kind.clone().and_then(|kind| read(kind, &bytes, &Limits::default()));
    let read_in = started.elapsed();
    let document = match document {
        Ok(document) => document,
        Err(Unreadable { reason, message }) => {
            println!("{reason}: {message}");
            return ExitCode::FAILURE;
        }
    };
    let option = arguments.next();
    if option.as_deref() == Some("--cover")
        && let (Some(path), Some(cover)) = (arguments.next(), &document.cover)
        && let Err(error) = std::fs::write(&path, &cover.bytes)
    {
        eprintln!("{path}: {error}");
    }
    let started = Instant::now();
    let chunks = chunks(&document, CHUNK_CHARACTERS);
    let cut_in = started.elapsed();
    if option.as_deref() == Some("--json") {
        let texts: Vec<&str> = chunks.iter().map(|chunk| &document.text[chunk.range.clone()]).collect();
        println!("{}", serde_json::json!(texts));
        return ExitCode::SUCCESS;
    }
    let Document { title, author, language, cover, text, chapters, headings, languages, .. } = &document;
    println!("kind      {}", kind.map_or_else(|_| String::new(), |kind| kind.to_string()));
    println!("title     {}", title.as_deref().unwrap_or("-"));
    println!("author    {}", author.as_deref().unwrap_or("-"));
    println!("language  {}", language.as_deref().unwrap_or("-"));
    println!("cover     {}", cover.as_ref().map_or("-", |cover| &cover.media_type));
    println!(
        "text      {} characters, {} chapters, {} headings, read in {} ms, {} chunks cut in {} ms",
        text.chars().count(),
        chapters.len(),
        headings.len(),
        read_in.as_millis(),
        chunks.len(),
        cut_in.as_millis()
    );
    for marked in languages {
        println!("marked    {} {:?}", marked.tag, &text[marked.range.clone()]);
    }
    for (index, chunk) in chunks.iter().enumerate() {
        if chunk.starts_chapter {
            println!("\n## {}", chunk.title.as_deref().unwrap_or("(no title)"));
        }
        println!("\n[{index}] {} characters", chunk.characters);
        let own = &text[chunk.range.clone()];
        let mut at = 0;
        for rest in &chunk.pauses {
            println!("{}  <{} ms>", own[at..rest.at].trim(), rest.pause_ms);
            at = rest.at;
        }
        println!("{}  <{} ms>", own[at..].trim(), chunk.pause_after_ms);
    }
    ExitCode::SUCCESS
}
