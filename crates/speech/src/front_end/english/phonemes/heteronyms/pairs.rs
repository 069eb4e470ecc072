//! The rule for any pair of noun and verb that one spelling stands for: a record and to record.

use super::{
    Reading,
    near::{NEGATIONS, Near},
};

impl Near<'_> {
    /// The rule for any pair of noun and verb: no verb follows an article, and no noun follows a
    /// modal or a subject.
    pub(super) fn base_form(self) -> Option<Reading> {
        let tag = self.tag(0);
        if matches!(tag, "VB" | "VBP") && self.determined() && !self.is(-1, &["no"]) {
            return Some(Reading::Tag(if self.tag(1).starts_with("NN") { "JJ" } else { "NN" }));
        }
        let nominal = tag.starts_with("NN") || tag.starts_with("JJ");
        let object = matches!(self.tag(1), "DT" | "PRP" | "PRP$");
        let subject = self.is(-1, &["i", "we", "they", "who"]);
        let that = self.is(1, &["that"]);
        let modal = self.tag(-1) == "MD" || (self.tag(-1) == "TO" && (object || that));
        // An order may start with "never" or "always".
        let order = object && self.at.checked_add_signed(self.before_adverbs()).is_none();
        let only_verb =
            !self.determined() && matches!(self.tag(-1), "NNS" | "NNPS" | "PRP") && !self.has_verb_beside();
        // "Muscles contract when they are cold": the tagger takes the first word for a name.
        let many = self.at == 1
            && self.tokens[0].text.ends_with('s')
            && self.tag(-1).starts_with("NN")
            && (self.tag(1).starts_with('W') || matches!(self.tag(1), "IN" | "RB" | "DT" | "PRP$"))
            && !self.has_verb_beside();
        let ends = matches!(self.tag(1), "." | "," | "");
        // "Do not abuse my trust", "difficult to project", "day and night alternate".
        let asked = object && self.wants_base_form();
        let able = self.is(-1, &["to"])
            && self.tag(-2).starts_with("JJ")
            && (ends || matches!(self.tag(1), "IN" | "NNS"));
        let both = self.tag(-1).starts_with("NN")
            && self.tag(-2) == "CC"
            && self.tag(-3).starts_with("NN")
            && (ends || object || matches!(self.tag(1), "NN" | "NNS" | "IN" | "RB"))
            && !self.has_verb_beside();
        // "I did not object": no noun follows a negation.
        let negated = self.is(-1, &["never"]) || (self.is(-1, NEGATIONS) && self.wants_base_form());
        // "To feed and house so many": a second verb.
        let joined = self.tag(-1) == "CC"
            && self.tag(-2) == "VB"
            && (object || matches!(self.tag(1), "RB" | "JJ" | "NNS" | "CD"));
        // "Alternate layers of pasta and sauce until the dish is full."
        let orders = self.at == 0
            && self.is(0, &["alternate", "separate"])
            && self.tag(1) == "NNS"
            && self.tokens.len() > 4
            && !self.has_verb_beside();
        let verb = subject
            || modal
            || order
            || only_verb
            || many
            || asked
            || able
            || both
            || negated
            || joined
            || orders;
        if nominal && verb {
            return Some(Reading::Tag("VB"));
        }
        // "My mother objects to smoking", "he projects confidence": one person and what is done.
        let person = self.is(-1, &["he", "she", "it", "who", "which", "that"])
            || (matches!(self.tag(-1), "NN" | "NNP") && !self.has_verb_beside());
        let done =
            object || self.is(1, &["to"]) && self.is(0, &["objects", "subjects", "converts", "contracts"]);
        (tag == "NNS" && person && done).then_some(Reading::Tag("VBZ"))
    }
}
