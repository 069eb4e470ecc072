//! Reads the samples of our own FLAC files as a stream, so that a book can be assembled from its
//! chunks with little memory.
//!
//! Faults that [`decode`](super::decode) tolerates, truncation above all, are errors here: a book
//! with a gap must not pass as complete. The checksum of the samples is compared at the end.

use std::io::Read;

use symphonia::core::{
    codecs::audio::{AudioDecoder, AudioDecoderOptions},
    errors::Error,
    formats::{FormatOptions, FormatReader, TrackType, probe::Hint},
    io::{MediaSourceStream, MediaSourceStreamOptions, ReadOnlySource},
    meta::MetadataOptions,
};

use super::AudioError;

/// A FLAC file being read.
pub struct FlacReader<'s> {
    format: Box<dyn FormatReader + 's>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    sample_rate_hz: u32,
    promised: Option<u64>,
    samples_read: u64,
    samples: Vec<i16>,
}

impl std::fmt::Debug for FlacReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FlacReader").field("samples_read", &self.samples_read).finish_non_exhaustive()
    }
}

impl<'s> FlacReader<'s> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// [`AudioError::Malformed`] when it is not FLAC with one channel.
    pub fn new(source: impl Read + Send + Sync + 's) -> Result<Self, AudioError> {
        let source = Box::new(ReadOnlySource::new(source));
        let source = MediaSourceStream::new(source, MediaSourceStreamOptions::default());
        let mut hint = Hint::new();
        hint.with_extension("flac");
        let format = symphonia::default::get_probe()
            .probe(&hint, source, FormatOptions::default(), MetadataOptions::default())
            .map_err(malformed)?;
        let track = format.default_track(TrackType::Audio).ok_or_else(|| malformed("no audio in it"))?;
        let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
        let parameters = parameters.ok_or_else(|| malformed("no audio in it"))?;
        let one_channel = parameters.channels.as_ref().is_some_and(|channels| channels.count() == 1);
        let sample_rate_hz = parameters.sample_rate.filter(|_| one_channel);
        let options = AudioDecoderOptions::default().verify(true);
        let decoder =
            symphonia::default::get_codecs().make_audio_decoder(parameters, &options).map_err(malformed)?;
        Ok(Self {
            sample_rate_hz: sample_rate_hz.ok_or_else(|| malformed("it has more than one channel"))?,
            promised: track.num_frames,
            track: track.id,
            format,
            decoder,
            samples_read: 0,
            samples: Vec::new(),
        })
    }

    /// The sample rate.
    pub fn sample_rate_hz(&self) -> u32 {
        self.sample_rate_hz
    }

    /// The next samples; `None` at the end.
    ///
    /// # Errors
    /// [`AudioError::Malformed`] when the file is damaged or incomplete.
    pub fn read(&mut self) -> Result<Option<&[i16]>, AudioError> {
        loop {
            let packet = match self.format.next_packet() {
                Ok(Some(packet)) => packet,
                Ok(None) => return self.ended(),
                Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    return self.ended();
                }
                Err(error) => return Err(malformed(error)),
            };
            if packet.track_id != self.track {
                continue;
            }
            let frames = self.decoder.decode(&packet).map_err(malformed)?;
            frames.copy_to_vec_interleaved(&mut self.samples);
            self.samples_read += self.samples.len() as u64;
            return Ok(Some(&self.samples));
        }
    }

    fn ended(&mut self) -> Result<Option<&[i16]>, AudioError> {
        match self.promised {
            Some(promised) if promised != self.samples_read => {
                Err(malformed(format_args!("it has {} samples of {promised}", self.samples_read)))
            }
            _ if self.decoder.finalize().verify_ok == Some(false) => {
                Err(malformed("its samples do not have the check sum it promises"))
            }
            _ => Ok(None),
        }
    }
}

fn malformed(reason: impl std::fmt::Display) -> AudioError {
    AudioError::Malformed { container: "FLAC", reason: reason.to_string() }
}
