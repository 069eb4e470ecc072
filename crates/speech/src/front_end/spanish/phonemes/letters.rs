//! The sounds of a word, letter by letter.

use super::{Accent, Sound};
use crate::front_end::spanish::foreign::folded;

/// Whether a letter is a vowel without an accent that forms one syllable with another vowel.
fn is_weak(c: char) -> bool {
    matches!(c, 'i' | 'u')
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'á' | 'é' | 'í' | 'ó' | 'ú' | 'ü')
}

/// Whether a stressed e is open before n and this letter.
fn opens_before(c: char) -> bool {
    c.is_alphabetic() && !is_vowel(c) && !matches!(c, 'h' | 'y' | 'b' | 'v' | 'p' | 'f' | 'm')
}

/// The letters of a word in lower case, limited to letters that the rules know. Foreign letters are
/// replaced by Spanish spellings of their sounds.
pub(super) fn plain(word: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | 'á' | 'é' | 'í' | 'ó' | 'ú' | 'ü' | 'ñ' | 'ʃ' | 'ʤ' | 'ʦ' => {
                letters.push(c);
            }
            c => letters.extend(folded(c).unwrap_or_default().chars()),
        }
    }
    letters
}

/// Finds the sounds of a word.
pub(super) fn sounds(letters: &[char], accent: Accent) -> Vec<Sound> {
    let mut writer = Writer { letters, at: 0, sounds: Vec::with_capacity(letters.len()), accent };
    while writer.at < letters.len() {
        writer.step();
    }
    writer.sounds
}

struct Writer<'a> {
    letters: &'a [char],
    at: usize,
    sounds: Vec<Sound>,
    accent: Accent,
}

impl Writer<'_> {
    /// The letter `offset` after the next one; a space past the end.
    fn peek(&self, offset: usize) -> char {
        self.letters.get(self.at + offset).copied().unwrap_or(' ')
    }

    /// The letter before the next one; a space at the start.
    fn before(&self) -> char {
        self.at.checked_sub(1).and_then(|at| self.letters.get(at)).copied().unwrap_or(' ')
    }

    fn put(&mut self, sound: Sound, letters: usize) {
        self.sounds.push(sound);
        self.at += letters;
    }

    fn step(&mut self) {
        let c = self.peek(0);
        if is_vowel(c) || (c == 'y' && self.y_is_vowel()) {
            self.vowel();
        } else {
            self.consonant(c);
        }
    }

    /// `y` is a vowel at the end of a word and before a consonant.
    fn y_is_vowel(&self) -> bool {
        !is_vowel(self.peek(1)) && (self.at > 0 || self.letters.len() == 1 || self.peek(1) != ' ')
    }

    fn vowel(&mut self) {
        let c = if self.peek(0) == 'y' { 'i' } else { self.peek(0) };
        let next = self.peek(1);
        if c == 'ü' && !matches!(self.before(), 'g') {
            self.put(VOWEL_U, 1);
            return;
        }
        if is_weak(c) && (is_vowel(next)) {
            // `uu`, or a vowel after r and l that needs its own syllable.
            if next == c && c == 'u' || self.stands_apart(c) {
                self.put(if c == 'i' { HALF_I } else { HALF_U }, 1);
            } else {
                self.put(Sound::Other(if c == 'i' { 'j' } else { 'w' }), 1);
            }
            return;
        }
        if c == 'ü' {
            // `güe`, `güi`: the voices were trained on a separate syllable.
            self.put(VOWEL_U, 1);
            return;
        }
        if let Some(second) = self.falling(c) {
            self.falling_diphthong(c, second);
            return;
        }
        let open = matches!(c, 'e') && self.peek(1) == 'n' && opens_before(self.peek(2));
        let accented = matches!(c, 'á' | 'é' | 'í' | 'ó' | 'ú');
        let (symbol, loud) = match c {
            'a' | 'á' => ("a", "a"),
            'e' if open => ("e", "ɛ"),
            'e' | 'é' => ("e", "e"),
            'i' | 'í' => ("i", "i"),
            'o' | 'ó' => ("o", "o"),
            _ => ("u", "u"),
        };
        self.put(Sound::Vowel { symbol, accented, loud, half: false }, 1);
    }

    /// The weak vowel that follows a strong one and ends its syllable, if there is one.
    fn falling(&self, c: char) -> Option<char> {
        let next = match self.peek(1) {
            'y' if !is_vowel(self.peek(2)) => 'i',
            'y' => return None,
            other => other,
        };
        let last = self.peek(2);
        // After another i or u, i and u are the center of the syllable; the only exception is "uy"
        // at the end.
        let strong = matches!(c, 'a' | 'e' | 'o' | 'á' | 'é' | 'ó');
        let uy = c == 'u' && self.peek(1) == 'y' && last == ' ';
        ((strong && is_weak(next)) || uy).then_some(next).filter(|_| !is_vowel(last))
    }

    fn falling_diphthong(&mut self, c: char, second: char) {
        let vowel =
            |symbol: &'static str, accented| Sound::Vowel { symbol, accented, loud: symbol, half: false };
        let (first, then) = match (c, second) {
            ('a', 'i') => (vowel("I", false), None),
            ('a', _) => (vowel("W", false), None),
            ('e', 'i') => (vowel("A", false), None),
            ('e', _) => (vowel("e", false), Some('ʊ')),
            ('o', 'i') => (vowel("o", false), Some('ɪ')),
            ('o', _) => (vowel("o", false), Some('w')),
            ('á', 'i') => (vowel("a", true), Some('i')),
            ('á', _) => (vowel("a", true), Some('u')),
            ('é', 'i') => (vowel("e", true), Some('i')),
            ('é', _) => (vowel("e", true), Some('u')),
            ('ó', 'i') => (vowel("o", true), Some('i')),
            ('ó', _) => (vowel("o", true), Some('w')),
            _ => (VOWEL_U, Some('j')),
        };
        self.sounds.push(first);
        self.sounds.extend(then.map(Sound::Other));
        self.at += 2;
    }

    /// Whether i or u before a vowel keeps its own syllable: after a consonant cluster with r or l,
    /// after a cluster at the start of the word, after rr, and u after any of them.
    fn stands_apart(&self, c: char) -> bool {
        let liquid = self.before();
        if !matches!(liquid, 'r' | 'l') {
            return false;
        }
        let earlier = self.at.checked_sub(2).map_or(' ', |at| self.letters[at]);
        // ll is a different letter.
        if liquid == 'l' && earlier == 'l' {
            return c == 'u';
        }
        c == 'u' || !is_vowel(earlier)
    }

    #[expect(clippy::match_same_arms, reason = "one arm for each letter, by the alphabet")]
    fn consonant(&mut self, c: char) {
        let next = self.peek(1);
        let front = matches!(next, 'e' | 'i' | 'é' | 'í' | 'y');
        match c {
            'b' | 'v' => {
                let doubled = usize::from(next == c);
                self.put(Sound::B, 1 + doubled);
            }
            'c' if next == 'h' => self.put(Sound::Other('ʧ'), 2),
            'c' if next == 'k' => self.put(Sound::Other('k'), 2),
            'c' if front => self.fricative(),
            'c' => self.put(Sound::Other('k'), 1),
            'd' => self.put(Sound::D, 1 + usize::from(next == 'd')),
            'f' => self.put(Sound::Other('f'), 1 + usize::from(next == 'f')),
            'g' => self.letter_g(next, front),
            'h' => self.at += 1,
            'j' => self.put(Sound::Other('x'), 1),
            'k' => self.put(Sound::Other('k'), 1 + usize::from(matches!(next, 'k' | 'h'))),
            'l' if next == 'l' && (is_vowel(self.peek(2)) || self.peek(2) == 'y') => {
                let castilian = self.accent == Accent::Castilian;
                self.put(if castilian { Sound::Other('ʎ') } else { Sound::Y }, 2);
            }
            'l' => self.put(Sound::Other('l'), 1 + usize::from(next == 'l')),
            // Word beginnings from Greek: psicología, mnemotecnia, gnomo.
            'm' if self.at == 0 && next == 'n' => self.put(Sound::N, 2),
            'm' => self.put(Sound::Other('m'), 1 + usize::from(next == 'm')),
            // Words ending in -ing.
            'n' if next == 'g' && self.peek(2) == ' ' => self.put(Sound::Other('ŋ'), 2),
            'n' => self.put(Sound::N, 1),
            'ñ' => self.put(Sound::Other('ɲ'), 1),
            'p' if next == 'h' && (is_vowel(self.peek(2)) || matches!(self.peek(2), 'l' | 'r')) => {
                self.put(Sound::Other('f'), 2);
            }
            'p' if self.at == 0 && matches!(next, 's' | 't') => self.at += 1,
            'p' if next == 't' => {
                self.sounds.push(Sound::Other('p'));
                self.put(Sound::Other('ː'), 1);
            }
            'p' => self.put(Sound::Other('p'), 1 + usize::from(next == 'p')),
            'q' => self.letter_q(next),
            'r' => self.letter_r(next),
            's' if next == 'h' && !is_vowel_before_h(self.before()) => self.put(Sound::Other('ʃ'), 2),
            // One sound if both letters are s.
            's' if self.accent == Accent::American
                && (next == 'z' || (next == 'c' && matches!(self.peek(2), 'e' | 'i' | 'é' | 'í'))) =>
            {
                self.put(Sound::Other('s'), 2);
            }
            's' => self.put(Sound::Other('s'), 1 + usize::from(next == 's')),
            't' if next == 's' && self.at == 0 => self.put(Sound::Other('ʦ'), 2),
            't' => self.put(Sound::Other('t'), 1 + usize::from(matches!(next, 't' | 'h'))),
            'w' => {
                let doubled = usize::from(next == 'h');
                self.put(Sound::Other('w'), 1 + doubled);
            }
            'x' if self.at == 0 => self.put(Sound::Other('s'), 1),
            'x' => {
                self.sounds.push(Sound::Other('k'));
                // As in excelente: one sound in America, two in Spain.
                let doubled = self.accent == Accent::American
                    && next == 'c'
                    && matches!(self.peek(2), 'e' | 'i' | 'é' | 'í');
                self.put(Sound::Other('s'), 1 + usize::from(doubled));
            }
            'y' => self.put(Sound::Y, 1),
            'z' if next == 'z' => self.put(Sound::Other('ʦ'), 2),
            'z' => self.fricative(),
            'ʃ' | 'ʤ' | 'ʦ' => self.put(Sound::Other(c), 1),
            _ => self.at += 1,
        }
    }

    /// z, and c before e and i.
    fn fricative(&mut self) {
        let symbol = if self.accent == Accent::Castilian { 'θ' } else { 's' };
        self.put(Sound::Other(symbol), 1);
    }

    fn letter_g(&mut self, next: char, front: bool) {
        let u_is_silent = next == 'u' && matches!(self.peek(2), 'e' | 'i' | 'é' | 'í' | 'y');
        if self.at == 0 && next == 'n' {
            self.put(Sound::N, 2);
        } else if u_is_silent || next == 'h' {
            self.put(Sound::G, 2);
        } else if front {
            self.put(Sound::Other('x'), 1);
        } else {
            self.put(Sound::G, 1 + usize::from(next == 'g'));
        }
    }

    fn letter_q(&mut self, next: char) {
        let silent = next == 'u' && matches!(self.peek(2), 'e' | 'i' | 'é' | 'í' | 'y' | ' ');
        self.put(Sound::Other('k'), 1 + usize::from(silent));
    }

    fn letter_r(&mut self, next: char) {
        if next == 'r' {
            self.put(Sound::Other('r'), 2);
            return;
        }
        // At the start of a word and after n, l and s; the prefix "sub-" counts as a separate word.
        let start = self.at == 0 || matches!(self.before(), 'n' | 'l' | 's');
        let after_sub = self.at == 3 && self.letters[..3] == ['s', 'u', 'b'];
        self.put(Sound::Other(if start || after_sub { 'r' } else { 'ɾ' }), 1);
    }
}

/// Whether s and h belong to two parts of a word: `deshielo`, `deshacer`.
fn is_vowel_before_h(before: char) -> bool {
    matches!(before, 'e')
}

const VOWEL_U: Sound = Sound::Vowel { symbol: "u", accented: false, loud: "u", half: false };
const HALF_I: Sound = Sound::Vowel { symbol: "i", accented: false, loud: "i", half: true };
const HALF_U: Sound = Sound::Vowel { symbol: "u", accented: false, loud: "u", half: true };
