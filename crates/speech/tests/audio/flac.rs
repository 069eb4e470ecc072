//! Our FLAC encoder against two decoders that share no code with it.

use lectern_speech::audio::{AudioFormat, EncodeOptions, encode};

use crate::{
    outside,
    signals::{Noise, RATE, speech, tone, white},
};

/// 600 signals: edge cases first, then random ones.
fn signals() -> Vec<Vec<f32>> {
    let mut signals = vec![
        vec![0.0; 10_000],
        vec![1.0; 5_000],
        vec![-1.0; 4_096],
        vec![0.5],
        vec![0.25, -0.25],
        (0..9_000).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect(),
        (0..9_000).map(|n| if n % 1_000 == 999 { 1.0 } else { 0.0 }).collect(),
        (0..8_192).map(|n| n as f32 / 8_192.0).collect(),
        (0..8_192).map(|n| if n < 4_000 { 0.0 } else { -1.0 }).collect(),
        white(20_000, 1.0, 1),
        white(20_000, 1.0 / 32_768.0, 1),
        white(20_000, 3.0 / 32_768.0, 1),
        tone(30_000, 1_000.0, 0.999, 0.0),
        tone(30_000, 11_999.0, 0.999, 0.0),
        tone(30_000, 0.5, 0.999, 0.0),
        speech(60_000, 1),
    ];
    for length in [1, 2, 3, 4, 5, 6, 15, 16, 17, 24, 25, 26, 4_095, 4_096, 4_097, 8_192, 8_193, 8_200] {
        signals.push(white(length, 0.9, length as u64));
        signals.push(tone(length, 440.0, 0.8, 0.3));
    }
    let mut noise = Noise::new(99);
    while signals.len() < 600 {
        let seed = noise.bits();
        let length = (noise.bits() % 9_000) as usize + 1;
        let amplitude = 2.0_f32.powf(-8.0 * noise.next().abs());
        signals.push(match seed % 5 {
            0 => white(length, amplitude, seed),
            1 => tone(length, (seed % 12_000) as f64, f64::from(amplitude), 1.0),
            2 => speech(length, seed % 1_000),
            3 => white(length, amplitude, seed).iter().map(|s| s.signum() * amplitude).collect(),
            _ => {
                // A random walk, with jumps.
                let mut level = 0.0;
                white(length, amplitude, seed)
                    .iter()
                    .map(|step| {
                        level = if step.abs() > 0.99 * amplitude {
                            -level
                        } else {
                            (level + 0.1 * step).clamp(-1.0, 1.0)
                        };
                        level
                    })
                    .collect()
            }
        });
    }
    signals
}

fn quantised(samples: &[f32]) -> Vec<i16> {
    samples.iter().map(|sample| (sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16).collect()
}

/// Negative control: with one of the Rice parameters written one off, symphonia reports a wrong
/// checksum.
#[test]
fn six_hundred_signals_come_back_exactly_by_symphonia_and_ffmpeg() {
    let signals = signals();
    let files: Vec<Vec<u8>> = signals
        .iter()
        .map(|signal| encode(signal, &EncodeOptions::new(AudioFormat::Flac, RATE)).expect("it encodes"))
        .collect();
    for (index, (signal, file)) in signals.iter().zip(&files).enumerate() {
        let decoded: Vec<i16> =
            outside::symphonia(file, "flac").iter().map(|sample| (sample * 32_768.0) as i16).collect();
        assert!(decoded == quantised(signal), "signal {index} by symphonia");
    }
    for (part, files) in files.chunks(50).enumerate() {
        for (index, raw) in outside::ffmpeg_raw(files, "flac", "s16le").iter().enumerate() {
            let decoded: Vec<i16> =
                raw.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
            let index = 50 * part + index;
            assert!(decoded == quantised(&signals[index]), "signal {index} by ffmpeg");
        }
    }
}

#[test]
fn odd_rates_are_written_into_every_frame() {
    for rate in [1, 8_000, 11_025, 22_050, 24_000, 44_100, 48_000, 65_535] {
        let samples = white(5_000, 0.5, 1);
        let file = encode(&samples, &EncodeOptions::new(AudioFormat::Flac, rate)).expect("it encodes");
        assert_eq!(outside::ffmpeg(&file, "flac").len(), samples.len(), "{rate}");
    }
}

#[test]
fn silence_costs_next_to_nothing_and_noise_no_more_than_raw() {
    let size = |samples: &[f32]| {
        encode(samples, &EncodeOptions::new(AudioFormat::Flac, RATE)).expect("it encodes").len()
    };
    assert!(size(&vec![0.0; 240_000]) < 1_000);
    assert!(size(&white(240_000, 1.0, 4)) < 481_500);
    assert!(size(&tone(240_000, 440.0, 0.5, 0.0)) < 150_000);
}
