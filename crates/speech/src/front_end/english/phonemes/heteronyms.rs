//! Spellings with several readings that the part of speech does not settle, or that the tagger
//! often gets wrong: lead and lead, have read and will read, a bow tie and a low bow.
//!
//! A rule examines the surrounding words and returns a better tag, under which the lexicon has the
//! right reading, or phonemes where the lexicon lacks the reading. Without a rule, the tag and the
//! lexicon decide. There is one short rule for each spelling.

use crate::front_end::english::text::Token;

mod adjectives;
mod capitals;
mod near;
mod pairs;
mod unlisted;

use near::{BE, BECOME, DO, HAVE, Near, PERSONS, SUBJECTS};
use unlisted::PEOPLE;

/// A rule's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Look the word up with this tag.
    Tag(&'static str),
    /// Say this, in both accents.
    Say(&'static str),
}

/// The reading of a token, if a rule applies. `several` says whether the lexicon distinguishes
/// several readings of it.
pub(super) fn settle(tokens: &[Token], at: usize, several: impl FnOnce() -> bool) -> Option<Reading> {
    let token = tokens.get(at)?;
    let near = Near { tokens, at };
    let word = token.text.as_str();
    // No heteronym is longer; this keeps lower-casing cheap.
    if !(2..=12).contains(&word.len()) || !word.is_ascii() {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let by_word = match lower.as_str() {
        "read" | "reread" => near.read(),
        "wind" | "winds" => near.wind(),
        "wound" => near.wound(),
        "tear" | "tears" => near.tear(),
        "bow" | "bows" => near.bow(),
        "bass" => Some(near.bass()),
        "dove" => near.dove(),
        "close" => near.close(),
        "live" => near.live(),
        "lives" => near.lives(),
        "use" => near.use_to(),
        "used" => near.used_to(),
        "minute" => Some(near.minute()),
        "buffet" => (near.tag(-1) == "NNS" && near.tag(1) == "DT").then_some(Reading::Tag("VB")),
        "dogged" => (near.determined() && near.tag(1).starts_with("NN")).then_some(Reading::Tag("JJ")),
        "crooked" | "ragged" => (!near.has_object()).then_some(Reading::Tag("JJ")),
        "moped" => Some(Reading::Tag(if near.sulked() { "VBD" } else { "NN" })),
        "content" => near.content(),
        "learned" => near.learned(),
        "invalid" => near.invalid(),
        "row" | "rows" => near.row(),
        "sow" => near.sow(),
        "polish" => near.polish(),
        _ => near.unlisted(&lower).map(Reading::Say),
    };
    by_word.or_else(|| if several() { near.base_form() } else { None })
}

/// The rules, one for each word.
impl Near<'_> {
    fn read(self) -> Option<Reading> {
        const HABITS: &[&str] =
            &["every", "daily", "always", "usually", "often", "sometimes", "rarely", "generally"];
        if self.is(-1, &["-"]) {
            return Some(Reading::Tag("VBN"));
        }
        if self.is(1, &["-"]) && self.is(2, &["only", "through", "write"]) {
            return Some(Reading::Tag("VB"));
        }
        let step = self.before_adverbs();
        if self.is(step, &["'d", "’d", "had"]) && self.within(2, &["better", "rather"]) {
            return Some(Reading::Tag("VB"));
        }
        if self.is(step, HAVE) || self.is(step, BE) || self.is(step, &["'d", "’d", "get", "got", "getting"])
        {
            return Some(Reading::Tag("VBN"));
        }
        if self.wants_base_form()
            || self.is(step - 1, &["let", "make", "help", "made", "helped", "watch", "hear", "heard"])
        {
            return Some(Reading::Tag("VB"));
        }
        if self.asked_with(HAVE) {
            return Some(Reading::Tag("VBN"));
        }
        if self.asked_with(DO)
            || self.asked_with(&["will", "would", "can", "could", "shall", "should", "may", "might", "must"])
        {
            return Some(Reading::Tag("VB"));
        }
        if self.is(step, &["he", "she", "it"]) {
            return Some(Reading::Tag("VBD"));
        }
        // "Turn to page nine and read the verse": a second verb continues the imperative.
        let order = self.tokens.first().is_some_and(|first| first.tag == "VB");
        if order && self.is(step, &["and", ",", "then"]) {
            return Some(Reading::Tag("VB"));
        }
        // "She opened the envelope and read the letter": a second verb goes on in the past.
        if self.is(step, &["and", "then", ",", "but"]) && self.verb_before() == "VBD" {
            return Some(Reading::Tag("VBD"));
        }
        // "Some people read while they eat": all of it is in the present.
        let others =
            self.tokens.iter().enumerate().filter(|(at, _)| *at != self.at).map(|(_, token)| token.tag);
        let present = others.clone().any(|tag| tag == "VBP") && !others.clone().any(|tag| tag == "VBD");
        if present && (self.is(step, SUBJECTS) || self.tag(step) == "NNS") {
            return Some(Reading::Tag("VB"));
        }
        let past = ["yesterday", "ago", "last"];
        let past =
            self.tokens.iter().any(|token| past.iter().any(|word| token.text.eq_ignore_ascii_case(word)));
        if past && (self.is(step, SUBJECTS) || self.tag(step).starts_with("NN")) {
            return Some(Reading::Tag("VBD"));
        }
        let habit =
            self.tokens.iter().any(|token| HABITS.iter().any(|habit| token.text.eq_ignore_ascii_case(habit)));
        (habit && self.is(step, SUBJECTS)).then_some(Reading::Tag("VB"))
    }

    fn wind(self) -> Option<Reading> {
        if self.determined() && !self.is(1, &["-"]) {
            return Some(Reading::Tag("NN"));
        }
        let turning = self.is(1, &["-"]) && self.is(2, &["up", "down"]);
        let around = self.is(1, &["up", "down", "around", "round", "through", "back", "along"]);
        let verb = turning || self.wants_base_form() || (around && (self.is(-1, SUBJECTS) || self.at == 0));
        verb.then_some(Reading::Tag("VB"))
    }

    fn wound(self) -> Option<Reading> {
        if self.determined() || self.wants_base_form() {
            return Some(Reading::Tag("NN"));
        }
        let around = self.is(
            1,
            &[
                "up", "down", "around", "round", "through", "back", "along", "tight", "tightly", "into",
                "its", "their", "about",
            ],
        );
        around.then_some(Reading::Tag("VBD"))
    }

    fn tear(self) -> Option<Reading> {
        const TORN: &[&str] = &[
            "fabric",
            "shirt",
            "cloth",
            "sleeve",
            "dress",
            "sail",
            "curtain",
            "jacket",
            "coat",
            "ligament",
            "muscle",
            "tendon",
            "net",
            "paper",
            "page",
            "canvas",
            "trousers",
            "pants",
            "jeans",
            "stocking",
            "stockings",
            "knee",
            "retina",
            "seam",
            "tent",
            "wallpaper",
            "lining",
            "skirt",
            "hull",
            "balloon",
        ];
        if self.is(1, &["gas", "duct", "ducts", "drop", "drops", "stained"]) {
            return Some(Reading::Tag("NN"));
        }
        let torn = (2..=6).any(|step| self.is(step, TORN));
        // "A tear in his hamstring", but "a tear in her eye".
        let ripped = self.determined() && self.is(1, &["in"]) && !self.within(6, &["eye", "eyes"]);
        if ripped
            || (self.is(-1, &["and"]) && self.is(-2, &["wear"]))
            || (self.is(1, &["in"]) && torn)
            || self.is(-1, TORN)
        {
            return Some(Reading::Tag("VB"));
        }
        if self.determined() {
            return Some(Reading::Tag("NN"));
        }
        let apart = self
            .is(1, &["it", "up", "down", "apart", "off", "away", "open", "out", "him", "them", "us", "me"]);
        let order = self.at == 0 && self.is(1, &["along", "around", "carefully", "gently", "here"]);
        (apart || order || self.wants_base_form()).then_some(Reading::Tag("VB"))
    }

    fn bow(self) -> Option<Reading> {
        const DEEP: &[&str] = &[
            "low",
            "deep",
            "slight",
            "polite",
            "formal",
            "graceful",
            "stiff",
            "courteous",
            "respectful",
            "final",
            "small",
        ];
        if self.within(3, &["arrow", "arrows", "archer", "quiver", "violin", "cello", "fiddle"])
            || self.is(1, &["tie", "ties", "string"])
        {
            return Some(Reading::Tag("NN"));
        }
        let ship = self.within(
            4,
            &[
                "stern",
                "ship",
                "boat",
                "deck",
                "vessel",
                "hull",
                "anchor",
                "port",
                "starboard",
                "canoe",
                "ferry",
                "yacht",
                "liner",
                "barge",
                "kayak",
                "tanker",
                "trawler",
                "warship",
                "submarine",
                "waves",
                "sailor",
            ],
        );
        let bent = self.is(-1, DEEP)
            || (self.is(-1, &["a"]) && self.is(-2, &["take", "took", "takes", "taking", "made", "make"]));
        // "The actors took a second bow."
        let taken = self.determined()
            && (-4..-1).any(|step| self.is(step, &["take", "takes", "taking", "took", "taken"]))
            && self.is(-1, &["another", "last", "little", "quick", "second", "third"]);
        let head = self.is(1, &["down", "before", "to", "out", "his", "her", "your", "their", "low"]);
        let birds = self.tag(-1) == "NNS" && self.is(1, &["and", "down", "to", "at", "before", "low", "."]);
        if ship
            || bent
            || taken
            || birds
            || self.wants_base_form()
            || (head && !self.determined() && self.verb_tagged())
        {
            return Some(Reading::Tag("VB"));
        }
        self.determined().then_some(Reading::Tag("NN"))
    }

    /// The fish, if a word about fish is near; otherwise a voice, a clef or an instrument.
    fn bass(self) -> Reading {
        const FISH: &[&str] = &[
            "fish",
            "fishing",
            "fisherman",
            "lake",
            "river",
            "pond",
            "sea",
            "striped",
            "largemouth",
            "smallmouth",
            "caught",
            "catch",
            "grilled",
            "fillet",
            "fillets",
            "trout",
            "perch",
            "salmon",
            "pike",
            "carp",
            "hook",
            "hooked",
            "bait",
            "reel",
            "baked",
            "fried",
            "chilean",
            "angler",
            "anglers",
        ];
        const SWIMMING: &[&str] = &["spawn", "swam", "swim", "swims", "swimming"];
        if self.is(1, SWIMMING) {
            return Reading::Tag("NN");
        }
        if self.within(8, FISH) { Reading::Tag("NN") } else { Reading::Tag("JJ") }
    }

    fn dove(self) -> Option<Reading> {
        const DOWN: &[&str] = &[
            "to",
            "after",
            "across",
            "onto",
            "back",
            "into",
            "in",
            "off",
            "under",
            "down",
            "for",
            "deep",
            "headfirst",
            "beneath",
            "through",
            "straight",
            "right",
            "forward",
            "overboard",
            "behind",
            "head",
            "out",
            "from",
        ];
        if self.determined() {
            return Some(Reading::Tag("NN"));
        }
        let someone = matches!(self.tag(-1), "PRP" | "NN" | "NNP" | "NNS" | "RB" | "CC" | "WP" | "WDT");
        (someone && self.is(1, DOWN)).then_some(Reading::Tag("VBD"))
    }

    fn close(self) -> Option<Reading> {
        if self.is(1, &["to", "by", "enough", "behind", "together", "friend", "friends"])
            || self.is(-1, &["very", "so", "too", "how", "quite", "as", "really", "uncomfortably"])
        {
            return Some(Reading::Tag("JJ"));
        }
        let to_a_close = self.is(-1, &["a"]) && self.is(-2, &["to"]) && !self.tag(1).starts_with("NN");
        if to_a_close || (self.is(-1, &["the"]) && self.is(1, &["of"])) {
            return Some(Reading::Tag("NN"));
        }
        if self.asked_with(DO) {
            return Some(Reading::Tag("VB"));
        }
        // "They close early": an adjective follows a form of "be".
        if self.is(-1, SUBJECTS) && !self.tag(1).starts_with("NN") {
            return Some(Reading::Tag("VB"));
        }
        // "The shops close at six."
        let opening = self.tag(-1) == "NNS" && matches!(self.tag(1), "IN" | "RB" | "." | "");
        if opening && !self.is(1, &["together", "behind"]) && !self.has_verb_beside() {
            return Some(Reading::Tag("VB"));
        }
        let object = matches!(self.tag(1), "DT" | "PRP$" | "PRP");
        let calls = self.at == 0 || self.wants_base_form() || self.is(-1, SUBJECTS) || self.tag(-1) == "CC";
        (calls && (object || self.wants_base_form())).then_some(Reading::Tag("VB"))
    }

    /// As in "did not use to go".
    fn use_to(self) -> Option<Reading> {
        let past = self.is(self.before_adverbs(), &["did"]) || self.asked_with(&["did"]);
        if past && self.is(1, &["to"]) {
            return Some(Reading::Tag("NN"));
        }
        if self.determined() || self.is(-1, &["in", "of", "no", "into", "little", "much"]) {
            return Some(Reading::Tag("NN"));
        }
        self.wants_base_form().then_some(Reading::Tag("VB"))
    }

    /// "used to go" and "was used to it", but not "was used to open it".
    fn used_to(self) -> Option<Reading> {
        if !self.is(1, &["to"]) {
            return None;
        }
        let step = self.before_adverbs();
        let makes = matches!(self.tag(2), "VB" | "VBP");
        if self.is(step, BE) || self.is(step, BECOME) {
            let someone = self.is(step, BECOME) || self.is(step - 1, PERSONS);
            let thing = matches!(self.tag(2), "DT" | "PRP" | "PRP$" | "VBG" | "WP" | "WDT" | "NNP")
                || self.tag(2).is_empty()
                || self.token(2).is_some_and(|token| !token.text.contains(char::is_alphanumeric));
            let object = matches!(self.tag(3), "DT" | "PRP" | "PRP$");
            return Some(Reading::Tag(if thing || (someone && !makes && !object) { "VBD" } else { "VBN" }));
        }
        let habit = makes && (self.is(step, PERSONS) || self.is(step, &["there", "who"]));
        habit.then_some(Reading::Tag("VBD"))
    }

    fn learned(self) -> Option<Reading> {
        let scholar = self.determined() && self.tag(1).starts_with("NN") || self.is(-1, &["very", "most"]);
        scholar.then_some(Reading::Tag("JJ"))
    }

    /// The person, if no noun follows.
    fn invalid(self) -> Option<Reading> {
        let alone = matches!(self.tag(1), "IN" | "MD" | "." | "," | "POS" | "VBD" | "VBZ" | "CC" | "");
        let relative = self.determined() && self.is(1, PEOPLE);
        let person = self.is(-1, &["the", "an", "old", "poor", "her", "his"]) && alone;
        let sick = self.is(-1, &["old", "poor", "elderly", "bedridden"])
            && self.is(
                1,
                &["sat", "lay", "was", "who", "could", "had", "looked", "died", "asked", "slept", "smiled"],
            );
        (relative || person || sick).then_some(Reading::Tag("NN"))
    }

    /// The quarrel.
    fn row(self) -> Option<Reading> {
        const LOUD: &[&str] =
            &["blazing", "furious", "terrible", "flaming", "blistering", "violent", "awful", "almighty"];
        const OVER: &[&str] = &["over", "about", "with", "between", "broke", "erupted"];
        let plain = self.is(-1, &["a", "the", "another"]) && self.is(1, OVER) && !self.is(2, &["of"]);
        let broke = self.determined() && self.is(1, &["broke", "erupted", "blew"]);
        (broke || self.is(-1, LOUD) || (plain && self.is(-2, &["had", "have", "having"])))
            .then_some(Reading::Say("ɹˈW"))
    }

    /// As in "the boy moped all afternoon"; elsewhere what one rides.
    fn sulked(self) -> bool {
        let lasting = self.is(1, &["about", "all", "around", "for", "over"]);
        let ridden = self.is(-1, &["by", "on"]) || (self.determined() && !self.tag(-1).starts_with("NN"));
        !ridden && (self.follows_someone() || (self.tag(-1).starts_with("NN") && lasting))
    }

    fn sow(self) -> Option<Reading> {
        if self.determined() {
            return Some(Reading::Tag("NN"));
        }
        (self.wants_base_form() || self.is(-1, SUBJECTS)).then_some(Reading::Tag("VB"))
    }

    /// As in "Polish the silver": a capital at the start of a sentence does not mean a nationality.
    fn polish(self) -> Option<Reading> {
        let order = self.at == 0 && matches!(self.tag(1), "DT" | "PRP$" | "PRP" | "RP");
        (order && self.is(0, &["Polish"])).then_some(Reading::Say("pˈɒlɪʃ"))
    }
}
