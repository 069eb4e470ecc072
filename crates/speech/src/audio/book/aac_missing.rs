//! The AAC encoder of a build without the feature `aac`: a type that cannot be constructed.

use std::convert::Infallible;

use crate::audio::AudioError;

pub(super) struct AacEncoder(Infallible);

impl AacEncoder {
    pub(super) fn new(_sample_rate_hz: u32, _bits_a_second: u32) -> Result<Self, AudioError> {
        Err(AudioError::codec("AAC", "this build is without it; MP3 is there"))
    }

    pub(super) fn frame_samples(&self) -> usize {
        match self.0 {}
    }

    pub(super) fn delay(&self) -> u64 {
        match self.0 {}
    }

    pub(super) fn config(&self) -> &[u8] {
        match self.0 {}
    }

    pub(super) fn units_for(&self, _samples: u64) -> u64 {
        match self.0 {}
    }

    pub(super) fn push<E: From<AudioError>>(
        &mut self,
        _samples: &[i16],
        _each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.0 {}
    }

    pub(super) fn finish<E: From<AudioError>>(
        self,
        _each: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.0 {}
    }
}
