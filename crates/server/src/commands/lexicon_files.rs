//! The files that `--lexicon` names: how words are said.

use std::path::{Path, PathBuf};

use lectern_speech::lexicons::{Entry, MOST_ENTRIES, Said, Words, from_pls, repeated};
use serde::Deserialize;

use super::CommandError;

/// The entries of each file.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<Vec<Entry>>, CommandError> {
    paths.iter().map(|path| entries(path)).collect()
}

/// Their words; the first file that has a word wins.
pub(super) fn words(files: &[Vec<Entry>]) -> Result<Words, CommandError> {
    Words::of(files.iter().map(Vec::as_slice)).map_err(CommandError::from_error)
}

/// A lexicon in JSON: the entries of the API's body.
#[derive(Debug, Deserialize)]
struct Body {
    entries: Vec<Written>,
}

#[derive(Debug, Deserialize)]
struct Written {
    word: String,
    ipa: Option<String>,
    x_sampa: Option<String>,
    alias: Option<String>,
}

/// The entries of a file, all of which can be used.
fn entries(path: &Path) -> Result<Vec<Entry>, CommandError> {
    let refused = |why: String| CommandError::Refused(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let text = text.trim_start_matches('\u{feff}');
    let entries = if text.trim_start().starts_with(['{', '[']) {
        let body: Body = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        body.entries.into_iter().map(entry).collect::<Result<Vec<_>, _>>().map_err(refused)?
    } else if !text.trim_start().starts_with('<') {
        let why =
            "the file is neither XML (a lexicon in the W3C's PLS format) nor JSON (as the API takes it)";
        return Err(refused(why.to_owned()));
    } else {
        from_pls(text).map_err(|error| refused(error.to_string()))?.1
    };
    // The limits of a lexicon over the API.
    if entries.len() > MOST_ENTRIES {
        return Err(refused(format!("the file has more than {MOST_ENTRIES} entries")));
    }
    if let Some(at) = repeated(&entries) {
        return Err(refused(format!("{:?} is in the file twice", entries[at].word)));
    }
    for entry in &entries {
        entry.check().map_err(|error| refused(error.to_string()))?;
    }
    Ok(entries)
}

fn entry(Written { word, ipa, x_sampa, alias }: Written) -> Result<Entry, String> {
    let said = match (ipa, x_sampa, alias) {
        (Some(ipa), None, None) => Said::Ipa(ipa),
        (None, Some(x_sampa), None) => Said::XSampa(x_sampa),
        (None, None, Some(alias)) => Said::Alias(alias),
        _ => return Err(format!("{word:?} must have one of: ipa, x_sampa, alias")),
    };
    Ok(Entry { word, said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_format_is_told_which_ones_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |content: &str| {
            let path = folder.path().join("words");
            std::fs::write(&path, content).unwrap();
            crate::output::chain(&read(&[path]).unwrap_err())
        };
        for content in ["word,said\nInes,Inés\n", "", "Ines = Inés"] {
            let refused = refusal(content);
            assert!(refused.contains("PLS format) nor JSON"), "{refused}");
        }
        assert!(refusal("<lexicon").contains("not well-formed"));
        assert!(refusal("\u{feff}<speak/>").contains("must be lexicon"));
    }

    // Negative controls, seen: with the byte order mark left in, the first is refused; without the checks, the others are taken.
    #[test]
    fn a_file_has_the_limits_of_the_api() {
        let folder = tempfile::tempdir().unwrap();
        let read = |words: &[String]| {
            let path = folder.path().join("words.json");
            let entries: Vec<String> =
                words.iter().map(|word| format!(r#"{{"word":"{word}","alias":"x"}}"#)).collect();
            std::fs::write(&path, format!("\u{feff}{{\"entries\":[{}]}}", entries.join(","))).unwrap();
            read(&[path]).map_err(|error| crate::output::chain(&error))
        };
        let words: Vec<String> = (0..=MOST_ENTRIES).map(|at| format!("word{at}")).collect();
        assert_eq!(read(&words[..3]).unwrap()[0].len(), 3);
        assert!(read(&words).unwrap_err().contains("more than 10000 entries"));
        let twice = read(&["tomato".to_owned(), "Tomato".to_owned()]).unwrap_err();
        assert!(twice.contains("\"Tomato\" is in the file twice"), "{twice}");
    }
}
