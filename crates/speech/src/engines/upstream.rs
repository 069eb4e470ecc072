//! The upstream engine: not written yet.
