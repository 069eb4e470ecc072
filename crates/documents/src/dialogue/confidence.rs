//! The highest confidence of a proposal, by what it rests on.

/// A tag with a name: `said Ines`.
pub(super) const NAMED: f32 = 0.97;
/// A tag with a noun that names nobody else: `said the old man`.
pub(super) const ROLE: f32 = 0.95;
/// `his servant`, and nouns that only one tag has.
pub(super) const VAGUE: f32 = 0.7;
/// A tag in the paragraph before.
pub(super) const LED: f32 = 0.94;
/// A pronoun, or an action beat.
pub(super) const PRONOUN: f32 = 0.95;
/// Another quote of the same paragraph, far away.
pub(super) const FAR: f32 = 0.85;
/// Alternation alone.
pub(super) const IMPLIED: f32 = 0.93;
/// Alternation alone, where three or more people speak.
pub(super) const IN_COMPANY: f32 = 0.88;
