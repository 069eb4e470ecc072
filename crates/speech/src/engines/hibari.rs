//! The Hibari engine: not written yet.
