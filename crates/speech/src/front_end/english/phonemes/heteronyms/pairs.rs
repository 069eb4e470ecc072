//! The rule for any pair of noun and verb that one spelling stands for: a record and to record.

use super::{
    Reading,
    near::{BE, DO, NEGATIONS, Near},
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
        let verb = self.follows_verbal_word()
            || self.is_only_verb()
            || self.is_order()
            || self.is_second_verb()
            || self.is_negated()
            || self.is_asserted();
        if nominal && verb {
            return Some(Reading::Tag("VB"));
        }
        // "My mother objects to smoking", "he projects confidence": one person and what is done.
        let person = self.is(-1, &["he", "she", "it", "who", "which", "that"])
            || (matches!(self.tag(-1), "NN" | "NNP") && !self.has_verb_beside());
        let done = self.object_follows()
            || self.is(1, &["to"]) && self.is(0, &["objects", "subjects", "converts", "contracts"]);
        (tag == "NNS" && person && done).then_some(Reading::Tag("VBZ"))
    }

    pub(super) fn object_follows(self) -> bool {
        matches!(self.tag(1), "DT" | "PRP$" | "PRP")
    }

    fn ends_clause(self) -> bool {
        matches!(self.tag(1), "." | "," | "")
    }

    /// After a subject, a modal or a "to" that a base form follows: "those who object", "to intimate that", "difficult to
    /// project".
    fn follows_verbal_word(self) -> bool {
        let to = self.tag(-1) == "TO";
        let objects = (self.is(0, &["object", "subject"]) && self.is(1, &["to"]))
            || (self.is(0, &["intimate", "protest", "suspect"]) && self.is(1, &["that"]));
        let able = self.is(-1, &["to"])
            && self.tag(-2).starts_with("JJ")
            && (self.ends_clause() || matches!(self.tag(1), "IN" | "NNS"));
        self.is(-1, &["i", "we", "they"])
            || (self.is(-1, &["who"]) && self.at > 1)
            || self.tag(-1) == "MD"
            || (to && (self.object_follows() || objects))
            || able
    }

    /// The only verb that its clause can have: "muscles contract when they are cold", "day and night alternate".
    fn is_only_verb(self) -> bool {
        if self.has_verb_beside() {
            return false;
        }
        let after_many = !self.determined() && matches!(self.tag(-1), "NNS" | "NNPS" | "PRP");
        // The tagger takes the first word for a name.
        let many = self.at == 1
            && self.tokens[0].text.ends_with('s')
            && self.tag(-1).starts_with("NN")
            && (self.tag(1).starts_with('W') || matches!(self.tag(1), "IN" | "RB" | "DT" | "PRP$"));
        let both = self.tag(-1).starts_with("NN")
            && self.tag(-2) == "CC"
            && self.tag(-3).starts_with("NN")
            && (self.ends_clause()
                || self.object_follows()
                || matches!(self.tag(1), "NN" | "IN" | "RB")
                // "Drug and alcohol abuse costs lives": the verb comes next.
                || (self.tag(1) == "NNS" && !self.is(1, &["affects", "causes", "costs", "hurts", "kills", "ruins"])));
        after_many || many || both
    }

    /// An order, which may start with "never", "do not" or "always": "do not abuse my trust", "alternate layers of pasta and
    /// sauce until the dish is full".
    fn is_order(self) -> bool {
        let starts = self.at.checked_add_signed(self.before_adverbs()).is_none();
        let things = self.at == 0
            && self.is(0, &["alternate"])
            && self.tag(1) == "NNS"
            && self.tokens.iter().any(|token| token.text == "until");
        (self.object_follows() && (starts || self.wants_base_form())) || things
    }

    /// Whether it is the second verb, after "and": "to feed and house so many", "metals expand when heated and contract when
    /// cooled".
    fn is_second_verb(self) -> bool {
        let after_base_form =
            self.tag(-2) == "VB" && (self.object_follows() || matches!(self.tag(1), "RB" | "CD"));
        let in_contrast = matches!(self.verb_before(), "VB" | "VBP" | "VBN") && self.tag(1) == "WRB";
        self.tag(-1) == "CC" && (after_base_form || in_contrast)
    }

    /// After a negation, where no noun stands: "I did not object", "half of them never graduate". "Life is never perfect"
    /// has an adjective.
    fn is_negated(self) -> bool {
        (self.is(-1, &["never"]) && !self.is(-2, BE)) || (self.is(-1, NEGATIONS) && self.wants_base_form())
    }

    /// After "did" and without a noun: "he did intimate, without saying so", "I do object to that".
    fn is_asserted(self) -> bool {
        const DONE: &[&str] = &["conflict", "contrast", "convert", "object", "protest", "rebel"];
        let is_done = self.is(0, DONE) && matches!(self.tag(1), "IN" | "TO") && !self.determined();
        let did = self.is(self.before_adverbs(), DO);
        did && (is_done || (self.tag(0).starts_with("JJ") && !self.tag(1).starts_with("NN")))
    }
}
