//! Consonants, and which of them are not heard.

use super::{Writer, is_consonant, is_vowel};

impl Writer<'_> {
    pub(super) fn consonant(&mut self, c: char) {
        let (next, after) = (self.peek(1), self.peek(2));
        let soft = |c: char| "eiyéèêëîïæ".contains(c);
        // A consonant written twice is said once.
        let twice = next == c && !matches!(c, 'c' | 's' | 'g');
        let length = if twice { 2 } else { 1 };
        let is_last = self.at + length >= self.letters.len();
        match c {
            'b' => self.put(if is_last && self.back(1) == 'm' { "" } else { "b" }, length),
            'c' => match next {
                'c' if soft(after) => self.put("ks", 2),
                'c' => self.put("k", 2),
                'h' if matches!(after, 'r' | 'l' | 'n' | 't') => self.put("k", 2),
                'h' => self.put("ʃ", 2),
                'q' | 'k' => self.put("", 1),
                _ if soft(next) => self.put("s", 1),
                't' if self.rests(&["ct", "cts"]) => {
                    let whole: String = self.letters.iter().collect();
                    let silent = self.back(1) == 'n' || whole.contains("spect");
                    self.put(if silent { "" } else { "kt" }, self.letters.len() - self.at);
                }
                ' ' if matches!(self.back(1), 'n') => self.put("", 1),
                's' if self.rest("cs") && matches!(self.back(1), 'n') => self.put("", 2),
                _ => self.put("k", 1),
            },
            'ç' => self.put("s", 1),
            'd' => {
                // "Bagdad", "Fred", against "pied".
                let heard = self.back(1) == 'a' || (self.back(1) == 'e' && self.back(2) != 'i');
                let silent = (is_last || self.rest("ds")) && !(is_last && heard);
                self.put(if silent { "" } else { "d" }, length);
            }
            'f' => self.put("f", length),
            'g' => match next {
                'e' | 'i' | 'y' | 'é' | 'è' | 'ê' | 'î' | 'ï' => self.put("ʒ", 1),
                // As the voice was taught.
                'n' => self.put(if after == 'e' && self.mute_after_gn() { "ɲ" } else { "nj" }, 2),
                'u' if is_vowel(after) => self.put("ɡ", 2),
                'g' if soft(after) => self.put("ɡʒ", 2),
                'g' | 'h' => self.put("ɡ", 2),
                ' ' if self.said.ends_with('\u{303}') || self.back(1) == 'r' => self.put("", 1),
                's' if self.rest("gs") && (self.said.ends_with('\u{303}') || self.back(1) == 'r') => {
                    self.put("", 2);
                }
                't' if self.rest("gt") || self.rest("gts") => self.put("", self.letters.len() - self.at),
                // "Vingtième".
                't' if self.said.ends_with('\u{303}') => self.put("", 1),
                _ => self.put("ɡ", 1),
            },
            'h' => self.put("", 1),
            'j' => self.put("ʒ", 1),
            'k' => self.put("k", length),
            'l' => self.put("l", length),
            'm' => self
                .put(if next == 'n' && self.back(1) == 'o' && self.starts("mne") { "" } else { "m" }, length),
            'n' => self.put("n", length),
            'ñ' => self.put("ɲ", 1),
            'p' => match next {
                'h' => self.put("f", 2),
                // "Compter", "prompt".
                't' if self.back(1) == 'm' && self.back(2) == 'o' => self.put("", 1),
                't' if self.rests(&["pt", "pts"]) => self.put("", self.letters.len() - self.at),
                _ if is_last || self.rest("ps") => {
                    let word: String = self.letters.iter().collect();
                    let word = word.trim_end_matches('s');
                    let silent = self.back(1) == 'm'
                        || ["oup", "trop", "galop", "irop", "drap"]
                            .iter()
                            .any(|ending| word.ends_with(ending));
                    self.put(if silent { "" } else { "p" }, self.letters.len() - self.at);
                }
                _ => self.put("p", length),
            },
            'q' => self.put("k", if next == 'u' { 2 } else { 1 }),
            'r' => self.put("ʁ", if next == 'h' { 2 } else { length }),
            's' => self.s(next, after),
            'š' => self.put("ʃ", 1),
            'č' => self.put("tʃ", 1),
            't' => self.t(next, after, is_last),
            'v' => self.put("v", 1),
            'w' => self.put("w", 1),
            'x' => self.x(next),
            'z' => self.put(if is_last && self.at > 2 { "" } else { "z" }, length),
            _ => self.at += 1,
        }
    }

    /// Whether the e after gn is not heard.
    fn mute_after_gn(&self) -> bool {
        let rest: String = self.letters.iter().skip(self.at + 3).collect();
        matches!(rest.as_str(), "" | "s") || rest.starts_with("ment") || (self.verb && rest == "nt")
    }

    fn s(&mut self, next: char, after: char) {
        let before = self.back(1);
        match next {
            's' => self.put("s", 2),
            'c' if after == 'h' => self.put("ʃ", 3),
            'c' if "eiyéèêë".contains(after) => self.put("s", 2),
            'h' => self.put("ʃ", 2),
            ' ' => self.put("", 1),
            _ if is_vowel(next) && is_vowel(before) => self.put("z", 1),
            _ if next == 'b' || next == 'd' || next == 'g' => self.put("z", 1),
            // "Transition", "transaction".
            _ if is_vowel(next) && self.said.ends_with("tʁɑ̃") => self.put("z", 1),
            _ => self.put("s", 1),
        }
    }

    fn t(&mut self, next: char, after: char, is_last: bool) {
        match next {
            't' => {
                self.put("t", if after == 'h' { 3 } else { 2 });
            }
            'h' => self.put("t", 2),
            'c' if after == 'h' => self.put("tʃ", 3),
            // "Patient", "initial", but "question" and "chrétien".
            'i' if is_vowel(after) && self.is_soft(after) => self.put("s", 1),
            _ if is_last || self.rest("ts") => self.put("", 1),
            _ => self.put("t", 1),
        }
    }

    /// Whether t before i and this vowel is s.
    fn is_soft(&self, after: char) -> bool {
        if matches!(self.back(1), 's' | ' ' | 'x') || self.at == 0 {
            return false;
        }
        match after {
            'a' => self.starts("tial") || self.starts("tiau") || self.starts("tiai") || self.starts("tiat"),
            'e' if self.starts("tiel") => true,
            'e' => self.rests(&["tient", "tients", "tiente", "tience"]) && matches!(self.back(1), 'a' | 'o'),
            _ => false,
        }
    }

    fn x(&mut self, next: char) {
        let first = self.at == 0;
        match next {
            // "Index", "thorax", "mix", against "prix" and "deux".
            ' ' => {
                let single = is_consonant(self.back(2)) || self.at == 1;
                let heard = match self.back(1) {
                    'a' | 'e' | 'o' => single,
                    'i' => single && !matches!(self.back(2), 'r' | 'd' | 's' | 'f'),
                    'y' => true,
                    _ => false,
                };
                self.put(if heard { "ks" } else { "" }, 1);
            }
            // "Deuxième".
            'i' if self.starts("xièm") => self.put("z", 1),
            'c' if "eiéèê".contains(self.peek(2)) => self.put("ks", 2),
            _ if first => self.put("ks", 1),
            _ if self.back(1) == 'e' && self.at == 1 && (is_vowel(next) || next == 'h') => self.put("ɡz", 1),
            _ => self.put("ks", 1),
        }
    }
}
