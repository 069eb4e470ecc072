//! Decoding the responses of upstream engines: every format, false lengths, and hostile bytes.

use lectern_speech::audio::{
    AudioError, AudioFormat, EncodeOptions, Encoder, Layout,
    decode::{decode, decode_within, pcm_s16le},
    encode,
    resample::resample,
};
use proptest::prelude::*;

use crate::signals::{RATE, lag, snr, speech, tone};

fn file(format: AudioFormat, samples: &[f32]) -> Vec<u8> {
    encode(samples, &EncodeOptions::new(format, RATE)).expect("it encodes")
}

#[test]
fn every_format_comes_back_with_its_rate() {
    let samples = speech(30_000, 1);
    for (format, rate, length) in [
        (AudioFormat::Mp3, RATE, 30_000),
        (AudioFormat::Wav, RATE, 30_000),
        (AudioFormat::Flac, RATE, 30_000),
        (AudioFormat::Opus, 48_000, 60_000),
    ] {
        let decoded = decode(&file(format, &samples)).expect("it decodes");
        assert_eq!((decoded.sample_rate_hz, decoded.samples.len()), (rate, length), "{format}");
    }
}

#[test]
fn wav_lengths_are_claims_only() {
    let samples = speech(3_000, 1);
    let good = file(AudioFormat::Wav, &samples);
    let expected = decode(&good).expect("it decodes").samples;
    for claim in [0_u32, u32::MAX, 0x7FFF_FFFF, 1_000_000] {
        let mut bogus = good.clone();
        bogus[40..44].copy_from_slice(&claim.to_le_bytes());
        bogus[4..8].copy_from_slice(&claim.to_le_bytes());
        assert!(decode(&bogus).expect("it decodes").samples == expected, "{claim}");
    }
    let mut stream =
        Encoder::new(&EncodeOptions::new(AudioFormat::Wav, RATE), Layout::Stream).expect("it starts");
    let mut bytes = stream.push(&samples).expect("it goes on");
    bytes.extend(stream.finish().expect("it ends").bytes);
    assert!(decode(&bytes).expect("it decodes").samples == expected);
    // An empty file followed by a list stays empty, and a list before the samples is skipped.
    let mut empty = file(AudioFormat::Wav, &[]);
    empty.extend_from_slice(b"LIST\x04\0\0\0INFO");
    assert!(decode(&empty).expect("it decodes").samples.is_empty());
    let mut listed = good[..36].to_vec();
    listed.extend_from_slice(b"LIST\x05\0\0\0INFO!\0");
    listed.extend_from_slice(&good[36..]);
    assert!(decode(&listed).expect("it decodes").samples == expected);
}

#[test]
fn wav_of_other_depths_and_channels_is_read_as_hound_writes_it() {
    let wanted = tone(1_000, 440.0, 0.5, 0.0);
    for (bits, format) in [
        (8, hound::SampleFormat::Int),
        (16, hound::SampleFormat::Int),
        (24, hound::SampleFormat::Int),
        (32, hound::SampleFormat::Int),
        (32, hound::SampleFormat::Float),
    ] {
        for channels in [1, 2, 6] {
            let spec = hound::WavSpec {
                channels,
                sample_rate: 44_100,
                bits_per_sample: bits,
                sample_format: format,
            };
            let mut bytes = std::io::Cursor::new(Vec::new());
            let mut writer = hound::WavWriter::new(&mut bytes, spec).expect("hound writes");
            for sample in &wanted {
                for _ in 0..channels {
                    match format {
                        hound::SampleFormat::Float => writer.write_sample(*sample).expect("hound writes"),
                        hound::SampleFormat::Int => {
                            let full = f64::from(2.0_f32.powi(i32::from(bits) - 1));
                            writer
                                .write_sample((f64::from(*sample) * full).round() as i32)
                                .expect("hound writes");
                        }
                    }
                }
            }
            writer.finalize().expect("hound ends");
            let decoded = decode(&bytes.into_inner()).expect("it decodes");
            assert_eq!((decoded.samples.len(), decoded.sample_rate_hz), (wanted.len(), 44_100));
            let near = wanted.iter().zip(&decoded.samples).all(|(a, b)| (a - b).abs() < 0.006);
            assert!(near, "{bits} bits, {channels} channels");
        }
    }
}

#[test]
fn raw_pcm_is_taken_at_its_word() {
    let decoded = pcm_s16le(&[0, 0x40, 0, 0x80, 1], RATE);
    assert_eq!(decoded.samples, [0.5, -1.0]);
    assert_eq!(decoded.sample_rate_hz, RATE);
}

#[test]
fn other_data_is_unrecognised() {
    for bytes in [&b""[..], b"R", b"RIFF\0\0\0\0AVI ", b"{\"error\": \"no\"}", b"\xFF\xF1\x50\x80", b"<html>"]
    {
        assert!(matches!(decode(bytes), Err(AudioError::Unrecognized)), "{bytes:?}");
    }
    for bytes in [&b"OggS"[..], b"fLaC", b"ID3", b"\xFF\xFB", b"RIFF\0\0\0\0WAVE"] {
        assert!(matches!(decode(bytes), Err(AudioError::Malformed { .. })), "{bytes:?}");
    }
}

#[test]
fn more_audio_than_allowed_is_refused() {
    // 600 s of silence in 2 kB of FLAC: the input's size does not bound the output.
    let long = vec![0.0; 600 * RATE as usize];
    for &format in AudioFormat::FILES {
        let bytes = file(format, &long[..12 * RATE as usize]);
        assert!(matches!(decode_within(&bytes, 11), Err(AudioError::TooLong(11))), "{format}");
        assert!(decode_within(&bytes, 12).is_ok(), "{format}");
    }
    let bomb = file(AudioFormat::Flac, &long);
    assert!(bomb.len() < 60_000);
    assert!(matches!(decode_within(&bomb, 500), Err(AudioError::TooLong(500))));
}

#[test]
fn a_flac_with_one_sample_changed_is_noticed() {
    let mut bytes = file(AudioFormat::Flac, &speech(20_000, 1));
    // The MD5 in the stream information no longer matches the samples.
    bytes[30] ^= 1;
    assert!(matches!(decode(&bytes), Err(AudioError::Malformed { .. })));
}

#[test]
fn resampling_keeps_length_place_and_sound() {
    for (from, to) in
        [(22_050, 24_000), (44_100, 24_000), (48_000, 24_000), (16_000, 24_000), (24_000, 48_000)]
    {
        for length in [0_usize, 1, 2, 100, 1_023, 1_024, 1_025, 30_011] {
            let wave = |rate: u32, length: usize| -> Vec<f32> {
                (0..length)
                    .map(|n| {
                        let t = n as f64 / f64::from(rate);
                        (0.3 * (std::f64::consts::TAU * 440.0 * t).sin()
                            + 0.2 * (std::f64::consts::TAU * 3_100.0 * t * (1.0 + t)).sin())
                            as f32
                    })
                    .collect()
            };
            let out = resample(&wave(from, length), from, to).expect("it converts");
            let expected = (length as f64 * f64::from(to) / f64::from(from)).round() as usize;
            assert_eq!(out.len(), expected, "{length} samples from {from} to {to}");
            if length > 20_000 {
                let wanted = wave(to, expected);
                assert_eq!(lag(&wanted[5_000..10_000], &out[5_000..10_000], 50), 0, "{from} to {to}");
                let snr = snr(&wanted[1_000..10_000], &out[1_000..10_000]);
                assert!(snr > 50.0, "{from} to {to}: {snr:.1} dB");
            }
        }
    }
    assert!(resample(&[0.0], 0, RATE).is_err() && resample(&[0.0], RATE, u32::MAX).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any result is accepted, except a panic or a hang.
    #[test]
    fn damaged_files_do_no_harm(
        format in 0_usize..4,
        cut in 0.0_f64..1.2,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..30),
        near_front in any::<bool>(),
    ) {
        let mut bytes = file(AudioFormat::FILES[format], &speech(6_000, 1));
        let length = bytes.len();
        bytes.truncate((cut * length as f64) as usize);
        let reach = if near_front { bytes.len().min(200) } else { bytes.len() };
        if reach > 0 {
            for (at, value) in changes {
                bytes[at.index(reach)] = value;
            }
        }
        if let Ok(decoded) = decode_within(&bytes, 60) {
            prop_assert!(decoded.samples.len() as u64 <= 60 * u64::from(decoded.sample_rate_hz));
        }
    }

    #[test]
    fn noise_after_a_magic_number_does_no_harm(
        magic in prop::sample::select(vec![&b"RIFF\0\0\0\0WAVE"[..], b"fLaC", b"OggS", b"ID3\x03\0\0", b"\xFF\xFB", b"\xFF\xF3\x84\xC4"]),
        noise in prop::collection::vec(any::<u8>(), 0..3_000),
    ) {
        let bytes = [magic, &noise[..]].concat();
        let _ = decode_within(&bytes, 60);
    }
}
