//! The sounds of a word, letter by letter, once its syllables are known.

use super::{Loudness, is_vowel, open, stress, words};

/// A letter in lower case that the rules know; foreign letters as Portuguese spells their sounds.
pub(super) fn plain(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' | 'á' | 'à' | 'â' | 'ã' | 'ç' | 'é' | 'ê' | 'í' | 'ó' | 'ô' | 'õ' | 'ú' | 'ü' => {
            c
        }
        'ä' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
        'è' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' | 'œ' | 'æ' => 'e',
        'ì' | 'î' | 'ï' | 'ī' | 'ı' | 'ý' | 'ÿ' => 'i',
        'ò' | 'ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ù' | 'û' | 'ū' | 'ů' | 'ű' => 'u',
        'ś' | 'ß' | 'ș' | 'ş' => 'ç',
        'š' | 'č' | 'ć' => 'x',
        'ž' => 'j',
        'ź' | 'ż' => 'z',
        'ñ' | 'ń' | 'ň' => 'n',
        'ł' | 'ľ' => 'l',
        'ř' => 'r',
        'ţ' | 'ț' | 'ť' => 't',
        'ď' | 'đ' | 'ð' => 'd',
        'ğ' => 'g',
        _ => return None,
    })
}

/// The phonemes of a word, with its stress marks.
pub(super) fn sounds(text: &str, letters: &[char], loudness: Loudness) -> String {
    let syllables = stress::of(letters);
    let stressed = syllables.stressed.unwrap_or(0);
    let place = |index: usize| syllables.nuclei.get(index).copied();
    // In words of three syllables and more, every other syllable before the stress is heard more.
    let mut secondary = Vec::new();
    if loudness == Loudness::Primary && syllables.nuclei.len() > 2 && stressed > 0 {
        secondary.extend(place(0));
        let mut index = 2;
        while index + 2 <= stressed {
            secondary.extend(place(index));
            index += 2;
        }
    }
    let mut writer = Writer {
        text,
        letters,
        at: 0,
        stressed: place(stressed),
        first_after: place(stressed).unwrap_or(0),
        secondary,
        loudness,
        said: String::with_capacity(letters.len() * 2),
    };
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
    /// The place of the stressed vowel: what comes after it is reduced.
    first_after: usize,
    secondary: Vec<usize>,
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

    fn rest(&self, text: &str) -> bool {
        self.letters.len() - self.at == text.chars().count()
            && text.chars().enumerate().all(|(offset, c)| self.peek(offset) == c)
    }

    fn step(&mut self) {
        let c = self.peek(0);
        if is_vowel(c) { self.vowel(c) } else { self.consonant(c) }
    }

    /// Writes a vowel, with its stress mark.
    fn vowel(&mut self, c: char) {
        let stressed = self.stressed == Some(self.at);
        if stressed {
            self.said.push_str(match self.loudness {
                Loudness::None => "",
                Loudness::Secondary => "ˌ",
                Loudness::Primary => "ˈ",
            });
        } else if self.secondary.contains(&self.at) {
            self.said.push('ˌ');
        }
        let next = self.peek(1);
        if self.nasal(c, next) || self.diphthong(c, next, stressed) {
            return;
        }
        let last = self.at + 1 == self.letters.len() || self.rest("as") || self.rest("es") || self.rest("os");
        let reduced = last
            && !stressed
            && (self.at > self.first_after || self.loudness == Loudness::None || self.stressed.is_none());
        let said = match c {
            'a' | 'á' | 'â' | 'à' => {
                // Before a nasal it is one, too: in a stressed syllable it is heard.
                let nasal = matches!(next, 'm' | 'n') && (is_vowel(self.peek(2)) || self.peek(2) == 'h');
                match (nasal, stressed || self.peek(2) == 'h', reduced) {
                    (true, true, _) => "ɐ̃",
                    (true, false, _) | (false, _, true) => "æ",
                    (false, ..) if c == 'à' => "aː",
                    _ => "a",
                }
            }
            'e' if reduced => "y",
            'e' if stressed && open::is_open(self.text, self.letters, self.at) => "ɛ",
            'é' => "ɛ",
            'e' | 'ê' => "e",
            'o' if reduced => "ʊ",
            'o' if stressed && open::is_open(self.text, self.letters, self.at) => "ɔ",
            'ó' => "ɔ",
            'o' | 'ô' => "o",
            'i' | 'í' => {
                // "História".
                if next == 'ê' || (is_vowel(next) && !stressed && self.is_glide()) { "j" } else { "i" }
            }
            'u' | 'ú' | 'ü' => {
                let glide = is_vowel(next) && matches!(self.back(1), 'q' | 'g');
                // "Junho", "número": before a nasal consonant it is nasal, too.
                let nasal = stressed && ((next == 'n' && self.peek(2) == 'h') || (c == 'ú' && next == 'm'));
                match () {
                    () if nasal => "u\u{303}",
                    () if glide || (is_vowel(next) && !stressed && self.is_glide()) => "w",
                    () => "u",
                }
            }
            'ã' => "ɐ̃",
            'õ' => "o\u{303}",
            _ => "",
        };
        self.put(said, 1);
    }

    /// Whether an i or u before the last vowel of a word with a written accent is a glide.
    fn is_glide(&self) -> bool {
        let left = self.letters.len() - self.at;
        (left == 2 || (left == 3 && self.peek(2) == 's'))
            && self.letters[..self.at].iter().any(|&c| "áéíóúâêôãõ".contains(c))
    }

    /// A nasal vowel: with a tilde, or before n or m that ends its syllable.
    fn nasal(&mut self, c: char, next: char) -> bool {
        let said = match (c, next) {
            ('ã', 'o') => "ɐ̃ʊ̃",
            ('ã', 'e') => "ɐ̃y",
            ('ã', 'i') => "ɐ̃ɪ",
            ('õ', 'e') => "o\u{303}j",
            _ => "",
        };
        if !said.is_empty() {
            self.put(said, 2);
            return true;
        }
        if !matches!(next, 'n' | 'm') {
            return false;
        }
        let after = self.peek(2);
        if is_vowel(after) || after == 'h' && next == 'n' {
            return false;
        }
        // "Falam", "órfãos": a diphthong at the end.
        if matches!(c, 'a') && next == 'm' && after == ' ' {
            self.put("ɐ̃ʊ̃", 2);
            return true;
        }
        let closing =
            if next == 'm' && matches!(after, 'p' | 'b') || (next == 'n' && matches!(after, 'p' | 'b')) {
                "m"
            } else {
                "ŋ"
            };
        let said = match c {
            'a' | 'á' | 'â' => "ɐ̃",
            'e' | 'é' | 'ê' => "A",
            'i' | 'í' => "i",
            'o' | 'ó' | 'ô' => "o",
            'u' | 'ú' => "u\u{303}",
            _ => return false,
        };
        self.said.push_str(said);
        self.put(closing, 2);
        true
    }

    fn diphthong(&mut self, c: char, next: char, stressed: bool) -> bool {
        let own = |at: usize| self.stressed == Some(at) || self.is_nucleus(at);
        if !matches!(next, 'i' | 'u' | 'l') || (next != 'l' && own(self.at + 1)) {
            return self.before_l(c, next, stressed);
        }
        if next == 'l' {
            return self.before_l(c, next, stressed);
        }
        let said = match (c, next) {
            ('a' | 'á' | 'â', 'i') => "I",
            ('e' | 'ê', 'i') => "A",
            ('é', 'i') => "ɛɪ",
            ('o' | 'ô', 'i') => "oɪ",
            ('ó', 'i') => "ɔɪ",
            ('u' | 'ú', 'i') => "uɪ",
            ('a' | 'á', 'u') => "W",
            ('e' | 'ê', 'u') => "eʊ",
            ('é', 'u') => "ɛʊ",
            ('i' | 'í', 'u') => "iʊ",
            ('o' | 'ô', 'u') => "ow",
            ('ó', 'u') => "ɔw",
            _ => return false,
        };
        self.put(said, 2);
        true
    }

    /// Whether the vowel at a place forms a syllable.
    fn is_nucleus(&self, at: usize) -> bool {
        stress::of(self.letters).nuclei.contains(&at)
    }

    /// An l at the end of a syllable is a u.
    fn before_l(&mut self, c: char, next: char, stressed: bool) -> bool {
        let after = self.peek(2);
        if next != 'l' || is_vowel(after) || after == 'h' {
            return false;
        }
        let said = match c {
            'a' | 'á' | 'â' => "W",
            'e' if stressed => "ɛʊ",
            'é' => "ɛʊ",
            'e' | 'ê' => "eʊ",
            'i' | 'í' => "iʊ",
            'o' if stressed && !open::is_closed(self.text) => "ɔl",
            'ó' => "ɔw",
            'o' | 'ô' => "ow",
            'u' | 'ú' => "uw",
            _ => return false,
        };
        self.put(said, 2);
        true
    }

    fn consonant(&mut self, c: char) {
        let (next, after) = (self.peek(1), self.peek(2));
        let soft = |c: char| "eiéêí".contains(c);
        let last = self.at + 1 == self.letters.len();
        match c {
            'c' if next == 'h' => self.put("ʃ", 2),
            'c' if next == 'c' => self.put("k", 1),
            'c' if next == 'k' => self.put("k", 2),
            'c' if soft(next) => self.put("s", 1),
            'ç' => self.put("s", 1),
            'g' if soft(next) => self.put("ʒ", 1),
            'g' if next == 'u' && soft(after) => self.put("ɡ", 2),
            'g' => self.put("ɡ", 1),
            'q' if next == 'u' && soft(after) && !words::has_kw(self.text) => self.put("k", 2),
            'c' | 'k' | 'q' => self.put("k", 1),
            'h' => self.put("", 1),
            'j' => self.put("ʒ", 1),
            // espeak-ng has a sound of its own only in the pronoun.
            'l' if next == 'h' => self.put(if matches!(self.text, "lhe" | "lhes") { "ʎ" } else { "lj" }, 2),
            'l' if next == 'l' => self.put("l", 2),
            'n' if next == 'h' => self.put("ɲ", 2),
            'n' if next == 'n' => self.put("n", 1 + usize::from(is_vowel(after))),
            'p' if next == 'h' => self.put("f", 2),
            'r' => self.r(next),
            's' => self.s(next, after),
            't' | 'd' => self.t(c, next),
            'w' => self.put("w", 1),
            'x' => self.x(next, after),
            'y' => self.put(if is_vowel(next) { "j" } else { "i" }, 1),
            'z' => self.put(if last { "s" } else { "z" }, 1),
            c => {
                let skip = if next == c { 2 } else { 1 };
                self.put(c.encode_utf8(&mut [0; 4]), skip);
            }
        }
    }

    fn r(&mut self, next: char) {
        let before = self.back(1);
        if next == 'r' {
            self.put("x", 2);
        } else if self.at == 0 || matches!(before, 'n' | 'l' | 's') {
            self.put("x", 1);
        } else if is_vowel(before) && is_vowel(next) {
            self.put("ɾ", 1);
        } else if next == ' ' || !is_vowel(before) {
            self.put("r", 1);
        } else {
            self.put("ɾə", 1);
        }
    }

    fn s(&mut self, next: char, after: char) {
        let soft = |c: char| "eiéêí".contains(c);
        if matches!(next, 's' | 'ç') || (next == 'c' && soft(after)) {
            self.put("s", 2);
        } else if next == 'h' && is_vowel(after) {
            self.put("ʃ", 2);
        } else if (self.at > 0 && is_vowel(self.back(1)) && is_vowel(next))
            || (matches!(next, 'b' | 'd' | 'g' | 'l' | 'm' | 'n' | 'r' | 'v' | 'z') && self.at > 0)
            || (self.said.ends_with("trɐ̃ŋ") && is_vowel(next))
        {
            self.put("z", 1);
        } else {
            self.put("s", 1);
        }
    }

    /// Before i, and before the last e of a word, t and d are affricates.
    fn t(&mut self, c: char, next: char) {
        let palatal = if c == 't' { "ʧ" } else { "ʤ" };
        let plain = if c == 't' { "t" } else { "d" };
        let final_e = next == 'e'
            && (self.at + 2 == self.letters.len()
                || (self.at + 3 == self.letters.len() && self.peek(2) == 's'));
        let stressed_e = self.stressed == Some(self.at + 1) && self.loudness != Loudness::None;
        if next == c {
            self.at += 1;
        } else if matches!(next, 'i' | 'í') || (final_e && !stressed_e) {
            self.put(palatal, 1);
        } else if next == ' ' {
            self.put(palatal, 1);
            self.said.push('y');
        } else {
            self.put(plain, if next == 'h' { 2 } else { 1 });
        }
    }

    fn x(&mut self, next: char, after: char) {
        let before = self.back(1);
        let starts = self.at == 1 && before == 'e';
        if self.at == 0 {
            self.put("ʃ", 1);
        } else if starts && (is_vowel(next) || next == 'h') {
            self.put("z", 1);
        } else if next == 'c' && "eiéêí".contains(after) {
            self.put("s", 2);
        } else if !is_vowel(next) && next != ' ' {
            self.put("s", 1);
        } else if next == ' ' || words::has_ks(self.text) {
            self.put("ks", 1);
        } else {
            self.put("ʃ", 1);
        }
    }
}
