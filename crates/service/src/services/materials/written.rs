//! What a material's text is written in: the number of letters of each script, and of each language that the document
//! marks and that nothing on this machine reads, neither a front end nor espeak-ng. It is counted where the text is
//! divided, by the machine that is likely to speak it.

use std::{collections::HashMap, fmt, str::FromStr};

use lectern_documents::language::{ParseScriptsError, Scripts};
use lectern_speech::{
    front_end::{self, espeak::Program},
    language::Language,
};
use lectern_store::chunks::MarkedLanguage;
use lectern_types::language::primary;

/// What a text without a known language is read as.
pub(super) const READ_AS: &str = "en";

/// The most languages of a document that espeak-ng is asked for. It takes up to a tenth of a second for each.
const MOST_ASKED: usize = 40;

/// The letters of a text. Written as `Latn 120 Hebr 30; cy 12`, without the languages where there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Written {
    pub(super) scripts: Scripts,
    /// The languages that nothing here reads, each with its letters, in the order of the text. Letters of scripts that
    /// are not read count with their script.
    pub(super) unread: Vec<(String, u64)>,
}

impl Written {
    /// Adds a stretch of a text in `language` that is marked as one of a language that nothing reads.
    fn add_unread(&mut self, stretch: &str, tag: &str, language: &str) {
        let letters = stretch.chars().filter(|c| c.is_alphabetic()).count() as u64;
        let letters = letters.saturating_sub(Scripts::of(stretch).unspoken(language).letters);
        match self.unread.iter_mut().find(|(own, _)| own == tag) {
            _ if letters == 0 => {}
            Some((_, all)) => *all += letters,
            None => self.unread.push((tag.to_owned(), letters)),
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scripts)?;
        for (at, (tag, letters)) in self.unread.iter().enumerate() {
            write!(f, "{}{tag} {letters}", if at == 0 { "; " } else { " " })?;
        }
        Ok(())
    }
}

impl FromStr for Written {
    type Err = ParseScriptsError;

    fn from_str(text: &str) -> Result<Self, ParseScriptsError> {
        let (scripts, languages) = text.split_once("; ").unwrap_or((text, ""));
        let mut words = languages.split_ascii_whitespace();
        let mut unread = Vec::new();
        while let Some(tag) = words.next() {
            let letters = words.next().and_then(|letters| letters.parse().ok()).ok_or(ParseScriptsError)?;
            unread.push((tag.to_owned(), letters));
        }
        Ok(Self { scripts: scripts.parse()?, unread })
    }
}

/// What reads texts on this machine.
#[derive(Debug)]
pub(super) struct Readers {
    espeak: Program,
    /// Whether espeak-ng knows a language, for those that it was asked for.
    known: HashMap<String, bool>,
}

impl Readers {
    pub(super) fn new(espeak: Program) -> Self {
        Self { espeak, known: HashMap::new() }
    }

    fn read(&mut self, tag: &str) -> bool {
        let Ok(language) = tag.parse::<Language>() else { return false };
        if front_end::is_registered(language) {
            return true;
        }
        let is_known = self.known.get(language.primary()).copied();
        is_known.unwrap_or_else(|| {
            let is_known = self.known.len() < MOST_ASKED && self.espeak.knows(language.primary());
            self.known.insert(language.primary().to_owned(), is_known);
            is_known
        })
    }
}

/// Counts the letters of a text in `language`, piece by piece.
#[derive(Debug)]
pub(super) struct Counting<'a> {
    readers: &'a mut Readers,
    language: &'a str,
    written: Written,
}

impl<'a> Counting<'a> {
    pub(super) fn new(readers: &'a mut Readers, language: &'a str) -> Self {
        Self { readers, language, written: Written::default() }
    }

    /// Adds a piece with its marked stretches; `scripts` are those of the piece.
    pub(super) fn add(&mut self, piece: &str, scripts: &Scripts, marked: &[MarkedLanguage]) {
        self.written.scripts.add(scripts);
        for MarkedLanguage { start, end, tag } in marked {
            let stretch = piece.get(*start as usize..*end as usize).unwrap_or_default();
            if primary(tag) != primary(self.language) && !self.readers.read(tag) {
                self.written.add_unread(stretch, tag, self.language);
            }
        }
    }

    pub(super) fn finish(self) -> Written {
        self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(piece: &str, word: &str, tag: &str) -> MarkedLanguage {
        let start = piece.find(word).unwrap();
        MarkedLanguage { start: start as u32, end: (start + word.len()) as u32, tag: tag.to_owned() }
    }

    fn count(espeak: Program, language: &str, piece: &str, marks: &[MarkedLanguage]) -> Written {
        let mut readers = Readers::new(espeak);
        let mut counting = Counting::new(&mut readers, language);
        counting.add(piece, &Scripts::of(piece), marks);
        counting.finish()
    }

    #[test]
    fn letters_of_languages_that_nothing_reads_are_counted() {
        let piece = "He said bonjour, hwyl fawr, shalom (שלום) and hello.";
        let marks = [
            marked(piece, "bonjour", "fr"),
            marked(piece, "hwyl fawr", "cy-GB"),
            marked(piece, "שלום", "he"),
            marked(piece, "hello", "en-GB"),
        ];
        let none = || Program::find(Some(std::path::Path::new("/nowhere")), None);
        let written = count(none(), "en-US", piece, &marks);
        assert_eq!(written.unread, [("cy-GB".to_owned(), 8)]);
        assert_eq!(written.to_string(), "Latn 35 Hebr 4; cy-GB 8");
        assert_eq!(written.to_string().parse(), Ok(written));
        assert_eq!("Latn 3".parse::<Written>().map(|written| written.unread), Ok(Vec::new()));
        assert!("Latn 3; cy".parse::<Written>().is_err());
        // The text is in that language itself.
        assert_eq!(count(none(), "cy", piece, &marks).unread, []);
    }

    #[test]
    fn what_espeak_ng_knows_is_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("espeak-ng");
        let script = "#!/bin/bash\n[[ $6 == cy ]] || exit 1\nwhile read -r line; do echo \"$line\"; done";
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let piece = "Hwyl fawr, kaixo.";
        let marks = [marked(piece, "Hwyl fawr", "cy"), marked(piece, "kaixo", "eu")];
        let written = count(Program::find(Some(&path), None), "en", piece, &marks);
        assert_eq!(written.unread, [("eu".to_owned(), 5)]);
    }
}
