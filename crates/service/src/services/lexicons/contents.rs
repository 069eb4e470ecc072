//! What a request stores in a lexicon: as JSON, or as a file of the W3C's Pronunciation Lexicon
//! Specification.

use std::collections::HashSet;

use lectern_speech::lexicons::{self, Entry, Said};
use lectern_types::{LexiconEntry, LexiconRequest, MAX_LEXICON_ENTRIES, Name, language};

use crate::error::{Error, FieldErrors, Result};

/// Checked contents of a lexicon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) is_default: bool,
    pub(super) entries: Entries,
}

/// Checked entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) count: u32,
    /// In the form in which they are stored.
    pub(super) json: String,
}

/// What a request says about a file, which has no place for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AboutFile {
    pub name: Option<Name<100>>,
    /// By default the file's own.
    pub language: Option<String>,
    pub is_default: bool,
}

/// The name of a lexicon that was sent as a file without one.
const UNNAMED: &str = "Lexicon";

/// The contents that a JSON body describes. Runs off the threads that serve requests, because a lexicon
/// may have many entries.
///
/// # Errors
/// `validation_failed`, naming the entries.
pub async fn of_request(request: LexiconRequest) -> Result<Contents> {
    let LexiconRequest { name: Name(name), language, entries, default } = request;
    let entries = off_thread(move || check(&entries.0)).await?;
    Ok(Contents { name, language: language.0, is_default: default, entries })
}

/// The contents of a file.
///
/// # Errors
/// `validation_failed` for `body`, with line and column, for `entries` or for `language`.
pub async fn of_file(file: Vec<u8>, about: AboutFile) -> Result<Contents> {
    let parse = move || {
        let text = String::from_utf8(file).map_err(|_| Error::invalid("body", "must be UTF-8"))?;
        let (language, entries) =
            lexicons::from_pls(&text).map_err(|error| Error::invalid("body", error.to_string()))?;
        if entries.len() > MAX_LEXICON_ENTRIES {
            let why = format!("must have at most {MAX_LEXICON_ENTRIES} entries");
            return Err(Error::invalid("entries", why));
        }
        let entries: Vec<LexiconEntry> = entries.into_iter().map(written).collect();
        Ok((language, check(&entries)?))
    };
    let (own_language, entries) = off_thread(parse).await?;
    let language = about.language.or(own_language);
    let language = language.filter(|tag| language::is_tag(tag)).ok_or_else(|| {
        let why = "must be a language tag such as en-US, here or as xml:lang of the file's root element";
        Error::invalid("language", why)
    })?;
    let name = about.name.map_or_else(|| UNNAMED.to_owned(), |Name(name)| name);
    Ok(Contents { name, language, is_default: about.is_default, entries })
}

/// The entries that can be used of the files that come with a book, and the language that the first file
/// names: files in another language are left out. A mistake of its publisher is no reason not to read the
/// book.
pub fn of_book(files: &[String]) -> (Option<String>, Vec<LexiconEntry>) {
    let mut language: Option<String> = None;
    let mut entries = Vec::new();
    let mut words = HashSet::new();
    for (own_language, own) in files.iter().filter_map(|file| lexicons::from_pls(file).ok()) {
        let own_language = own_language.filter(|tag| language::is_tag(tag));
        if language.as_ref().zip(own_language.as_ref()).is_some_and(|(one, own)| !language::is_same(one, own))
        {
            continue;
        }
        language = language.or(own_language);
        let usable =
            own.into_iter().filter(|entry| entry.check().is_ok() && words.insert(entry.word.clone()));
        entries.extend(usable.map(written));
    }
    entries.truncate(MAX_LEXICON_ENTRIES);
    (language, entries)
}

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal(format!("checking a lexicon stopped: {error}")))?
}

/// How many wrong entries are named.
const MOST_NAMED: usize = 10;

/// Checks entries, and writes them as they are stored.
fn check(entries: &[LexiconEntry]) -> Result<Entries> {
    let mut wrong = FieldErrors::default();
    let read: Vec<Entry> = entries.iter().map(spoken).collect();
    let errors = read.iter().enumerate().filter_map(|(at, entry)| Some((at, entry.check().err()?)));
    for (at, error) in errors.take(MOST_NAMED) {
        wrong.add(format!("entries[{at}]"), error.to_string());
    }
    if wrong.0.is_empty()
        && let Some(at) = lexicons::repeated(&read)
    {
        wrong.add(format!("entries[{at}]"), format!("{:?} is in the list twice", read[at].word));
    }
    wrong.into_result()?;
    let json = serde_json::to_string(entries)
        .map_err(|error| Error::Internal(format!("entries cannot be written: {error}")))?;
    Ok(Entries { count: u32::try_from(entries.len()).unwrap_or(u32::MAX), json })
}

/// Entries that were stored.
///
/// # Errors
/// `internal_error` when they cannot be read.
pub fn read(json: &str) -> Result<Vec<LexiconEntry>> {
    serde_json::from_str(json).map_err(|error| Error::Internal(format!("stored entries are none: {error}")))
}

/// An entry as the speech crate takes it.
pub(super) fn spoken(entry: &LexiconEntry) -> Entry {
    let LexiconEntry { word, ipa, x_sampa, alias } = entry;
    let said = match (ipa, x_sampa, alias) {
        (Some(ipa), ..) => Said::Ipa(ipa.clone()),
        (None, Some(x_sampa), _) => Said::XSampa(x_sampa.clone()),
        (None, None, alias) => Said::Alias(alias.clone().unwrap_or_default()),
    };
    Entry { word: word.clone(), said }
}

/// An entry as requests send it.
fn written(entry: Entry) -> LexiconEntry {
    let mut written = LexiconEntry { word: entry.word, ..LexiconEntry::default() };
    match entry.said {
        Said::Ipa(ipa) => written.ipa = Some(ipa),
        Said::XSampa(x_sampa) => written.x_sampa = Some(x_sampa),
        Said::Alias(alias) => written.alias = Some(alias),
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_used_of_a_books_lexicons_is_kept() {
        let file = |language: &str, lexemes: &str| {
            let name = "xmlns=\"http://www.w3.org/2005/01/pronunciation-lexicon\"";
            format!(
                "<lexicon version=\"1.0\" {name} alphabet=\"ipa\" xml:lang=\"{language}\">{lexemes}</lexicon>"
            )
        };
        let lexeme = |word: &str, ipa: &str| {
            format!("<lexeme><grapheme>{word}</grapheme><phoneme>{ipa}</phoneme></lexeme>")
        };
        let files = [
            "<lexicon".to_owned(),
            file("not a tag", &lexeme("Xyl", "☂")),
            file("en", &(lexeme("Xyl", "ziːl") + &lexeme("…", "z"))),
            file("fr", &lexeme("pain", "pɛ̃")),
            file("en-GB", &(lexeme("Xyl", "ksil") + &lexeme("Agnes", "ˈægnɪs"))),
        ];
        let (language, entries) = of_book(&files);
        let words: Vec<(&str, &str)> = entries
            .iter()
            .map(|entry| (entry.word.as_str(), entry.ipa.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!((language.as_deref(), words), (Some("en"), vec![("Xyl", "ziːl"), ("Agnes", "ˈægnɪs")]));
    }
}
