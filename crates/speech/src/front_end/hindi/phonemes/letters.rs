//! From the letters of a word to its sounds. Each consonant has an a of its own unless a vowel sign
//! or a virama follows; which of them are silent is decided in [`super::schwa`].

use super::sounds::{Kind, Sound};

const VIRAMA: char = '\u{94D}';
const CANDRABINDU: char = '\u{901}';
const ANUSVARA: char = '\u{902}';
const VISARGA: char = '\u{903}';

const YA: char = 'य';
const RA: char = 'र';

/// Whether a letter is a consonant.
pub(super) const fn is_consonant(c: char) -> bool {
    matches!(c, '\u{915}'..='\u{939}' | '\u{958}'..='\u{95F}')
}

/// Whether a sign takes the place of a consonant's own a.
const fn takes_the_a(c: char) -> bool {
    matches!(c, '\u{93E}'..='\u{94D}' | '\u{962}' | '\u{963}')
}

/// The sounds of a word. Characters that are no letters of the script have none.
pub(super) fn sounds(word: &str) -> Vec<Sound> {
    let letters: Vec<char> = word.chars().collect();
    let mut reader = Reader { letters: &letters, at: 0, sounds: Vec::with_capacity(letters.len() * 2) };
    while reader.at < letters.len() {
        reader.step();
    }
    reader.sounds
}

struct Reader<'a> {
    letters: &'a [char],
    at: usize,
    sounds: Vec<Sound>,
}

impl Reader<'_> {
    fn ahead(&self, by: usize) -> Option<char> {
        self.letters.get(self.at + by).copied()
    }

    fn before(&self, by: usize) -> Option<char> {
        self.at.checked_sub(by).and_then(|at| self.letters.get(at)).copied()
    }

    fn step(&mut self) {
        let Some(c) = self.ahead(0) else { return };
        if is_consonant(c) {
            self.consonant(c);
        } else if let Some(vowel) = vowel(c) {
            self.vowel(c, vowel);
        } else {
            let sound = match c {
                ANUSVARA => Some(nasal_before(self.ahead(1))),
                CANDRABINDU => Some(Sound::consonant("n")),
                VISARGA => Some(Sound::new("h", Kind::H)),
                'ऽ' => Some(Sound::LENGTH),
                _ => None,
            };
            self.sounds.extend(sound);
            if c == 'ॐ' {
                self.sounds.extend([Sound::long("o\u{303}"), Sound::consonant("m")]);
            }
            self.at += 1;
        }
    }

    fn consonant(&mut self, c: char) {
        if let Some((sounds, letters)) = self.pair(c) {
            self.sounds.extend(sounds);
            self.at += letters;
            if !self.ahead(0).is_some_and(takes_the_a) {
                self.sounds.push(Sound::SCHWA);
            }
            return;
        }
        let after_virama = self.before(1) == Some(VIRAMA);
        let is_last = self.ahead(1).is_none();
        if is_last && c == YA && self.before(1).is_some_and(|c| is_consonant(c) || c == ANUSVARA) {
            self.sounds.extend([Sound::short("ɛ"), Sound::consonant("j")]);
            self.at += 1;
            return;
        }
        let Some(sound) = consonant(c) else {
            self.at += 1;
            return;
        };
        self.sounds.push(sound);
        if c == '\u{95D}' {
            self.sounds.push(Sound::new("h", Kind::H));
        }
        let lengthens = matches!(c, 'क' | 'च' | 'ट' | 'त' | 'प');
        if lengthens && self.ahead(1) == Some(VIRAMA) && self.ahead(2) == Some(YA) {
            self.sounds.push(length_of(sound));
        }
        if is_last {
            self.sounds.extend(self.last_a(c, after_virama));
        } else if !self.ahead(1).is_some_and(takes_the_a) {
            self.sounds.push(Sound::SCHWA);
        }
        self.at += 1;
    }

    /// The a after the last letter of a word.
    fn last_a(&self, c: char, after_virama: bool) -> Option<Sound> {
        let joined_to = self.before(2).filter(|_| after_virama);
        match c {
            // A letter alone is read by its name.
            _ if self.letters.len() == 1 => Some(Sound::MURMUR),
            'न' | 'म' if joined_to == Some(RA) => None,
            'म' if joined_to == Some('न') => None,
            RA if !after_virama => None,
            'ङ' | 'ञ' | 'ण' | 'न' | 'म' | YA | RA | 'ऱ' | 'ल' | 'ळ' | 'ऴ' if after_virama => {
                Some(Sound::MURMUR)
            }
            _ => Some(Sound::SCHWA),
        }
    }

    /// Two consonants that have a reading of their own, and the number of their letters.
    fn pair(&self, first: char) -> Option<(Vec<Sound>, usize)> {
        if self.ahead(1) != Some(VIRAMA) {
            return None;
        }
        let second = self.ahead(2)?;
        let sounds = match (first, second) {
            ('ज', 'ञ') => vec![Sound::new("ɡ", Kind::Stop), Sound::consonant("j")],
            ('क', 'ष') => vec![Sound::new("k", Kind::Stop), Sound::consonant("ʃ")],
            ('क', 'क')
            | ('ग', 'ग')
            | ('च', 'च' | 'छ')
            | ('ज', 'ज')
            | ('ट', 'ट' | 'ठ')
            | ('ठ', 'ठ')
            | ('ड', 'ड' | 'ढ')
            | ('त', 'त' | 'थ')
            | ('द', 'द' | 'ध')
            | ('प', 'प') => {
                let sound = consonant(second)?;
                vec![sound, length_of(sound)]
            }
            _ => return None,
        };
        Some((sounds, 3))
    }

    /// A vowel, as a letter or as a sign, with the mark of its nasal sound.
    fn vowel(&mut self, c: char, vowel: Vowel) {
        let after = self.ahead(1);
        let is_sign = takes_the_a(c);
        let is_last = self.at + 2 == self.letters.len();
        let after_aa = self.before(1) == Some('ा');
        let nasal = match (after, vowel.nasal) {
            (_, "") => None,
            // In आएँ and जाओं the vowel is hardly more than a glide.
            (Some(CANDRABINDU), _) if c == 'ए' && is_last && after_aa => Some(Sound::consonant("j")),
            (Some(CANDRABINDU | ANUSVARA), _) if c == 'ओ' && is_last && after_aa => {
                Some(Sound::consonant("w"))
            }
            (Some(ANUSVARA), nasal) if is_sign || !matches!(c, 'ई' | 'उ') => Some(Sound::long(nasal)),
            (Some(CANDRABINDU), nasal) if c == 'ए' => Some(Sound::long(nasal)),
            (Some(CANDRABINDU), nasal)
                if is_last && (is_sign && c != 'ि' || matches!(c, 'ऊ' | 'ऐ' | 'ओ' | 'औ')) =>
            {
                Some(Sound::long(nasal))
            }
            _ => None,
        };
        if let Some(nasal) = nasal {
            self.sounds.push(nasal);
            let is_e = matches!(c, 'े' | 'ए') && nasal.is_vowel();
            if is_e {
                self.sounds.push(Sound::LENGTH);
            }
            self.at += 2;
            return;
        }
        self.at += 1;
        if is_sign && after == Some(CANDRABINDU) && c != 'ि' && !vowel.nasal.is_empty() {
            // The candrabindu itself is heard as an n after it.
            self.sounds.push(Sound::long(vowel.nasal));
            return;
        }
        if matches!(c, 'ऋ' | 'ृ' | 'ॄ' | 'ॠ') {
            self.sounds.push(Sound::new("ɾ", Kind::R));
        }
        let sound = match c {
            'ी' | 'ई' if after.is_none() => Sound::short("i"),
            'अ' if after == Some('ह') || self.follows_aha() => Sound::short("ɛ"),
            _ => vowel.plain,
        };
        self.sounds.push(sound);
    }

    /// Whether अह is before the letter that was just read.
    fn follows_aha(&self) -> bool {
        self.before(2) == Some('ह') && self.before(3) == Some('अ')
    }
}

/// A vowel and its nasal sound, if it has one.
#[derive(Clone, Copy)]
struct Vowel {
    plain: Sound,
    nasal: &'static str,
}

fn vowel(c: char) -> Option<Vowel> {
    let (plain, nasal) = match c {
        'अ' => (Sound::SCHWA, ""),
        'आ' | 'ा' => (Sound::long("aː"), "a\u{303}"),
        'इ' | 'ि' => (Sound::short("ɪ"), "i\u{303}"),
        'ई' | 'ी' => (Sound::new("iː", Kind::LongI), "i\u{303}"),
        'उ' | 'ु' => (Sound::short("ʊ"), "u\u{303}"),
        'ऊ' => (Sound::short("u"), "u\u{303}"),
        'ू' => (Sound::long("uː"), "u\u{303}"),
        'ऋ' | 'ृ' | 'ॄ' | 'ॠ' => (Sound::short("ɪ"), ""),
        'ऌ' | 'ॢ' | 'ॡ' | 'ॣ' => (Sound::short("lɪ"), ""),
        'ऍ' | 'ॅ' => (Sound::short("ɛ"), ""),
        'ऎ' | 'ॆ' => (Sound::short("e"), "e\u{303}"),
        'ए' | 'े' => (Sound::long("eː"), "e\u{303}"),
        'ऐ' | 'ै' => (Sound::long("ɛː"), "ɛ\u{303}"),
        'ऑ' | 'ॉ' => (Sound::short("ɔ"), ""),
        'ऒ' | 'ॊ' => (Sound::short("o"), "o\u{303}"),
        'ओ' | 'ो' => (Sound::long("oː"), "o\u{303}"),
        'औ' | 'ौ' => (Sound::long("ɔː"), "ɔ\u{303}"),
        _ => return None,
    };
    Some(Vowel { plain, nasal })
}

/// How a long consonant goes on: these are written twice, others with the sign of length.
fn length_of(sound: Sound) -> Sound {
    let twice = matches!(sound.symbols, "cʰ" | "ʈ" | "ʈʰ" | "ɖ" | "ɖʰ");
    if twice { Sound::new(sound.symbols, Kind::Length) } else { Sound::LENGTH }
}

/// The nasal consonant that the anusvara stands for.
fn nasal_before(next: Option<char>) -> Sound {
    Sound::consonant(match next {
        Some('प' | 'फ' | 'ब' | 'भ' | 'म') => "m",
        Some('ट' | 'ठ' | 'ड' | 'ढ' | 'ण') => "ɳ",
        Some('च' | 'छ' | 'ज' | 'झ' | 'ञ' | 'य') => "ɲ",
        Some('क' | 'ख' | 'ग' | 'घ' | 'ङ') => "ŋ",
        _ => "n",
    })
}

fn consonant(c: char) -> Option<Sound> {
    let stop = |symbols| Some(Sound::new(symbols, Kind::Stop));
    let other = |symbols| Some(Sound::consonant(symbols));
    match c {
        'क' => stop("k"),
        '\u{958}' => stop("q"),
        'ख' => stop("kʰ"),
        '\u{959}' => other("x"),
        'ग' => stop("ɡ"),
        '\u{95A}' => other("ɣ"),
        'घ' => stop("ɡʰ"),
        'ङ' => other("ŋ"),
        'च' => stop("c"),
        'छ' => stop("cʰ"),
        'ज' => stop("ɟ"),
        '\u{95B}' => other("z"),
        'झ' => stop("ɟʰ"),
        'ञ' => other("ɲ"),
        'ट' => stop("ʈ"),
        'ठ' => stop("ʈʰ"),
        'ड' => stop("ɖ"),
        // The voices were taught with these two characters for the flap of the tongue.
        '\u{95C}' | '\u{95D}' => other("r."),
        'ढ' => stop("ɖʰ"),
        'ण' => other("ɳ"),
        'त' => stop("t"),
        'थ' => stop("tʰ"),
        'द' => stop("d"),
        'ध' => stop("dʰ"),
        'न' | 'ऩ' => other("n"),
        'प' => stop("p"),
        'फ' => stop("pʰ"),
        '\u{95E}' => other("f"),
        'ब' => stop("b"),
        'भ' => stop("bʰ"),
        'म' => other("m"),
        'य' | '\u{95F}' => other("j"),
        'र' | 'ऱ' => Some(Sound::new("ɾ", Kind::R)),
        'ल' | 'ळ' | 'ऴ' => other("l"),
        'व' => other("ʋ"),
        'श' => other("ʃ"),
        'ष' => other("ʂ"),
        'स' => other("s"),
        'ह' => Some(Sound::new("h", Kind::H)),
        _ => None,
    }
}
