//! Prints the phonemes of tagged sentences, one line a sentence: the bench's way to our front end alone.
//!
//! Each input line is a JSON array of tokens `[text, Penn tag, whether a space follows]`, as another tokenizer and
//! tagger made them, so that only the phonemes are compared. Usage: `phonemes [--british] < tokens.jsonl`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people and scripts")]

use std::{
    error::Error,
    io::{self, BufRead as _},
    time::{Duration, Instant},
};

use lectern_speech::{
    pack::Pack,
    phonemes::{Accent, Lexicon, Phonemizer, phoneme_string},
    text::{Pause, Sentence, Token},
};

fn main() -> Result<(), Box<dyn Error>> {
    let british = std::env::args().any(|argument| argument == "--british");
    let folder = Pack::user_voices_dir().ok_or("no home directory")?;
    let pack = Pack::open(&folder)?;
    let start = Instant::now();
    let phonemizer = Phonemizer::load(&pack, if british { Accent::British } else { Accent::American })?;
    let loading = start.elapsed();
    let (mut saying, mut sentences) = (Duration::ZERO, 0_u32);
    for line in io::stdin().lock().lines() {
        let sentence = sentence(&line?)?;
        let start = Instant::now();
        let words = phonemizer.phonemize(&sentence, &Lexicon::default());
        saying += start.elapsed();
        sentences += 1;
        println!("{}", phoneme_string(&words));
    }
    eprintln!(
        "{} words loaded in {loading:.1?}; {sentences} sentences in {saying:.1?}, {:.1?} each; peak RSS {}",
        phonemizer.known_words(),
        saying / sentences.max(1),
        peak_rss().unwrap_or_else(|| "unknown".to_owned()),
    );
    Ok(())
}

fn peak_rss() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some(format!("{} (now {})", line("VmHWM:")?, line("VmRSS:")?))
}

fn sentence(line: &str) -> Result<Sentence, Box<dyn Error>> {
    let tokens: Vec<(String, String, bool)> = serde_json::from_str(line)?;
    let mut at = 0;
    let mut sentence = Sentence { source: 0..0, tokens: Vec::new(), pause: Pause::Sentence };
    for (text, tag, space_after) in tokens {
        let source = at..at + text.len();
        at = source.end + usize::from(space_after);
        // A few dozen different tags in one short run.
        let tag: &'static str = Box::leak(tag.into_boxed_str());
        sentence.tokens.push(Token { text, source, space_after, tag, ipa: None });
    }
    sentence.source = 0..at;
    Ok(sentence)
}
