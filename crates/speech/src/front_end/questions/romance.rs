//! Kinds of Spanish, French, Italian and Portuguese questions: by their question words, by the word
//! for "or", and by what asks for a yes at the end.

use std::ops::Range;

use super::{Kind, Verdict, scan::Word, segments};

/// The words of a language that tell its questions apart.
#[derive(Debug)]
pub(super) struct Words {
    /// They begin a question that falls.
    interrogatives: &'static [&'static str],
    /// The same with what is elided to them: `qu'`.
    elided: &'static [&'static str],
    /// May come before a question word or a question: prepositions, articles, "and".
    before: &'static [&'static str],
    /// They begin what is no name: "Ton frère, qui vit à Lyon ?"
    determiners: &'static [&'static str],
    or: &'static [&'static str],
    tags: &'static [&'static str],
    /// Whether a question word may also be the last of a question that falls: "Tu vas où ?"
    in_place: bool,
}

pub(super) const SPANISH: Words = Words {
    interrogatives: &[
        "qué", "quién", "quiénes", "cuándo", "dónde", "adónde", "cómo", "cuál", "cuáles", "cuánto", "cuánta",
        "cuántos", "cuántas", "porqué",
    ],
    elided: &[],
    before: &[
        "a", "al", "de", "con", "en", "para", "por", "desde", "hasta", "sobre", "y", "e", "pero", "entonces",
        "pues", "según", "contra", "entre", "bueno", "oye", "o",
    ],
    determiners: &["el", "la", "los", "las", "mi", "tu", "su", "un", "una", "nuestro", "este", "esta"],
    or: &["o", "u"],
    tags: &[
        "no",
        "verdad",
        "cierto",
        "sí",
        "eh",
        "vale",
        "no es así",
        "no es cierto",
        "no es verdad",
        "de acuerdo",
    ],
    in_place: false,
};

pub(super) const FRENCH: Words = Words {
    interrogatives: &[
        "qui",
        "que",
        "quoi",
        "où",
        "quand",
        "comment",
        "pourquoi",
        "combien",
        "quel",
        "quelle",
        "quels",
        "quelles",
        "lequel",
        "laquelle",
        "lesquels",
        "lesquelles",
        "d'où",
        "jusqu'où",
    ],
    elided: &["qu'"],
    before: &[
        "à", "de", "avec", "en", "pour", "par", "depuis", "jusqu'à", "sur", "dans", "chez", "et", "mais",
        "alors", "donc", "contre", "entre", "sous", "vers", "sans", "bon", "ou", "dis", "dites", "eh",
        "bien",
    ],
    determiners: &[
        "le", "la", "les", "un", "une", "des", "mon", "ma", "mes", "ton", "ta", "tes", "son", "sa", "ses",
        "notre", "votre", "leur", "ce", "cet", "cette",
    ],
    or: &["ou"],
    tags: &["non", "n'est-ce pas", "hein", "d'accord", "pas vrai", "oui", "si", "ok"],
    in_place: true,
};

pub(super) const ITALIAN: Words = Words {
    interrogatives: &[
        "che",
        "chi",
        "cosa",
        "dove",
        "quando",
        "come",
        "perché",
        "quale",
        "quali",
        "qual",
        "quanto",
        "quanta",
        "quanti",
        "quante",
        "dov'è",
        "cos'è",
        "com'è",
        "dov'era",
        "cos'hai",
        "cos'ha",
        "com'era",
        "chi'è",
        "quand'è",
        "quant'è",
        "dov'erano",
        "com'erano",
        "cos'era",
    ],
    elided: &["cos'", "dov'", "com'", "quand'"],
    before: &[
        "a", "ad", "di", "da", "in", "con", "su", "per", "tra", "fra", "e", "ed", "ma", "allora", "da",
        "fino", "verso", "contro", "sopra", "sotto", "o", "beh", "senti", "scusi", "scusa", "dunque",
    ],
    determiners: &[
        "il", "lo", "la", "i", "gli", "le", "un", "uno", "una", "mio", "tuo", "suo", "mia", "tua", "sua",
        "questo", "questa",
    ],
    or: &["o", "oppure", "od"],
    tags: &["no", "vero", "giusto", "eh", "sì", "va bene", "non è vero", "nevvero", "d'accordo"],
    in_place: false,
};

pub(super) const PORTUGUESE: Words = Words {
    interrogatives: &[
        "que", "quê", "quem", "onde", "aonde", "quando", "como", "porque", "porquê", "qual", "quais",
        "quanto", "quanta", "quantos", "quantas", "cadê",
    ],
    elided: &[],
    before: &[
        "a", "de", "com", "em", "para", "pra", "por", "desde", "até", "sobre", "e", "mas", "então", "o",
        "contra", "entre", "ou", "pois", "bem", "bom", "ora",
    ],
    determiners: &[
        "o", "a", "os", "as", "um", "uma", "meu", "minha", "teu", "tua", "seu", "sua", "este", "esta",
    ],
    or: &["ou"],
    tags: &[
        "não",
        "né",
        "não é",
        "não é verdade",
        "certo",
        "sim",
        "verdade",
        "tá",
        "está bem",
        "não foi",
        "pois não",
        "hein",
    ],
    in_place: false,
};

impl Words {
    /// What the words of a question, which are not empty, make of it.
    pub(super) fn judge(&self, words: &[Word]) -> Verdict {
        let segments = segments(words);
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let first_asks = segments.first().is_some_and(|segment| self.asks(words, segment.start, segment.end));
        if let (Some(last), false) = (segments.last().filter(|_| segments.len() > 1), first_asks) {
            let said: Vec<&str> = last.clone().map(text).collect();
            if self.tags.contains(&said.join(" ").as_str()) {
                return Verdict::from(Kind::RisingTag, last.start, words);
            }
        }
        // After a name or a condition, a later part may be the question: "Marie, où vas-tu ?" Elsewhere
        // it is more likely a relative clause.
        let names =
            |segment: &Range<usize>| segment.len() <= 2 && !self.determiners.contains(&text(segment.start));
        let introduced = |index: usize| {
            index == 0 || names(&segments[index - 1]) || matches!(text(0), "si" | "se" | "s'il" | "s'ils")
        };
        let asks = |(index, segment): &(usize, &Range<usize>)| {
            introduced(*index) && self.asks(words, segment.start, segment.end)
        };
        let asking = segments.iter().enumerate().find(asks).map(|(_, segment)| segment);
        let in_place =
            self.in_place && words.len() > 1 && self.interrogatives.contains(&text(words.len() - 1));
        if asking.is_none() && !in_place {
            return self.choice(words, 0).unwrap_or_else(|| Verdict::from(Kind::YesNo, 0, words));
        }
        // "Qu'est-ce que tu veux, du thé ou du café ?"
        let list = segments.iter().find(|segment| asking.is_some_and(|asking| segment.start > asking.start));
        let choice = list.and_then(|list| self.choice(words, list.start));
        choice.unwrap_or_else(|| Verdict::from(Kind::Wh, 0, words))
    }

    /// Whether a question word begins the words from `start` on.
    fn asks(&self, words: &[Word], start: usize, end: usize) -> bool {
        let segment = &words[start..end];
        let Some(at) = segment.iter().position(|word| !self.before.contains(&word.text.as_str())) else {
            return false;
        };
        let word = segment[at].text.as_str();
        self.interrogatives.contains(&word) || self.elided.iter().any(|elided| word.starts_with(elided))
    }

    fn choice(&self, words: &[Word], start: usize) -> Option<Verdict> {
        let is_or = |word: &Word| self.or.contains(&word.text.as_str());
        let or = words.iter().enumerate().skip(start + 1).rev().find(|(_, word)| is_or(word))?.0;
        if or + 1 >= words.len() {
            return None;
        }
        let mut ends: Vec<usize> = (start + 1..or).filter(|&at| words[at].after_break).collect();
        ends.push(or);
        let mut from = start;
        let rises = ends.into_iter().map(|end| std::mem::replace(&mut from, end)..end).collect();
        Some(Verdict { kind: Kind::Alternative, rises })
    }
}
