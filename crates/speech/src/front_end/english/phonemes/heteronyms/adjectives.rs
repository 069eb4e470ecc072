//! Words that are an adjective or an adverb in one of their readings: a live show and to live there,
//! a minute crack and a minute ago, quite content and the content of a letter.

use super::{
    Reading,
    near::{BE, NOT, Near, PERSONS, SUBJECTS},
};

impl Near<'_> {
    pub(super) fn live(self) -> Option<Reading> {
        if self.is(
            -1,
            &[
                "go",
                "went",
                "going",
                "goes",
                "gone",
                "broadcast",
                "streamed",
                "air",
                "aired",
                "performed",
                "recorded",
                "filmed",
                "shown",
                "televised",
                "heard",
                "playing",
            ],
        ) || self.watched()
        {
            return Some(Reading::Tag("RB"));
        }
        if self.determined() || (self.is(-1, BE) && self.tag(1).starts_with("NN")) {
            return Some(Reading::Tag("JJ"));
        }
        let person = self.is(self.before_adverbs(), SUBJECTS) || self.tag(-1) == "NNS";
        let place = matches!(self.tag(1), "IN" | "RB" | "DT" | "." | "," | "CC" | "TO" | "");
        ((person && place) || self.wants_base_form()).then_some(Reading::Tag("VB"))
    }

    /// As in "she watched the match live".
    pub(super) fn watched(self) -> bool {
        const SEEN: &[&str] = &[
            "watch",
            "watched",
            "watching",
            "watches",
            "see",
            "saw",
            "seen",
            "hear",
            "heard",
            "broadcast",
            "broadcasts",
            "stream",
            "streams",
            "show",
            "shows",
            "showed",
            "play",
            "plays",
            "played",
            "record",
            "follow",
            "followed",
            "bring",
            "brings",
            "brought",
            "report",
            "reports",
            "reported",
        ];
        // "The band sounds even better live."
        let heard = self
            .is(-1, &["better", "best", "worse", "great", "good", "amazing", "terrible", "exactly", "both"])
            && (-5..-1).any(|step| {
                self.is(
                    step,
                    &["sound", "sounds", "sounded", "is", "are", "was", "were", "sang", "sings", "perform"],
                )
            });
        if heard && matches!(self.tag(1), "." | "," | "" | "IN") {
            return true;
        }
        let event = matches!(self.tag(-1), "NN" | "NNP")
            || self.is(-1, &["it", "them", "him", "her", "news", "games", "results", "matches"]);
        let ends = matches!(self.tag(1), "." | "," | "") || self.is(1, &["on", "from", "at", "for", "and"]);
        event && ends && (-6..-1).any(|step| self.is(step, SEEN))
    }

    pub(super) fn lives(self) -> Option<Reading> {
        if self.determined()
            || self.is(-1, &["their", "our", "own", "of", "many", "several", "past", "nine", "two"])
        {
            return Some(Reading::Tag("NNS"));
        }
        // "Nobody knows where the old hermit lives."
        let asks = (-6..-1).any(|step| self.is(step, &["where", "who", "how"]));
        if asks
            && matches!(self.tag(-1), "NN" | "NNP" | "PRP")
            && matches!(self.tag(1), "." | "," | "" | "RB")
        {
            return Some(Reading::Tag("VBZ"));
        }
        let place = self.is(
            1,
            &["in", "on", "at", "with", "here", "there", "near", "by", "alone", "under", "next", "down"],
        );
        // "The claim lives or dies on the evidence": a noun before it is none of these verbs.
        let is_noun = matches!(self.tag(-2), "DT" | "PRP$" | "POS" | "JJ" | "IN");
        if self.is(-1, ENDANGERED) && !is_noun && !place && !self.object_follows() {
            return Some(Reading::Tag("NNS"));
        }
        let person = self.is(-1, &["he", "she", "it", "who", "that", "still", "now", "also", "always"])
            || matches!(self.tag(-1), "NNP" | "NN");
        (person && place).then_some(Reading::Tag("VBZ"))
    }

    pub(super) fn minute(self) -> Reading {
        const SMALL: &[&str] = &[
            "detail",
            "details",
            "amount",
            "amounts",
            "quantity",
            "quantities",
            "particle",
            "particles",
            "fraction",
            "difference",
            "differences",
            "examination",
            "inspection",
            "changes",
            "traces",
            "attention",
            "description",
        ];
        const OF_TIME: &[&str] = &[
            "book", "books", "break", "drive", "hand", "hands", "man", "mark", "men", "ride", "silence",
            "steak", "walk",
        ];
        const BEFORE: &[&str] =
            &["a", "some", "with", "of", "has", "have", "had", "in", "these", "those", "many", "such", "by"];
        let is_so = self.is(-1, BE) && matches!(self.tag(1), "." | "," | "CC" | "");
        let described = self.is(-1, BEFORE)
            && !self.is(-2, &["half"])
            && matches!(self.tag(1), "NN" | "NNS")
            && !self.is(1, OF_TIME);
        let small = self.is(1, SMALL) || self.is(-1, &["most", "very", "so"]) || is_so || described;
        Reading::Tag(if small { "JJ" } else { "NN" })
    }

    pub(super) fn content(self) -> Option<Reading> {
        const FEELING: &[&str] = &[
            "quite",
            "very",
            "perfectly",
            "seemed",
            "seems",
            "looked",
            "looks",
            "felt",
            "feels",
            "feel",
            "remain",
            "remained",
            "remains",
            "stay",
            "stayed",
            "fairly",
            "less",
            "too",
            "appeared",
            "appears",
        ];
        const CREATURES: &[&str] = &[
            "smile",
            "sigh",
            "purr",
            "look",
            "expression",
            "child",
            "baby",
            "cat",
            "dog",
            "man",
            "woman",
            "face",
            "people",
            "customers",
            "employees",
            "old",
        ];
        let asked = self.is(-1, PERSONS) && self.is(-2, BE);
        let with = self.is(1, &["with", "to"]) && (self.is(-1, BE) || self.is(-1, NOT) || asked);
        if self.is(1, CREATURES) && self.tag(1).starts_with(['N', 'J']) {
            return Some(Reading::Tag("JJ"));
        }
        // "Happy and content."
        let paired = self.is(-1, &["and", "or", "but", ","]) && self.tag(-2).starts_with("JJ");
        // "The author is content."
        let is_wanted = self.tokens.iter().any(|token| {
            ["what", "need", "needs", "want", "wants", "everything"]
                .iter()
                .any(|word| token.text.eq_ignore_ascii_case(word))
        });
        let settled =
            !is_wanted && self.is(self.before_adverbs(), BE) && matches!(self.tag(1), "." | "," | "");
        // "Content with his share, he asked for nothing."
        let opens = self.at == 0
            && self.is(1, &["with"])
            && (self.tag(2) == "PRP$" || self.is(2, &["little", "what"]));
        if self.is(-1, FEELING)
            || with
            || opens
            || settled
            || (paired && matches!(self.tag(1), "." | "," | "" | "IN" | "TO"))
        {
            return Some(Reading::Tag("JJ"));
        }
        (self.determined() && matches!(self.tag(1), "IN" | "VBZ" | "VBD" | "." | ","))
            .then_some(Reading::Tag("NN"))
    }
}

/// What is done to lives: "smoking costs lives".
const ENDANGERED: &[&str] = &[
    "change",
    "changed",
    "changes",
    "claim",
    "claimed",
    "claims",
    "cost",
    "costs",
    "endanger",
    "endangers",
    "lose",
    "lost",
    "risk",
    "risks",
    "ruin",
    "ruined",
    "ruins",
    "save",
    "saved",
    "saves",
    "saving",
];
