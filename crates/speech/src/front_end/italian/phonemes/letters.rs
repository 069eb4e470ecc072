//! The sounds of a word, letter by letter, once its stressed vowel is known.

use super::{Loudness, is_vowel, open};
use crate::front_end::romance::word_set::WordSet;

/// A letter in lower case that the rules know; foreign letters as Italian spells their sounds.
pub(super) fn plain(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' | 'à' | 'è' | 'é' | 'ì' | 'í' | 'ò' | 'ó' | 'ù' | 'ú' => c,
        'á' | 'â' | 'ä' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
        'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'œ' | 'æ' => 'e',
        'î' | 'ï' | 'ī' | 'ı' | 'ý' | 'ÿ' => 'i',
        'ô' | 'ö' | 'õ' | 'ø' | 'ō' | 'ő' => 'o',
        'û' | 'ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ç' | 'ś' | 'ş' | 'ș' | 'ß' => 's',
        'š' => 'ʃ',
        'č' | 'ć' => 'ʧ',
        'ž' | 'ź' | 'ż' => 'z',
        'ñ' | 'ń' | 'ň' => 'ɲ',
        'ł' | 'ľ' => 'l',
        'ř' => 'r',
        'ţ' | 'ț' | 'ť' => 't',
        'ď' | 'đ' | 'ð' => 'd',
        'ğ' => 'g',
        _ => return None,
    })
}

/// The phonemes of a word, with the stress mark before the stressed vowel.
pub(super) fn sounds(text: &str, letters: &[char], stressed: Option<usize>, loudness: Loudness) -> String {
    let mut writer =
        Writer { text, letters, at: 0, stressed, loudness, said: String::with_capacity(letters.len() * 2) };
    while writer.at < letters.len() {
        writer.step();
    }
    writer.said
}

struct Writer<'a> {
    text: &'a str,
    letters: &'a [char],
    at: usize,
    stressed: Option<usize>,
    loudness: Loudness,
    said: String,
}

impl Writer<'_> {
    fn peek(&self, offset: usize) -> char {
        self.letters.get(self.at + offset).copied().unwrap_or(' ')
    }

    fn back(&self, offset: usize) -> char {
        self.at.checked_sub(offset).and_then(|at| self.letters.get(at)).copied().unwrap_or(' ')
    }

    fn put(&mut self, sounds: &str, letters: usize) {
        self.said.push_str(sounds);
        self.at += letters;
    }

    fn step(&mut self) {
        let c = self.peek(0);
        if is_vowel(c) { self.vowel(c) } else { self.consonant(c) }
    }

    fn is_stressed(&self) -> bool {
        self.stressed == Some(self.at)
    }

    fn vowel(&mut self, c: char) {
        let next = self.peek(1);
        if self.is_stressed() {
            let said = match c {
                'a' | 'à' => "a",
                'è' => "ɛ",
                'e' if open::is_open_e(self.text, self.letters, self.at) => "ɛ",
                'é' | 'e' => "e",
                'i' | 'ì' | 'í' => "i",
                'ò' => "ɔ",
                'o' if open::is_open_o(self.text, self.letters, self.at) => "ɔ",
                'ó' | 'o' => "o",
                _ => "u",
            };
            // In a function word the stressed vowel is reduced, too.
            let said = match (said, self.loudness) {
                ("u", Loudness::None | Loudness::Secondary) => "ʊ",
                ("i", Loudness::None) if self.at + 1 == self.letters.len() && self.at > 0 => "ɪ",
                ("ɔ", Loudness::None) => "o",
                ("ɛ", Loudness::None) => "e",
                _ => said,
            };
            let mark = self.loudness.mark();
            self.said.push_str(mark);
            self.put(said, 1);
            return;
        }
        let before = self.back(1);
        match c {
            'a' | 'à' => self.put("a", 1),
            'e' | 'è' | 'é' => self.put("e", 1),
            'o' | 'ò' | 'ó' => self.put("o", 1),
            'i' | 'ì' | 'í' => self.i(before, next),
            _ => self.u(before, next),
        }
    }

    /// An i without stress: a glide before a vowel and after one.
    fn i(&mut self, before: char, next: char) {
        let last = self.at + 1 == self.letters.len();
        if is_vowel(next) {
            let first = self.at == 0;
            // "Storia": the last two vowels are said apart.
            let ends = self.at + 2 == self.letters.len()
                && next != 'e'
                && self.stressed.is_some_and(|at| at < self.at);
            let apart =
                ends || matches!(before, 'n' | 'l' | 'r' | 'z') || (before == 's' && is_vowel(self.back(2)));
            let glide = first || is_vowel(before) || !apart;
            self.put(if glide { "j" } else { "i" }, 1);
            return;
        }
        let after_qu = before == 'u' && matches!(self.back(2), 'q' | 'g');
        if is_vowel(before) && self.at > 0 && !after_qu {
            // "Assai", "dei": the second half of a diphthong.
            let after_a = before == 'a' && self.stressed == Some(self.at - 1);
            self.put(if after_a { "j" } else { "i" }, 1);
            return;
        }
        self.put(if last { "ɪ" } else { "i" }, 1);
    }

    fn u(&mut self, before: char, next: char) {
        if is_vowel(next) && (self.at == 0 || matches!(before, 'q' | 'g')) {
            self.put("w", 1);
            return;
        }
        self.put("ʊ", 1);
    }

    /// A stop that is written twice is long; other doubled sounds are written twice.
    fn consonant(&mut self, c: char) {
        let (next, after) = (self.peek(1), self.peek(2));
        let soft = |c: char| matches!(c, 'e' | 'i' | 'è' | 'é' | 'ì' | 'í');
        let twice = next == c;
        // The i only softens the consonant before it.
        let softener = |at: usize| {
            self.letters.get(at) == Some(&'i')
                && self.letters.get(at + 1).is_some_and(|&c| is_vowel(c))
                && self.stressed != Some(at)
        };
        match c {
            'c' if twice && soft(after) => {
                let skip = if softener(self.at + 2) { 3 } else { 2 };
                self.put("ʧː", skip);
            }
            'c' if twice => self.put("kː", if after == 'h' { 3 } else { 2 }),
            'c' if next == 'q' => self.put("kː", 2),
            'c' if matches!(next, 'h' | 'k') => self.put("k", 2),
            'c' if soft(next) => {
                let skip = if softener(self.at + 1) { 2 } else { 1 };
                self.put("ʧ", skip);
            }
            'g' if twice && soft(after) => {
                let skip = if softener(self.at + 2) { 3 } else { 2 };
                self.put("ʤː", skip);
            }
            'g' if twice => self.put("ɡː", if after == 'h' { 3 } else { 2 }),
            'g' if next == 'h' => self.put("ɡ", 2),
            'g' if next == 'n' => {
                let long = self.at > 0 && self.stressed == Some(self.at - 1);
                let skip = if after == 'i' && is_vowel(self.peek(3)) && self.stressed != Some(self.at + 2) {
                    3
                } else {
                    2
                };
                self.put(if long { "ɲɲ" } else { "ɲ" }, skip);
            }
            'g' if next == 'l' && after == 'i' && !self.is_hard_gl() => {
                // "Figlio", "gli".
                let skip = if is_vowel(self.peek(3)) && self.stressed != Some(self.at + 2) { 3 } else { 2 };
                self.put("ʎ", skip);
            }
            'g' if soft(next) => {
                let skip = if softener(self.at + 1) { 2 } else { 1 };
                self.put("ʤ", skip);
            }
            'g' => self.put("ɡ", 1),
            's' => self.s(next, after),
            'z' => self.z(next),
            'h' => self.put("", 1),
            'j' | 'y' => self.put(if is_vowel(next) { "j" } else { "i" }, 1),
            'c' | 'q' => self.put("k", 1),
            'r' if twice => self.put("rɾ", 2),
            'r' if self.back(1) == 'a' && matches!(next, 'a' | 'à') => self.put("ɾ", 1),
            'w' => self.put("w", 1),
            'x' => self.put("ks", 1),
            'n' if next == 'g' && after != 'i' && after != 'e' && after != 'n' => self.put("ŋ", 1),
            'p' if next == 'h' => self.put("f", 2),
            't' if next == 'h' => self.put("t", 2),
            'b' | 'd' | 'p' | 't' | 'k' if twice => {
                let mut sound = c.to_string();
                sound.push('ː');
                self.put(&sound, 2);
            }
            c => self.put(c.encode_utf8(&mut [0; 4]), 1),
        }
    }

    /// "Glicine", "anglicano", "negligente".
    fn is_hard_gl(&self) -> bool {
        (self.at == 0 && self.letters.len() > 3) || self.back(1) == 'n' || self.text.starts_with("neglig")
    }

    fn s(&mut self, next: char, after: char) {
        let soft = |c: char| matches!(c, 'e' | 'i' | 'è' | 'é' | 'ì' | 'í');
        if next == 's' {
            self.put("S", 2);
        } else if next == 'c' && soft(after) {
            let glide = after == 'i' && is_vowel(self.peek(3)) && self.stressed != Some(self.at + 2);
            self.put("ʃ", if glide { 3 } else { 2 });
        } else if next == 'h' && is_vowel(after) {
            self.put("ʃ", 2);
        } else if self.begins_numeral() {
            self.put("s", 1);
        } else if matches!(next, 'b' | 'd' | 'g' | 'l' | 'm' | 'n' | 'r' | 'v')
            || (is_vowel(self.back(1)) && is_vowel(next) && self.at > 0)
        {
            self.put("z", 1);
        } else {
            self.put("s", 1);
        }
    }

    /// "Trentasei", "ventisette": a numeral inside another begins as it does alone.
    fn begins_numeral(&self) -> bool {
        let left: String = self.letters.iter().skip(self.at).collect();
        let before: String = self.letters.iter().take(self.at).collect();
        ["sei", "sett", "sess", "sedici"].iter().any(|numeral| left.starts_with(numeral))
            && ["venti", "anta", "trenta", "cento", "mille", "mila"].iter().any(|tens| before.ends_with(tens))
    }

    fn z(&mut self, next: char) {
        let voiced = self.is_voiced_z();
        match (next, voiced) {
            ('z', true) => self.put("ʣː", 2),
            ('z', false) => self.put("ʦː", 2),
            (_, true) => self.put("ʣ", 1),
            (_, false) => self.put("ʦ", 1),
        }
    }

    /// At the start of most words, in -izzare and in some words by themselves.
    fn is_voiced_z(&self) -> bool {
        static VOICED: WordSet = WordSet::new(
            "mezz azzurr azzard dozzin lezzo rozz bizz brezz razzi romanz pranz garz bronz orizzont \
             ozono azienda aziende aziendal zanzar bizzarr azalea bazar azero amazzon manzo verz \
             quarz zenzero azot",
        );
        let initial = self.at == 0
            && ![
                "zio", "zia", "zii", "zie", "zucchero", "zuppa", "zoppo", "zampa", "zitto", "zappa", "zucca",
            ]
            .iter()
            .any(|word| self.text.starts_with(word));
        let verbal = self.back(1) == 'i'
            && self.peek(1) == 'z'
            && !["pizz", "indirizz", "schizz", "stizz", "vizz", "guizz", "strizz", "spizz"]
                .iter()
                .any(|stem| self.text.contains(stem));
        let razzo = self.text.starts_with("razz") && !self.text.starts_with("razzo");
        initial || verbal || self.text.starts_with("gazz") || (!razzo && VOICED.is_inside(self.text))
    }
}
