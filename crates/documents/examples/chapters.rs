//! Prints the chapters of documents with their roles: `cargo run -p lectern-documents --example
//! chapters -- FILE…`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people")]

use std::process::ExitCode;

use lectern_documents::{Limits, detect, read};

fn main() -> ExitCode {
    for file in std::env::args().skip(1) {
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        };
        println!("== {file}");
        let document = match detect(&bytes, &bytes).and_then(|kind| read(kind, &bytes, &Limits::default())) {
            Ok(document) => document,
            Err(error) => {
                println!("{error}");
                continue;
            }
        };
        println!("{} notes", document.notes.len());
        for (index, chapter) in document.chapters.iter().enumerate() {
            let end = document.chapters.get(index + 1).map_or(document.text.len(), |next| next.start);
            let own = &document.text[chapter.start..end];
            let begins: String =
                own.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(50).collect();
            println!(
                "{index:3} {}{:<13} {} {:7} {} | {begins}",
                if chapter.role.is_included_by_default() { ' ' } else { '-' },
                chapter.role.as_str(),
                chapter.level,
                own.len(),
                chapter.title.as_deref().unwrap_or("-"),
            );
        }
    }
    ExitCode::SUCCESS
}
