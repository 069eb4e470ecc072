//! Encoders and loudness: not written yet.
