//! Prints phonemes, one output line for each input line: the benchmarks' access to our front end.
//!
//! Lines are plain text. With `--tokens` each line is a JSON array of tokens `[text, Penn tag,
//! whether a space follows]` from another tokenizer and tagger, so that only the pronunciation is
//! compared. `--british` uses the British accent; `--measure` prints on standard error how long
//! loading and pronouncing took.
//!
//! With `--language TAG` any language is read through its front end: `words ⇥ phonemes` of each
//! line, sentences joined with ` ‖ `; `--measure` prints the time for each character. Usage:
//! `phonemes [--british] [--tokens] [--language TAG] [--measure] < lines`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command for people and scripts")]

use std::{
    error::Error,
    io::{self, BufRead as _},
    time::{Duration, Instant},
};

use lectern_speech::{
    engines::hibari::PACK,
    front_end::{
        FrontEnds, Pause,
        english::{
            Accent,
            phonemes::Phonemizer,
            text::{Analyzer, Sentence, Token},
        },
    },
    language::Language,
    pack::Pack,
    phonemes::{Lexicon, phoneme_string},
};

fn main() -> Result<(), Box<dyn Error>> {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    if let Some(tag) = std::env::args().skip_while(|argument| argument != "--language").nth(1) {
        return by_language(tag.parse()?, asked("--measure"));
    }
    let accent = if asked("--british") { Accent::British } else { Accent::American };
    let pack = Pack::open(&Pack::user_voices_dir().ok_or("no home directory")?, PACK)?;
    let before = resident_kib();
    let start = Instant::now();
    let phonemizer = Phonemizer::load(&pack, accent)?;
    let loading = start.elapsed();
    let loaded = resident_kib();
    let analyzer = if asked("--tokens") { None } else { Some(Analyzer::load(&pack)?) };
    let (mut saying, mut count) = (Duration::ZERO, 0_u32);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let sentences = match &analyzer {
            None => vec![tokens(&line)?],
            Some(analyzer) => {
                let spans = analyzer.split(&line, 0..line.len());
                spans.iter().filter_map(|span| analyzer.analyze(&line, span, accent)).collect()
            }
        };
        let mut said = Vec::new();
        for sentence in sentences {
            let start = Instant::now();
            let words = phonemizer.phonemize(&sentence, &Lexicon::default());
            saying += start.elapsed();
            count += 1;
            said.push(phoneme_string(&words));
        }
        println!("{}", said.join(" "));
    }
    if asked("--measure") {
        eprintln!(
            "{} words loaded in {loading:.1?}, {} KiB more resident; {count} sentences in {saying:.1?}, {:.1?} each; \
             {} KiB resident at the end",
            phonemizer.known_words(),
            loaded.saturating_sub(before),
            saying / count.max(1),
            resident_kib(),
        );
    }
    Ok(())
}

/// Reads lines through the front end of a language.
fn by_language(language: Language, measure: bool) -> Result<(), Box<dyn Error>> {
    let pack = Pack::open(&Pack::user_voices_dir().ok_or("no home directory")?, PACK)?;
    let front_ends = FrontEnds::load(&pack)?;
    let front_end = front_ends.of(language)?;
    let (mut reading, mut characters) = (Duration::ZERO, 0);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (mut words, mut phonemes) = (Vec::new(), Vec::new());
        for span in front_end.split(&line, 0..line.len()) {
            words.extend(front_end.spoken(&line, &span, language)?);
            let start = Instant::now();
            let read = front_end.read(&line, &span, language, &Lexicon::default())?;
            reading += start.elapsed();
            if !read.words.is_empty() {
                phonemes.push(phoneme_string(&read.words));
            }
        }
        characters += line.chars().count();
        println!("{}\t{}", words.join(" ‖ "), phonemes.join(" ‖ "));
    }
    if measure {
        eprintln!(
            "{characters} characters in {reading:.1?}, {:.2?} each",
            reading / characters.max(1) as u32
        );
    }
    Ok(())
}

/// Resident memory of this process; 0 if the system does not report it.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn tokens(line: &str) -> Result<Sentence, Box<dyn Error>> {
    let tokens: Vec<(String, String, bool)> = serde_json::from_str(line)?;
    let mut at = 0;
    let mut sentence = Sentence { source: 0..0, tokens: Vec::new(), pause: Pause::Sentence };
    for (text, tag, space_after) in tokens {
        let source = at..at + text.len();
        at = source.end + usize::from(space_after);
        // There are only a few dozen different tags in one short run.
        let tag: &'static str = Box::leak(tag.into_boxed_str());
        sentence.tokens.push(Token { text, source, space_after, tag, ipa: None });
    }
    sentence.source = 0..at;
    Ok(sentence)
}
