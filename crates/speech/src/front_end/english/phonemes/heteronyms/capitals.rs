//! Names that are spelled like other words: Nice and a nice day, Job and a job, Reading and a reading.

use super::near::{BE, Near};

impl Near<'_> {
    /// The city in France.
    pub(super) fn city(self) -> bool {
        let capital = self.token(0).is_some_and(|token| token.text == "Nice");
        let placed =
            matches!(self.tag(-1), "IN" | "TO") || self.is(-1, &["visit", "visited", "to", "reach", "left"]);
        let subject = self.at == 0
            && self.is(1, BE)
            && self.within(8, &["france", "city", "riviera", "capital", "coast", "port"]);
        capital && (subject || (placed && !self.tag(1).starts_with("NN")))
    }

    /// The man of the Bible.
    pub(super) fn prophet(self) -> bool {
        const TOLD: &[&str] = &[
            "book",
            "comforters",
            "faith",
            "life",
            "patience",
            "story",
            "sufferings",
            "tale",
            "trials",
            "words",
        ];
        const HIS: &[&str] = &[
            "comforters",
            "daughters",
            "faith",
            "friends",
            "patience",
            "suffering",
            "sufferings",
            "tomb",
            "trials",
            "wife",
        ];
        const NEAR: &[&str] =
            &["bible", "comforter", "comforters", "god", "lord", "prophet", "satan", "scripture"];
        let capital = self.token(0).is_some_and(|token| token.text == "Job");
        let owns = self.is(1, &["'s", "’s"]) && self.is(2, HIS) && !self.determined();
        capital && (owns || (self.is(-1, &["of"]) && self.is(-2, TOLD)) || self.within(8, NEAR))
    }

    /// The town in England, and those that are named after it.
    pub(super) fn english_town(self) -> bool {
        const SHIRES: &[&str] = &["berkshire", "england", "massachusetts", "pa", "pennsylvania"];
        const AFTER: &[&str] = &["fc", "gaol", "goal", "station", "university"];
        const BEFORE: &[&str] = &["at", "from", "in", "near", "to", "via"];
        // "An A in Reading", "Introduction to Reading".
        const OF_SCHOOL: &[&str] = &[
            "a",
            "approach",
            "b",
            "c",
            "class",
            "course",
            "degree",
            "grade",
            "guide",
            "interest",
            "introduction",
            "key",
            "progress",
            "score",
            "scores",
            "skills",
            "test",
        ];
        let capital = self.token(0).is_some_and(|token| token.text == "Reading");
        let placed = self.is(1, &[","]) && self.is(2, SHIRES);
        // "The Reading list", "in Reading Room 4"
        let named = self.tag(1).starts_with("NN") && !self.is(1, AFTER);
        let inside = self.at > 0
            && self.is(-1, BEFORE)
            && !self.is(-2, OF_SCHOOL)
            && !named
            && !matches!(self.tag(1), "DT" | "PRP$");
        capital && (placed || self.is(1, AFTER) || inside)
    }

    /// The bean, and the town in Ohio; not the capital of Peru.
    pub(super) fn bean_or_town(self) -> bool {
        self.is(1, &["bean", "beans"]) || (self.is(1, &[","]) && self.is(2, &["oh", "ohio"]))
    }
}
