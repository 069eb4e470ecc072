//! G.711 and raw samples, by ffmpeg.

use lectern_speech::audio::{AudioFormat, EncodeOptions, encode};

use crate::outside;

/// Every sample of 16 bits.
fn all() -> (Vec<f32>, Vec<u8>) {
    let samples = i16::MIN..=i16::MAX;
    (
        samples.clone().map(|sample| f32::from(sample) / 32_768.0).collect(),
        samples.flat_map(i16::to_le_bytes).collect(),
    )
}

// Negative control: with a decision value that belongs to the smaller magnitude, the first byte that
// differs is that of −31,612.
#[test]
fn every_sample_has_the_byte_that_ffmpeg_gives_it() {
    let (samples, bytes) = all();
    let folder = tempfile::tempdir().expect("a folder for ffmpeg");
    let raw = folder.path().join("all.raw").to_string_lossy().into_owned();
    std::fs::write(&raw, &bytes).expect("it is written");
    for (format, theirs) in [(AudioFormat::Ulaw, "mulaw"), (AudioFormat::Alaw, "alaw")] {
        let ours = encode(&samples, &EncodeOptions::new(format, 8_000)).expect("it encodes");
        let arguments = ["-v", "error", "-nostdin", "-f", "s16le", "-ar", "8000", "-ac", "1", "-i", &raw];
        let (expected, _) = outside::run("ffmpeg", &[&arguments[..], &["-f", theirs, "-"]].concat());
        assert_eq!(ours.len(), samples.len());
        let differs = ours.iter().zip(&expected).position(|(one, other)| one != other);
        assert_eq!(differs.map(|at| at as i64 - 32_768), None, "{format}");
    }
}

#[test]
fn raw_samples_are_the_samples() {
    let (samples, bytes) = all();
    assert!(encode(&samples, &EncodeOptions::new(AudioFormat::Pcm, 24_000)).expect("it encodes") == bytes);
}
