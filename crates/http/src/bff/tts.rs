//! Speech as the pages hear it. A synthesis is the same as for keys, in [`crate::saas::tts`].

pub mod stream;
