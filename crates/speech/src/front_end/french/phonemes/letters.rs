//! The sounds of a word, letter by letter.
//!
//! Two vowels depend on their syllable, which is known only once all sounds are: `O` stands for an
//! o and `U` for eu until [`settle`] opens or closes them.

mod consonants;
mod vowels;

/// The phonemes of a word in lower case, without stress. `verb` says that a final -ent is that of a
/// verb, and is not heard.
pub(super) fn sounds(word: &str, verb: bool) -> String {
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).map(plain).collect();
    let mut writer = Writer { letters: &letters, at: 0, said: String::with_capacity(word.len() + 4), verb };
    while writer.at < letters.len() {
        writer.step();
    }
    settle(&writer.said)
}

/// Foreign letters as French spells their sounds.
fn plain(c: char) -> char {
    match c {
        'á' | 'ã' | 'å' | 'ä' | 'ā' | 'ă' | 'ą' => 'a',
        'ē' | 'ė' | 'ę' | 'ě' => 'é',
        'í' | 'ì' | 'ī' | 'ı' | 'į' => 'i',
        'ó' | 'ò' | 'õ' | 'ø' | 'ō' | 'ő' => 'o',
        'ö' => 'œ',
        'ú' | 'ū' | 'ů' | 'ű' | 'ų' => 'u',
        'ñ' | 'ń' | 'ň' => 'ñ',
        'š' | 'ş' | 'ș' | 'ś' => 'š',
        'ž' | 'ź' | 'ż' => 'z',
        'č' | 'ć' => 'č',
        'ł' | 'ľ' => 'l',
        'ř' => 'r',
        'ţ' | 'ț' | 'ť' => 't',
        'ď' | 'đ' | 'ð' => 'd',
        'ß' => 's',
        'ý' | 'ÿ' => 'y',
        'ğ' => 'g',
        c => c,
    }
}

fn is_vowel(c: char) -> bool {
    "aeiouyàâéèêëîïôöùûüœæ".contains(c)
}

fn is_consonant(c: char) -> bool {
    c.is_alphabetic() && !is_vowel(c)
}

struct Writer<'a> {
    letters: &'a [char],
    at: usize,
    said: String,
    verb: bool,
}

impl Writer<'_> {
    /// The letter `offset` after the next one; a space past the end.
    fn peek(&self, offset: usize) -> char {
        self.letters.get(self.at + offset).copied().unwrap_or(' ')
    }

    /// The letter `offset` before the next one; a space before the start.
    fn back(&self, offset: usize) -> char {
        self.at.checked_sub(offset).and_then(|at| self.letters.get(at)).copied().unwrap_or(' ')
    }

    /// Whether the next letters are these.
    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, c)| self.peek(offset) == c)
    }

    /// Whether the rest of the word is this.
    fn rest(&self, text: &str) -> bool {
        self.starts(text) && self.letters.len() - self.at == text.chars().count()
    }

    /// Whether the rest of the word is one of these.
    fn rests(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.rest(text))
    }

    fn put(&mut self, sounds: &str, letters: usize) {
        self.said.push_str(sounds);
        self.at += letters;
    }

    /// Whether the letters from `offset` on are silent at the end of a word.
    fn is_silent_from(&self, offset: usize) -> bool {
        let rest: String = self.letters.iter().skip(self.at + offset).collect();
        matches!(rest.as_str(), "" | "e" | "s" | "es" | "t" | "ts" | "x" | "d" | "ds" | "z" | "p" | "ps")
            || (self.verb && rest == "ent")
    }

    fn step(&mut self) {
        let c = self.peek(0);
        if self.ending() {
            return;
        }
        if is_vowel(c) {
            if !self.nasal() {
                self.vowel(c);
            }
        } else {
            self.consonant(c);
        }
    }

    /// Whole endings that are said in their own way.
    fn ending(&mut self) -> bool {
        const ENDINGS: &[(&str, &str)] = &[
            ("tion", "sjɔ̃"),
            ("tions", "sjɔ̃"),
            ("tiel", "sjɛl"),
            ("tiels", "sjɛl"),
            ("tielle", "sjɛl"),
            ("tielles", "sjɛl"),
            ("tieux", "sjø"),
            ("tieuse", "sjøz"),
            ("tieuses", "sjøz"),
            ("tience", "sjɑ̃s"),
            ("iement", "imɑ̃"),
            ("iements", "imɑ̃"),
            ("cratie", "kʁasi"),
            ("craties", "kʁasi"),
            ("uer", "ye"),
            ("uez", "ye"),
            ("um", "ɔm"),
            ("ums", "ɔm"),
        ];
        if self.at == 0 {
            return false;
        }
        if self.back(1) == 's' && self.peek(0) == 't' {
            return false;
        }
        let c = self.back(1);
        for (ending, said) in ENDINGS {
            if self.rest(ending) {
                // "continuer", but "distinguer", "remarquer" and "parfum".
                let apart = match *ending {
                    "uer" | "uez" => !matches!(c, 'g' | 'q' | 'o' | 'a' | 'e'),
                    "um" | "ums" => c != 'f',
                    _ => true,
                };
                if apart {
                    self.put(said, ending.chars().count());
                    return true;
                }
            }
        }
        // "national", "nationaux", "fonctionner", "actionnaire".
        if self.starts("tion") && self.peek(4) != ' ' {
            match self.peek(4) {
                'n' => self.put("sjɔn", 5),
                next if is_vowel(next) => self.put("sjon", 4),
                _ => self.put("sjɔ̃", 4),
            }
            return true;
        }
        if self.starts("tiat") || self.starts("tiati") {
            self.put("sja", 3);
            return true;
        }
        false
    }
}

/// Opens and closes the vowels whose quality depends on their syllable.
fn settle(said: &str) -> String {
    let sounds: Vec<char> = said.chars().collect();
    let mut settled = String::with_capacity(said.len());
    for (at, &c) in sounds.iter().enumerate() {
        let rest = &sounds[at + 1..];
        match c {
            'O' if (is_open(rest) && !is_group(rest)) || rest.first() == Some(&'z') => settled.push('o'),
            'O' => settled.push('ɔ'),
            'U' if is_open(rest) || rest.first() == Some(&'z') => settled.push('ø'),
            'U' => settled.push('œ'),
            // A circumflex makes the last vowel of a word long.
            'Â' | 'Ô' | 'Û' => {
                settled.push(match c {
                    'Â' => 'a',
                    'Ô' => 'o',
                    _ => 'y',
                });
                if !rest.iter().any(|&c| is_sounded_vowel(c)) && (c != 'Â' || !rest.is_empty()) {
                    settled.push('ː');
                }
            }
            c => settled.push(c),
        }
    }
    settled
}

fn is_sounded_vowel(c: char) -> bool {
    "aeiouyɛəɔøœɑOUÂÔÛ".contains(c)
}

/// Whether these sounds begin with a group such as bl, before which an o is open.
fn is_group(rest: &[char]) -> bool {
    rest.len() > 1 && !is_sounded_vowel(rest[0]) && matches!(rest[1], 'ʁ' | 'l')
}

/// Whether a syllable ends before these sounds: nothing follows, or one consonant or a group that
/// begins a syllable, and then a vowel.
fn is_open(rest: &[char]) -> bool {
    let consonants = rest.iter().take_while(|&&c| !is_sounded_vowel(c)).count();
    let vowel = rest.len() > consonants;
    match (consonants, vowel) {
        (0, _) => true,
        (1, vowel) => vowel,
        (2, true) => {
            let (one, two) = (rest[0], rest[1]);
            (matches!(two, 'ʁ' | 'l') && "pbtdkɡfv".contains(one)) || matches!(two, 'j' | 'w')
        }
        (3, true) => {
            matches!(rest[2], 'j' | 'w') && matches!(rest[1], 'ʁ' | 'l') && "pbtdkɡfv".contains(rest[0])
        }
        _ => false,
    }
}
