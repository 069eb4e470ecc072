//! The form of language tags.

/// The longest tag that is taken.
const LONGEST: usize = 35;

/// Whether `tag` has the form of a BCP 47 tag; which tags exist is not known here.
pub fn is_language_tag(tag: &str) -> bool {
    tag.len() <= LONGEST
        && tag.split('-').enumerate().all(|(at, part)| {
            let form = (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
            form && (at > 0 || part.bytes().all(|b| b.is_ascii_alphabetic()))
        })
}
