//! Entries of a dictionary in whose place items stand.

use super::{
    items::Like,
    mecab::{Dictionary, Entry},
};

/// The usual words of each kind.
#[derive(Debug, Default)]
pub(super) struct Models {
    noun: Option<Entry>,
    number: Option<Entry>,
    amount: Option<Entry>,
    particle: Option<Entry>,
    marks: Vec<(char, Option<Entry>)>,
}

impl Models {
    /// Usual words of each kind.
    pub(super) fn of(dictionary: &Dictionary) -> Self {
        let find = |word: &str, kind: &str| {
            dictionary.exact(word).find(|&entry| dictionary.feature_of(entry).starts_with(kind))
        };
        let mark = |c: char| (c, find(&c.to_string(), "記号,"));
        Self {
            noun: find("机", "名詞,一般"),
            number: find("二", "名詞,数"),
            amount: find("円", "名詞,接尾,助数詞"),
            particle: find("から", "助詞,格助詞"),
            marks: ['。', '、', '「', '」', '？', '！', '…', '・'].map(mark).into(),
        }
    }

    /// The entry in whose place an item stands.
    pub(super) fn like(&self, like: Like) -> Option<Entry> {
        match like {
            Like::Noun => self.noun,
            Like::Number => self.number,
            Like::Amount => self.amount,
            Like::Particle => self.particle,
            Like::Mark(c) => {
                let c = match c {
                    ',' | ':' | ';' | '(' | ')' => '、',
                    '.' => '。',
                    '!' => '！',
                    '?' => '？',
                    '"' | '《' => '「',
                    '》' => '」',
                    c => c,
                };
                self.marks.iter().find(|(mark, _)| *mark == c).and_then(|(_, entry)| *entry)
            }
        }
    }
}
