//! From cleaned text to spoken words in English: which rules are asked at a place, in which order.
//! The rules themselves are one file a subject below; what they share with other languages is in
//! [`crate::front_end::normalize`].

use super::{figures::Figures, tagger::Tagger};
use crate::front_end::{
    clean::Clean,
    english::Accent,
    normalize::{self, Language},
    spoken::Spoken,
};

mod addresses;
mod ambiguous;
mod amounts;
mod chemistry;
mod chords;
mod clock;
mod codes;
mod compass;
mod coordinates;
mod dates;
pub(super) mod emoji;
mod feet;
mod fractions;
mod lexemes;
mod links;
mod magnitudes;
mod maths;
mod measures;
mod money;
mod named;
mod numbers;
mod numerals;
mod paths;
mod rates;
mod reading;
mod scan;
mod scores;
pub(super) mod scripture;
mod shillings;
mod shortened;
mod symbols;
mod units;
mod weekdays;

pub(super) use scan::join_thousands;

/// Reads a cleaned text.
pub(super) fn read(clean: &Clean, accent: Accent, tagger: &Tagger) -> Spoken {
    let figures = Figures { with_and: accent == Accent::British };
    normalize::read(clean, English { figures, quoted: false, tagger })
}

/// The state of one reading.
type Reader<'a> = normalize::Reader<'a, English<'a>>;

/// What a reading keeps for English.
struct English<'a> {
    figures: Figures,
    /// A single quotation mark is open.
    quoted: bool,
    tagger: &'a Tagger,
}

impl<'a> Language<'a> for English<'a> {
    fn read(r: &mut Reader<'a>) -> bool {
        let fresh = r.is_fresh();
        emoji::read_keycap(r)
            || (fresh && (links::read(r) || chemistry::read(r) || numbers::read(r) || lexemes::read(r)))
            || symbols::read(r)
    }

    fn cardinal(&self, digits: &str) -> String {
        self.figures.cardinal(digits)
    }

    fn inside_word(r: &mut Reader<'a>) {
        reading::inside(r);
    }
}
