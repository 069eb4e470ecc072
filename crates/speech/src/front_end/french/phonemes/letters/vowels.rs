//! Vowels, alone, together, and before n or m.

use super::{Writer, is_consonant, is_sounded_vowel, is_vowel};

impl Writer<'_> {
    /// A vowel before n or m that is not followed by a vowel or by the same letter.
    pub(super) fn nasal(&mut self) -> bool {
        const SPELLINGS: &[(&str, &str)] = &[
            ("ain", "ɛ̃"),
            ("aim", "ɛ̃"),
            ("ein", "ɛ̃"),
            ("eim", "ɛ̃"),
            ("oin", "wɛ̃"),
            ("aon", "ɑ̃"),
            ("éen", "eɛ̃"),
            ("ien", "jɛ̃"),
            ("yen", "jɛ̃"),
            ("în", "ɛ̃"),
            ("ïn", "ɛ̃"),
            ("in", "ɛ̃"),
            ("im", "ɛ̃"),
            ("yn", "ɛ̃"),
            ("ym", "ɛ̃"),
            ("an", "ɑ̃"),
            ("am", "ɑ̃"),
            ("en", "ɑ̃"),
            ("em", "ɑ̃"),
            ("on", "ɔ̃"),
            ("om", "ɔ̃"),
            ("un", "œ̃"),
            ("um", "œ̃"),
        ];
        let Some(&(spelling, said)) = SPELLINGS.iter().find(|(spelling, _)| self.starts(spelling)) else {
            return false;
        };
        let length = spelling.chars().count();
        let (last, next) = (self.peek(length - 1), self.peek(length));
        if next == 'h' && is_vowel(self.peek(length + 1)) {
            return false;
        }
        // "Emmener" and "ennui" have a nasal before a double letter.
        let initial = self.at == 0
            && ((spelling == "em" && next == 'm')
                || (spelling == "en" && next == 'n' && matches!(self.peek(3), 'u' | 'o')));
        if initial {
            self.put(said, length);
            return true;
        }
        // Endings of words from other languages keep their consonant: "idem", "golden".
        let ends = next == ' ' && self.at > 0 && is_consonant(self.back(1));
        if ends && matches!(spelling, "am" | "im" | "em") || (ends && spelling == "en" && self.at > 1) {
            let said = match spelling {
                "am" => "am",
                "im" => "im",
                "em" => "ɛm",
                _ => "ɛn",
            };
            self.put(said, length);
            return true;
        }
        if spelling == "in" && self.rest("ing") && is_consonant(self.back(1)) {
            self.put("iŋ", 3);
            return true;
        }
        // "Ils rient", against "il vient".
        if spelling == "ien" && self.verb && self.rest("ient") && !matches!(self.back(1), 'v' | 't') {
            self.put("i", 4);
            return true;
        }
        if spelling == "éen" && self.verb && self.rest("éent") {
            self.put("e", 4);
            return true;
        }
        let doubled = next == last || (last == 'm' && next == 'n');
        if is_vowel(next) || doubled {
            return false;
        }
        if spelling == "en" && self.verb && self.rest("ent") {
            // A verb: nothing is heard of it.
            self.put("", 3);
            return true;
        }
        if last == 'm' && !matches!(next, 'b' | 'p' | 't' | ' ' | 's') {
            return false;
        }
        if spelling == "aon" && !matches!(self.back(1), 'p' | 'f' | 't') {
            return false;
        }
        let said = match spelling {
            "ien" => {
                // "Science", "client", "orient", against "bien", "tiens", "viendra".
                let closed = next == 'c' || (next == 't' && !matches!(self.back(1), 'v' | 't'));
                match (closed, self.after_cluster()) {
                    (true, true) => "iɑ̃",
                    (true, false) => "jɑ̃",
                    (false, true) => "iɛ̃",
                    (false, false) => "jɛ̃",
                }
            }
            // "Examen", "lycéen".
            "en" if self.back(1) == 'é' => "ɛ̃",
            "en" if self.back(1) == 'i' || self.back(1) == 'y' => "ɛ̃",
            _ => said,
        };
        self.put(said, length);
        true
    }

    /// Whether the sound before is a group such as pl or tr, after which i is a vowel of its own.
    fn after_cluster(&self) -> bool {
        matches!(self.back(1), 'r' | 'l') && "bcdfgptv".contains(self.back(2))
    }

    pub(super) fn vowel(&mut self, c: char) {
        let next = self.peek(1);
        match c {
            'a' | 'à' => self.a(next),
            'â' => self.put("Â", 1),
            'e' => self.e(),
            'é' | 'æ' => self.put("e", 1),
            'è' | 'ê' | 'ë' => self.put("ɛ", 1),
            'i' | 'î' | 'ï' => self.i(c),
            'o' => self.o(next),
            'ô' => self.put("Ô", 1),
            'œ' | 'ö' => {
                let length = if next == 'u' { 2 } else { 1 };
                let said = if next == 'u' || next == 'i' { "U" } else { "e" };
                self.put(if c == 'ö' { "U" } else { said }, length);
            }
            // "Accueil", "orgueil".
            'u' if matches!(self.back(1), 'c' | 'g') && self.starts("ueil") => {
                let length = if self.peek(4) == 'l' { 5 } else { 4 };
                self.put("œj", length);
            }
            'u' | 'ù' | 'û' | 'ü' => self.put(if c == 'û' { "Û" } else { "y" }, 1),
            _ => self.y(),
        }
    }

    fn a(&mut self, next: char) {
        match (next, self.peek(2)) {
            // "Travail", "paille".
            ('i', 'l') if self.peek(3) == 'l' || self.rests(&["ail", "ails"]) => {
                let length = if self.peek(3) == 'l' { 4 } else { 3 };
                self.put("aj", length);
            }
            ('i', 'ë') => self.put("a", 1),
            ('i' | 'î', _) => {
                // "J'ai", "chanterai", "parlai".
                let first_person = self.rest("ai") && matches!(self.back(1), 'r' | ' ') && self.at > 2;
                self.put(if first_person { "e" } else { "ɛ" }, 2);
            }
            ('u', 'l') if self.rest("ault") => self.put("o", 4),
            ('u', _) => self.put("o", 2),
            ('y', 's') if self.peek(3) == ' ' => self.put("ɛ", 2),
            ('y', after) if is_vowel(after) => self.put("ɛj", 2),
            ('y', _) => self.put("ɛ", 2),
            _ => self.put("a", 1),
        }
    }

    fn e(&mut self) {
        let (next, after) = (self.peek(1), self.peek(2));
        let alone = !self.letters[..self.at].iter().any(|&c| is_vowel(c));
        match (next, after) {
            ('a', 'u') => self.put("o", 3),
            // "Soleil", "abeille".
            ('i', 'l') if self.peek(3) == 'l' || self.rests(&["eil", "eils"]) => {
                let length = if self.peek(3) == 'l' { 4 } else { 3 };
                self.put("ɛj", length);
            }
            ('u', 'i') if self.peek(3) == 'l' => {
                let length = if self.peek(4) == 'l' { 5 } else { 4 };
                self.put("œj", length);
            }
            ('u' | 'û', _) => self.put("U", 2),
            ('y', after) if is_vowel(after) => self.put("ɛj", 2),
            ('i' | 'y', _) | ('t', ' ') => self.put("ɛ", 2),
            // "Mangeons": only softens the g.
            ('a' | 'o' | 'â' | 'ô', _) if self.back(1) == 'g' => self.put("", 1),
            (' ', _) => self.put(if alone { "ə" } else { "" }, 1),
            ('s', ' ') => self.put(if alone { "e" } else { "" }, 2),
            ('n', 't') if self.verb && self.rest("ent") => self.put("", 3),
            ('r', ' ') => self.put(if alone { "ɛʁ" } else { "e" }, 2),
            // "Premiers", "dangers", against "divers", "univers".
            ('r', 's') if self.rest("ers") => {
                let silent = !alone && matches!(self.back(1), 'i' | 'g' | 'h' | 'l' | 'd' | 'y');
                self.put(if silent { "e" } else { "ɛʁ" }, 3);
            }
            ('z', ' ') => self.put("e", 2),
            ('t', 's') if self.rest("ets") => self.put("ɛ", 3),
            ('d', _) if self.rests(&["ed", "eds"]) && self.back(1) == 'i' => {
                self.put("e", self.letters.len() - self.at);
            }
            // "Femme" is a list's; "évidemment".
            ('m', 'm') if self.starts("emment") => self.put("a", 1),
            ('f' | 's', _) if self.at == 0 && next == after => self.put("e", 1),
            // "Ressembler".
            ('s', 's') if self.at == 1 && self.back(1) == 'r' => self.put("ə", 1),
            _ if self.is_closed() => self.put("ɛ", 1),
            // A capital lost its accent: no French word begins with a schwa.
            _ if self.at == 0 => self.put("e", 1),
            _ => self.schwa(alone),
        }
    }

    /// Whether consonants that no syllable begins with follow an e, so that its syllable is closed.
    fn is_closed(&self) -> bool {
        let (one, two, three) = (self.peek(1), self.peek(2), self.peek(3));
        if !is_consonant(one) {
            return false;
        }
        if one == 'x' || two == ' ' {
            return true;
        }
        if !is_consonant(two) {
            return false;
        }
        if one == two {
            return true;
        }
        // Groups that begin a syllable.
        let group = (matches!(two, 'r' | 'l') && "bcdfgptv".contains(one))
            || matches!((one, two), ('g', 'n') | ('q', 'u'))
            // "Technique" against "cacher".
            || (two == 'h' && matches!(one, 'c' | 'p' | 't') && !is_consonant(three));
        !group
    }

    /// An e in an open syllable: not heard between two single consonants after a vowel.
    fn schwa(&mut self, alone: bool) {
        // "Paiement", "remerciement".
        if !alone && self.said.ends_with(is_sounded_vowel) {
            self.put("", 1);
            return;
        }
        let mut before = self.said.chars().rev();
        let single = before.next().is_some_and(|c| !is_sounded_vowel(c) && c != '\u{303}')
            && before.next().is_some_and(|c| is_sounded_vowel(c) || c == '\u{303}');
        let next = self.peek(1);
        let group = is_consonant(self.peek(2))
            && !matches!((next, self.peek(2)), ('c' | 'p' | 't', 'h') | ('g', 'n'));
        let silent = !alone && is_vowel(next);
        let dropped = !alone && single && is_consonant(next) && !group;
        self.put(if silent || dropped { "" } else { "ə" }, 1);
    }

    fn i(&mut self, c: char) {
        let next = self.peek(1);
        // "Fille", "brillant".
        let whole = ["mill", "vill", "tranquill", "instill", "distill", "oscill", "scintill"];
        let stem: String = self.letters.iter().take(self.at + 3).collect();
        if c == 'i' && next == 'l' && self.peek(2) == 'l' && self.at > 0 && !whole.contains(&stem.as_str()) {
            self.put("ij", 3);
            return;
        }
        if c != 'ï' && is_vowel(next) && !(next == 'e' && self.is_silent_from(1)) {
            // A cluster before it keeps it a syllable: "crier".
            let said = if self.after_cluster() { "i" } else { "j" };
            self.put(said, 1);
            return;
        }
        if c == 'ï' && is_vowel(next) && is_vowel(self.back(1)) {
            self.put("j", 1);
            return;
        }
        self.put("i", 1);
    }

    fn o(&mut self, next: char) {
        match (next, self.peek(2)) {
            ('u', 'i') if self.peek(3) == 'l' => {
                let length = if self.peek(4) == 'l' { 5 } else { 4 };
                self.put("uj", length);
            }
            ('u' | 'ù' | 'û', after) => {
                let glide =
                    is_vowel(after) && !(after == 'e' && self.is_silent_from(2)) && !self.after_cluster();
                self.put(if glide { "w" } else { "u" }, 2);
            }
            ('y', after) if is_vowel(after) => self.put("waj", 2),
            ('i' | 'î' | 'y' | 'ê', _) => self.put("wa", 2),
            ('o', _) if self.back(1) == 'c' => self.put("ɔɔ", 2),
            ('o', _) => self
                .put(if self.said.is_empty() { "o" } else { "u" }, if self.said.is_empty() { 1 } else { 2 }),
            ('e', 'u') => self.put("U", 3),
            ('é' | 'ë' | 'è', _) => self.put("ɔ", 1),
            (next, after) if next == after && is_consonant(next) && next != 'r' => self.put("ɔ", 1),
            _ => self.put("O", 1),
        }
    }

    fn y(&mut self) {
        let next = self.peek(1);
        if is_vowel(next) && self.back(1) == 'u' {
            // "Appuyer".
            self.put("ij", 1);
        } else if is_vowel(next) && !(next == 'e' && self.is_silent_from(1)) {
            self.put("j", 1);
        } else {
            self.put("i", 1);
        }
    }
}
