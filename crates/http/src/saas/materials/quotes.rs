//! `/v1/saas/materials/{id}/quotes`: what is said in a text, and whose it is.

pub mod list;
pub mod set;

use lectern_store::materials::Quote as Stored;
use lectern_types::Quote;

/// A quote as it is shown.
fn shown(quote: Stored) -> Quote {
    Quote {
        chunk_index: quote.chunk,
        start: quote.start,
        text: quote.text,
        characters: quote.characters,
        speaker: quote.speaker,
        confidence: quote.confidence.map(|thousandths| f64::from(thousandths) / 1000.0),
        given: quote.is_given,
        continues: quote.goes_on,
    }
}
