//! Decoding returns exactly as many samples as were encoded, at the same positions, in every
//! format.

use lectern_speech::audio::{AudioFormat, EncodeOptions, Encoder, Layout, decode::decode, encode};

use crate::{
    outside,
    signals::{RATE, lag, snr, speech, white},
};

const LENGTHS: [usize; 17] =
    [0, 1, 2, 46, 47, 48, 575, 576, 577, 1_151, 1_152, 1_153, 4_096, 24_000, 24_001, 50_017, 100_003];

fn options(format: AudioFormat) -> EncodeOptions {
    EncodeOptions::new(format, RATE)
}

fn encoded(samples: &[f32], format: AudioFormat) -> Vec<u8> {
    encode(samples, &options(format)).expect("it encodes")
}

/// Negative control: without the front patch, an MP3 of 0 samples decodes to 2,304.
fn assert_same_place(samples: &[f32], decoded: &[f32], tolerance: i64, what: &str) {
    assert_eq!(decoded.len(), samples.len(), "length by {what}");
    if samples.len() >= 575 {
        let window = samples.len().min(24_000);
        let lag = lag(&samples[..window], &decoded[..window], 1_500);
        assert!(lag.abs() <= tolerance, "{} samples by {what} are off by {lag}", samples.len());
    }
}

#[test]
fn mp3_is_gapless_by_symphonia_and_ffmpeg() {
    for length in LENGTHS {
        let samples = speech(length, 7);
        let file = encoded(&samples, AudioFormat::Mp3);
        assert_same_place(&samples, &outside::symphonia(&file, "mp3"), 0, "symphonia");
        assert_same_place(&samples, &outside::ffmpeg(&file, "mp3"), 0, "ffmpeg");
    }
}

#[test]
fn mp3_is_gapless_at_every_length_around_its_frames() {
    let samples = white(2_400, 0.3, 3);
    for length in 0..samples.len() {
        let file = encoded(&samples[..length], AudioFormat::Mp3);
        assert_eq!(outside::symphonia(&file, "mp3").len(), length);
    }
}

#[test]
fn mp3_is_gapless_at_other_rates_and_bit_rates() {
    for (rate, bitrate) in [
        (8_000, 24),
        (8_000, 32),
        (16_000, 32),
        (16_000, 64),
        (22_050, 48),
        (22_050, 64),
        (24_000, 32),
        (24_000, 56),
        (24_000, 160),
        (32_000, 48),
        (44_100, 32),
        (44_100, 64),
        (44_100, 320),
        (48_000, 32),
        (48_000, 96),
    ] {
        let samples = white(30_011, 0.3, 5);
        let options =
            EncodeOptions { bitrate_kbps: Some(bitrate), ..EncodeOptions::new(AudioFormat::Mp3, rate) };
        let file = encode(&samples, &options).expect("it encodes");
        assert_same_place(&samples, &outside::symphonia(&file, "mp3"), 0, "symphonia");
        assert_same_place(&samples, &outside::ffmpeg(&file, "mp3"), 0, "ffmpeg");
    }
}

#[test]
fn mp3_has_a_constant_bit_rate_of_64_kbit_a_second() {
    let file = encoded(&speech(240_000, 7), AudioFormat::Mp3);
    assert!((file.len() as i64 - 80_000).abs() < 1_500, "10 s took {} bytes", file.len());
}

#[test]
fn wav_and_flac_give_back_every_sample() {
    for format in [AudioFormat::Wav, AudioFormat::Flac] {
        for length in LENGTHS {
            let samples: Vec<f32> =
                speech(length, 9).iter().map(|sample| (sample * 32_768.0).round() / 32_768.0).collect();
            let file = encoded(&samples, format);
            let extension = format.as_str();
            // symphonia's probe needs more bytes than an empty clip has.
            if length > 0 {
                assert!(outside::symphonia(&file, extension) == samples, "{format} {length} by symphonia");
            }
            assert!(outside::ffmpeg(&file, extension) == samples, "{format} {length} by ffmpeg");
            if format == AudioFormat::Flac && length == 0 {
                continue;
            }
            let ours = decode(&file).expect("it decodes");
            assert!(ours.samples == samples && ours.sample_rate_hz == RATE, "{format} {length} by our own");
        }
    }
}

#[test]
fn wav_lengths_are_right_by_hound() {
    for length in LENGTHS {
        let file = encoded(&speech(length, 9), AudioFormat::Wav);
        let reader = hound::WavReader::new(std::io::Cursor::new(file)).expect("hound reads it");
        assert_eq!(reader.duration() as usize, length);
        assert_eq!((reader.spec().channels, reader.spec().sample_rate), (1, RATE));
    }
}

/// At 48 kHz. libopus's own decoder resamples the parts coded as speech, and is early by up to 2.5
/// samples (0.05 ms).
#[test]
fn opus_is_gapless_by_ffmpeg_and_by_libopus() {
    for length in LENGTHS {
        let samples = speech(length, 11);
        let doubled = lectern_speech::audio::resample::resample(&samples, RATE, 48_000).expect("it converts");
        let file = encoded(&samples, AudioFormat::Opus);
        assert_same_place(&doubled, &decode(&file).expect("it decodes").samples, 3, "libopus");
        assert_same_place(&doubled, &outside::ffmpeg(&file, "opus"), 0, "ffmpeg");
    }
}

#[test]
fn opus_is_gapless_at_every_length_around_its_packets() {
    let samples = white(2_000, 0.3, 3);
    for length in (0..samples.len()).step_by(7) {
        let file = encoded(&samples[..length], AudioFormat::Opus);
        assert_eq!(decode(&file).expect("it decodes").samples.len(), 2 * length);
    }
}

#[test]
fn lossy_formats_sound_like_what_went_in() {
    let samples = speech(72_000, 2);
    let mp3 = outside::symphonia(&encoded(&samples, AudioFormat::Mp3), "mp3");
    let opus = decode(&encoded(&samples, AudioFormat::Opus)).expect("it decodes");
    let opus = lectern_speech::audio::resample::resample(&opus.samples, 48_000, RATE).expect("it converts");
    let (mp3, opus) = (snr(&samples, &mp3), snr(&samples, &opus));
    assert!(mp3 > 15.0 && opus > 5.0, "signal to noise: MP3 {mp3:.1} dB, Opus {opus:.1} dB");
}

#[test]
fn bytes_depend_neither_on_the_run_nor_on_how_samples_are_pushed() {
    let samples = speech(70_000, 4);
    for &format in AudioFormat::FILES {
        let options = EncodeOptions { title: Some("Zwölf".into()), ..options(format) };
        let whole = encode(&samples, &options).expect("it encodes");
        assert_eq!(whole, encode(&samples, &options).expect("it encodes"), "{format}, encoded twice");
        for piece in [1, 97, 4_096, 65_537] {
            let mut encoder = Encoder::new(&options, Layout::File).expect("it starts");
            let mut file = Vec::new();
            for piece in samples.chunks(piece) {
                file.extend(encoder.push(piece).expect("it goes on"));
            }
            let end = encoder.finish().expect("it ends");
            file.extend(end.bytes);
            if let Some(patch) = end.front_patch {
                patch.apply(&mut file);
            }
            assert!(file == whole, "{format} in pieces of {piece}");
        }
    }
}

#[test]
fn streams_need_no_patch_and_play() {
    let samples = speech(60_000, 4);
    for &format in AudioFormat::FILES {
        let mut encoder = Encoder::new(&options(format), Layout::Stream).expect("it starts");
        let mut file = encoder.push(&samples).expect("it goes on");
        assert!(!file.is_empty());
        let end = encoder.finish().expect("it ends");
        assert_eq!(end.front_patch, None, "{format}");
        file.extend(end.bytes);
        let played = outside::ffmpeg(&file, format.as_str()).len();
        let (least, most) = match format {
            AudioFormat::Mp3 => (60_000, 63_000),
            AudioFormat::Opus => (120_000, 120_000),
            _ => (60_000, 60_000),
        };
        assert!((least..=most).contains(&played), "{format}: {played}");
    }
}

#[test]
fn titles_and_the_encoder_are_in_the_file() {
    let title = "Dünne Luft — 薄い空気 🎈";
    for format in [AudioFormat::Mp3, AudioFormat::Flac, AudioFormat::Opus] {
        let options = EncodeOptions { title: Some(format!("{title}\u{0}\n")), ..options(format) };
        let file = encode(&speech(5_000, 1), &options).expect("it encodes");
        assert_eq!(outside::ffprobe_tag(&file, format.as_str(), "title"), title, "{format}");
        let name = lectern_speech::audio::SOFTWARE;
        if format == AudioFormat::Flac {
            // The vendor string, which ffprobe does not show.
            assert!(file.windows(name.len()).any(|bytes| bytes == name.as_bytes()));
        } else {
            // ffprobe adds the encoder from the LAME tag to the text.
            let encoder = outside::ffprobe_tag(&file, format.as_str(), "encoder");
            assert!(encoder.ends_with(name), "{format}: {encoder}");
        }
    }
}

#[test]
fn nonsense_samples_do_no_harm() {
    let mut samples = speech(10_000, 1);
    samples[100] = f32::NAN;
    samples[200] = f32::INFINITY;
    samples[300] = f32::MAX;
    samples[400] = f32::MIN_POSITIVE / 2.0;
    for &format in AudioFormat::FILES {
        let decoded = decode(&encoded(&samples, format)).expect("it decodes");
        assert!(decoded.samples.iter().all(|sample| sample.abs() < 2.0), "{format}");
    }
}

#[test]
fn rates_a_format_does_not_have_are_refused() {
    for (format, rate) in [
        (AudioFormat::Mp3, 23_999),
        (AudioFormat::Mp3, 0),
        (AudioFormat::Opus, 22_050),
        (AudioFormat::Flac, 0),
        (AudioFormat::Wav, 0),
    ] {
        let error = encode(&[0.0], &EncodeOptions::new(format, rate)).expect_err("it is refused");
        assert!(matches!(error, lectern_speech::audio::AudioError::SampleRate { .. }), "{error}");
    }
    let options = EncodeOptions { bitrate_kbps: Some(65), ..options(AudioFormat::Mp3) };
    let error = encode(&[0.0], &options).expect_err("it is refused");
    assert!(matches!(error, lectern_speech::audio::AudioError::Bitrate { .. }), "{error}");
}

#[test]
fn format_names_are_read_as_they_are_written() {
    for &format in AudioFormat::FILES {
        assert_eq!(format.as_str().parse(), Ok(format));
        assert_eq!(serde_json::to_value(format).expect("JSON"), format.as_str());
    }
    assert!("MP3".parse::<AudioFormat>().is_err());
}
