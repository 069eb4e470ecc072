//! Spellings of which the lexicons have one reading only: does and three does, a number and a
//! number hand, Nice and a nice day. A rule gives the phonemes of the other reading.

use super::near::{BE, Near, PERSONS, SUBJECTS};

/// People who may be aged or invalid.
pub(super) const PEOPLE: &[&str] = &[
    "aunt",
    "brother",
    "child",
    "couple",
    "daughter",
    "father",
    "friend",
    "gentleman",
    "grandfather",
    "grandmother",
    "husband",
    "king",
    "lady",
    "man",
    "mother",
    "parent",
    "parents",
    "people",
    "person",
    "queen",
    "relative",
    "relatives",
    "servant",
    "sister",
    "son",
    "uncle",
    "wife",
    "woman",
];

impl Near<'_> {
    /// The phonemes of the rare reading of a word in small letters, if its context has it.
    pub(super) fn unlisted(self, word: &str) -> Option<&'static str> {
        match word {
            "lead" => self.metal().then_some("lˈɛd"),
            "does" => self.deer().then_some("dˈOz"),
            "number" => self.more_numb().then_some("nˈʌməɹ"),
            "resume" => self.summary().then_some("ɹˈɛzəmˌA"),
            "resumes" => self.summary().then_some("ɹˈɛzəmˌAz"),
            "aged" => self.very_old().then_some("ˈAʤɪd"),
            "blessed" => self.holy().then_some("blˈɛsɪd"),
            "nice" => self.city().then_some("nˈis"),
            "job" => self.prophet().then_some("ʤˈOb"),
            "frequent" => self.verbal().then_some("fɹikwˈɛnt"),
            "protest" => self.verbal().then_some("pɹətˈɛst"),
            "export" => self.verbal().then_some("ɪkspˈɔɹt"),
            "axes" => self.within(6, TOOLS).then_some("ˈæksᵻz"),
            "bases" => self.within(6, STATIONS).then_some("bˈAsᵻz"),
            "beloved" => (!self.is(1, &["by", "of"])).then_some("bəlˈʌvᵻd"),
            "legged" => self.is(1, &["it"]).then_some("lˈɛɡd"),
            "lima" => self.bean_or_town().then_some("lˈImə"),
            "mobile" => self.hanging().then_some("mˈObˌil"),
            "putting" => self.golfing().then_some("pˈʌTɪŋ"),
            "reading" => self.english_town().then_some("ɹˈɛdɪŋ"),
            "sake" => self.drunk().then_some("sˈɑki"),
            "sewer" => (self.within(8, SEWN) && self.is(-1, ABLE)).then_some("sˈOəɹ"),
            "wicked" => {
                (!self.determined() && self.is(1, &["away", "moisture", "sweat", "water"])).then_some("wˈɪkt")
            }
            _ => None,
        }
    }

    fn metal(self) -> bool {
        let metal = !self.verb_tagged() && self.is(1, OF_LEAD)
            || (self.is(-1, &["of"]) && self.is(-2, AMOUNTS))
            || (self.is(-1, &["no", "any", "some", "more", "much"])
                && self.is(-2, &["contains", "contain", "contained", "containing"]))
            // "The pencil's lead", "plumbers used lead for pipes".
            || self.is(-1, &["pencil"])
            || (self.is(-1, &["'s", "’s"]) && self.is(-2, &["pencil"]))
            || (self.is(-1, WORKED) && !self.tag(1).starts_with("NN") && !self.is(1, &["the", "a", "to"]))
            || self.is(-1, &["molten", "melted", "contains", "contain", "into", "pure", "liquid", "like"])
                && !self.determined()
            || (self.is(-1, &["in"])
                && self.is(-2, &["cast", "clad", "encased", "lined", "sealed", "wrapped"]))
            || (self.is(-2, &["as"]) && self.is(-1, &["heavy"]))
            || (self.is(-1, &["as"]) && self.is(-2, &["heavy", "grey", "gray", "dull"]))
            || (self.is(1, &["and", "or"]) && self.is(2, METALS))
            || (self.is(-1, &["and", "or"]) && self.is(-2, METALS))
            || (self.is(1, &["-"])
                && self.is(2, &["lined", "free", "coloured", "colored", "grey", "gray", "acid", "based"]));
        let turned = self.is(1, &["into", "to"])
            && self.is(2, METALS)
            && self.is(-1, &["turn", "turned", "turning", "change", "changed", "transmute", "transmuting"]);
        // "Lead was once added to gasoline."
        let opens = self.at == 0
            && (self.is(1, BE) || self.tag(1).starts_with("VBZ"))
            && self.within(
                9,
                &[
                    "blood",
                    "dense",
                    "gasoline",
                    "metal",
                    "paint",
                    "petrol",
                    "pipes",
                    "poisonous",
                    "soft",
                    "toxic",
                    "water",
                ],
            );
        metal || turned || opens
    }

    fn deer(self) -> bool {
        let counted = self.tag(-1) == "CD" && !self.is(-1, &["one"]);
        let several =
            self.is(-1, &["several", "many", "these", "those", "wild", "young", "pregnant", "bucks"]);
        let verb_follows = self.is(1, &["not", "n't", "n’t"]) || matches!(self.tag(1), "VB" | "PRP");
        let herd = ["deer", "stag", "stags", "fawn", "fawns", "buck", "bucks", "herd", "antlers", "forest"];
        let is_subject = (self.is(1, &["are", "were"]) && !self.is(-1, PERSONS))
            || (self.is(1, &["do"]) && self.tag(-1) == "CC");
        self.is(-1, &["the"])
            || is_subject
            || (self.is(-1, &["and"]) && self.is(-2, &["bucks", "stags"]))
            || ((counted || several)
                && !verb_follows
                && (self.within(8, &herd) || matches!(self.tag(1), "." | ",")))
    }

    /// What hangs over a crib or in a museum, and moves.
    fn hanging(self) -> bool {
        self.determined()
            && self.within(8, &["calder", "ceiling", "cradle", "crib", "nursery"])
            && (self.is(1, &["of", "above", "over", "hung", "hangs", "hanging"])
                || matches!(self.tag(1), "." | ","))
    }

    /// Rolling a ball over the green. "Putting the flag in the hole" has an object.
    fn golfing(self) -> bool {
        const NEAR: &[&str] =
            &["birdie", "bogey", "fairway", "golf", "golfer", "greens", "holes", "par", "putter", "tee"];
        let goes_on = matches!(self.tag(1), "." | "," | "" | "IN" | "RB" | "CC" | "MD")
            || self.tag(1).starts_with("VB");
        self.is(1, &["green", "greens", "stroke"]) || (self.within(8, NEAR) && goes_on)
    }

    /// The drink of Japan.
    fn drunk(self) -> bool {
        const NEAR: &[&str] = &[
            "bottle", "brewed", "cup", "cups", "drank", "drink", "drinking", "flask", "japanese", "poured",
            "rice", "served", "sip", "sipped", "sushi", "warm",
        ];
        // "For your own sake", "for goodness sake".
        let is_reason = self
            .is(-1, &["'s", "’s", "'", "’", "christ", "god", "goodness", "heaven", "mercy", "pete"])
            || [-2, -1].iter().any(|step| self.tag(*step) == "PRP$")
            || self.is(1, &["of"]);
        !is_reason && self.within(5, NEAR)
    }

    /// As in "fingers grew number".
    fn more_numb(self) -> bool {
        let become_so =
            self.is(-1, &["grow", "grew", "grows", "growing", "felt", "feel", "feels", "became", "become"]);
        let compared = self.is(1, &["than"])
            && (self.is(-1, BE) || self.is(-1, &["felt", "feels", "feel", "even", "much", "far"]));
        (become_so || compared) && self.tag(1) != "CD"
    }

    /// The document that lists what someone has done.
    fn summary(self) -> bool {
        let object = matches!(self.tag(1), "DT" | "PRP$" | "PRP" | "VBG");
        let applied = self.is(-1, &["updated", "impressive", "strong", "attach", "attached", "online"]);
        (self.determined() || applied) && !object && !self.wants_base_form()
    }

    fn very_old(self) -> bool {
        const RIPENED: &[&str] = &[
            "balsamic", "beef", "bourbon", "brandy", "cheddar", "cheese", "gouda", "ham", "leather", "meat",
            "parmesan", "port", "rum", "scotch", "steak", "vinegar", "whiskey", "whisky", "wine",
        ];
        let old = self.determined() && self.tag(1).starts_with("NN") && !self.is(1, RIPENED)
            // "Aged oak barrels"
            && !(self.is(1, &["oak"]) && self.tag(2).starts_with("NN"));
        let the_aged = self.is(-1, &["the"]) && matches!(self.tag(1), "IN" | "." | "," | "CC");
        !self.is(-1, &["-"]) && (self.is(1, PEOPLE) || old || the_aged)
    }

    fn holy(self) -> bool {
        let first = self.at == 0 && self.is(1, &["are", "is", "be"]);
        first
            || (self.determined() && self.tag(1).starts_with("NN"))
            || self.is(1, &["virgin", "event", "relief"])
    }

    /// Whether the word is the verb of its sentence: a pair like "a protest" and "they protest".
    pub(super) fn verbal(self) -> bool {
        let subject = self.is(self.before_adverbs(), SUBJECTS) || self.tag(-1) == "NNS";
        let goes_on =
            matches!(self.tag(1), "DT" | "PRP$" | "PRP" | "IN" | "NN" | "NNS" | "RB" | "JJR" | "." | "TO");
        // "Does protest music matter?": the subject comes first. "Do protest" is an order.
        let is_question = self.tokens.last().is_some_and(|token| token.text == "?");
        let asked = self.at == 1 && (self.is(-1, &["does", "did"]) || (is_question && self.is(-1, &["do"])));
        !self.determined() && !asked && (self.wants_base_form() || (subject && goes_on))
    }
}

/// How someone sews.
const ABLE: &[&str] = &[
    "amateur",
    "avid",
    "experienced",
    "expert",
    "fast",
    "good",
    "keen",
    "neat",
    "professional",
    "skilled",
    "talented",
];

/// What is near someone who sews.
const SEWN: &[&str] = &[
    "cloth",
    "dress",
    "fabric",
    "garment",
    "hem",
    "needle",
    "patchwork",
    "quilt",
    "quilts",
    "seam",
    "seams",
    "sewing",
    "stitch",
    "stitches",
    "thread",
];

/// What is carried with an axe, or done with it.
const TOOLS: &[&str] = &[
    "axe", "battle", "bronze", "carried", "chop", "chopped", "hammers", "hatchets", "iron", "knives",
    "picks", "saws", "shovels", "spears", "swords", "swung", "throwing", "trees", "weapons", "wood",
];

/// What has a base, and not a basis.
const STATIONS: &[&str] = &[
    "acids", "air", "army", "baseball", "customer", "loaded", "military", "naval", "player", "rocket",
    "runner", "runners", "soldiers", "stole", "troops",
];

/// What is done with lead.
const WORKED: &[&str] = &[
    "use",
    "used",
    "uses",
    "using",
    "mine",
    "mined",
    "smelt",
    "smelted",
    "melt",
    "pour",
    "poured",
    "add",
    "added",
    "adding",
    "containing",
    "with",
    "from",
    "ban",
    "banned",
];

/// What is mined or mixed with lead.
const METALS: &[&str] = &[
    "zinc", "copper", "tin", "mercury", "arsenic", "silver", "iron", "gold", "cadmium", "nickel", "steel",
    "bronze", "brass", "chromium", "glass", "stone",
];

/// What lead is made into.
const OF_LEAD: &[&str] = &[
    "pipe",
    "pipes",
    "paint",
    "paints",
    "poisoning",
    "acid",
    "bullet",
    "bullets",
    "shot",
    "crystal",
    "weight",
    "weights",
    "solder",
    "ore",
    "mine",
    "mines",
    "oxide",
    "foil",
    "coffin",
    "sheet",
    "sheets",
    "plate",
    "plates",
    "roof",
    "roofing",
    "ingot",
    "ingots",
    "exposure",
    "contamination",
    "levels",
    "apron",
    "pellets",
    "battery",
    "batteries",
    "sulfide",
    "acetate",
    "azide",
    "crystals",
    "box",
    "seal",
    "lining",
];

/// Amounts of the metal: "made of lead".
const AMOUNTS: &[&str] = &[
    "made",
    "full",
    "piece",
    "pieces",
    "lump",
    "lumps",
    "ton",
    "tons",
    "pound",
    "pounds",
    "ounce",
    "ounces",
    "traces",
    "trace",
    "level",
    "levels",
    "amount",
    "amounts",
    "out",
    "ball",
    "balls",
    "sheet",
    "sheets",
    "weight",
    "bar",
    "bars",
    "bit",
    "strip",
    "mass",
    "cast",
    "plates",
    "pig",
    "pigs",
    "heaviness",
];
