//! The small words whose sound depends on their part of speech and on the following word: a, an,
//! the, to, in, am, by, used, I, vs., and the symbols that have a name.

use super::{
    letters,
    words::{Context, Words, class},
};

impl Words {
    /// The pronunciation of a function word or a symbol; `None` for other words.
    pub(super) fn function_word(
        &self,
        word: &str,
        tag: &str,
        raised: bool,
        context: Context,
    ) -> Option<String> {
        let noun = tag.starts_with("NN");
        let fixed = |phonemes: &str| Some(phonemes.to_owned());
        match word {
            "a" | "A" => fixed(if tag == "DT" { "ɐ" } else { "ˈA" }),
            "am" | "Am" | "AM" | "AN" if noun => self.spelled(word),
            "am" if context.next_vowel.is_some() && !raised => fixed("ɐm"),
            "am" | "Am" | "AM" => self.plain("am"),
            "an" | "An" | "AN" => fixed("ɐn"),
            "I" if tag == "PRP" => fixed("ˌI"),
            "by" | "By" | "BY" if class(tag) == "ADV" => fixed("bˈI"),
            "TO" if !matches!(tag, "TO" | "IN") => None,
            "to" | "To" | "TO" => match context.next_vowel {
                None => self.plain("to"),
                Some(false) => fixed("tə"),
                Some(true) => fixed("tʊ"),
            },
            "IN" if tag == "NNP" => None,
            "in" | "In" | "IN" if context.next_vowel.is_none() || tag != "IN" => fixed("ˈɪn"),
            "in" | "In" | "IN" => fixed("ɪn"),
            "THE" if tag != "DT" => None,
            "the" | "The" | "THE" => fixed(if context.next_vowel == Some(true) { "ði" } else { "ðə" }),
            "vs" | "vs." | "VS" | "VS." | "Vs" | "Vs." if tag == "IN" => self.plain("versus"),
            "used" | "Used" | "USED" => {
                let habit = matches!(tag, "VBD" | "JJ") && context.next_is_to;
                self.tagged("used", if habit { "VBD" } else { "DEFAULT" })
            }
            "%" => self.plain("percent"),
            "&" => self.plain("and"),
            "+" => self.plain("plus"),
            "@" => self.plain("at"),
            "." if tag == "ADD" => self.plain("dot"),
            "/" if tag == "ADD" => self.plain("slash"),
            _ if letters::is_dotted(word) => self.spelled(word),
            _ => None,
        }
    }
}
