//! Loudness within 1 LU of the target and true peak at most −1 dBTP, by meters that share no code
//! with the limiter: the `ebur128` crate and ffmpeg's filter.

use ebur128::{EbuR128, Mode};
use lectern_speech::audio::{
    AudioFormat, EncodeOptions, encode,
    loudness::{LevelReport, StreamLeveler, level, measure},
};

use crate::{
    outside,
    signals::{RATE, lag, speech, tone, white},
};

const SECOND: usize = RATE as usize;

fn meter(samples: &[f32]) -> (f64, f64) {
    let mut meter = EbuR128::new(1, RATE, Mode::I | Mode::TRUE_PEAK).expect("a meter");
    meter.add_frames_f32(samples).expect("it listens");
    (meter.loudness_global().expect("loudness"), 20.0 * meter.true_peak(0).expect("a peak").log10())
}

fn leveled(samples: &[f32]) -> (Vec<f32>, LevelReport) {
    let mut samples = samples.to_vec();
    let report = level(&mut samples, RATE, 0.0).expect("it levels");
    (samples, report)
}

/// Signals like speech and more extreme ones, 3 s to 60 s, each from far too quiet to far too loud.
fn clips() -> Vec<(String, Vec<f32>)> {
    let gated = |seconds: usize, seed: u64| -> Vec<f32> {
        let mut samples = speech(seconds * SECOND, seed);
        // Mostly silence: four fifths of each 10 s.
        samples
            .iter_mut()
            .enumerate()
            .filter(|(n, _)| n % (10 * SECOND) > 2 * SECOND)
            .for_each(|(_, s)| *s = 0.0);
        samples
    };
    let modulated = |seconds: usize| -> Vec<f32> {
        white(seconds * SECOND, 0.5, 8)
            .iter()
            .enumerate()
            .map(|(n, s)| s * (std::f32::consts::TAU * 4.0 * n as f32 / RATE as f32).sin().max(0.0))
            .collect()
    };
    let mut pops = speech(12 * SECOND, 3);
    pops.iter_mut().step_by(3_777).for_each(|sample| *sample = 0.9);
    let base = vec![
        ("speech of 3 s", speech(3 * SECOND, 1)),
        ("speech of 10 s", speech(10 * SECOND, 2)),
        ("speech of 60 s", speech(60 * SECOND, 3)),
        ("speech in much silence", gated(40, 4)),
        ("modulated noise", modulated(8)),
        ("a tone", tone(4 * SECOND, 997.0, 0.4, 0.0)),
        ("a tone between samples", tone(4 * SECOND, 6_000.0, 0.4, std::f64::consts::FRAC_PI_4)),
        ("speech with pops", pops),
        ("white noise", white(5 * SECOND, 0.3, 6)),
    ];
    base.into_iter()
        .flat_map(|(name, samples)| {
            // Each signal at about −34, −24, −12 and −4 LUFS before leveling.
            let own = meter(&samples).0;
            [-34.0, -24.0, -12.0, -4.0].map(|lufs| {
                let gain = 10.0_f64.powf((lufs - own) / 20.0) as f32;
                (format!("{name} at {lufs} LUFS"), samples.iter().map(|s| s * gain).collect())
            })
        })
        .collect()
}

/// Negative controls: with `MAX_CORRECTIONS` at 0, "speech of 3 s at -34 LUFS" comes out at −18.8
/// LUFS; without the limiter, at −21.8 LUFS, because the whole clip is turned down for its peaks.
#[test]
fn clips_of_three_seconds_and_more_come_to_minus_16_lufs_with_peaks_below_minus_1_dbtp() {
    for (name, samples) in clips() {
        let (after, report) = leveled(&samples);
        let (lufs, peak) = meter(&after);
        assert_eq!(after.len(), samples.len());
        assert!((lufs + 16.0).abs() <= 1.0, "{name}: {lufs:.2} LUFS, {report:?}");
        assert!(peak <= -1.0, "{name}: {peak:.3} dBTP, {report:?}");
        // The meter's interpolation is coarser: near the highest frequencies it may read up to 1 dB
        // less.
        assert!(report.true_peak_dbtp > peak - 0.3, "{name}: {peak:.3} dBTP, {report:?}");
    }
}

#[test]
fn ffmpeg_measures_the_same() {
    let (after, _) = leveled(&speech(10 * SECOND, 2));
    let file = encode(&after, &EncodeOptions::new(AudioFormat::Wav, RATE)).expect("it encodes");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("clip.wav");
    std::fs::write(&path, file).expect("it is written");
    let path = path.to_string_lossy();
    let (_, said) = outside::run(
        "ffmpeg",
        &["-nostdin", "-hide_banner", "-i", &path, "-af", "ebur128=peak=true", "-f", "null", "-"],
    );
    let summary = &said[said.rfind("Summary:").expect("a summary")..];
    let number = |label: &str| -> f64 {
        let rest = summary[summary.find(label).expect("the label") + label.len()..].trim_start();
        rest.split_whitespace().next().expect("a number").parse().expect("a number")
    };
    assert!((number("I:") + 16.0).abs() <= 1.0, "{summary}");
    assert!(number("Peak:") <= -1.0, "{summary}");
}

#[test]
fn what_lies_below_the_ceiling_is_multiplied_and_nothing_else() {
    let samples: Vec<f32> = speech(5 * SECOND, 2).iter().map(|s| s * 0.2).collect();
    let mut after = samples.clone();
    let report = level(&mut after[..2 * SECOND], RATE, 3.0).expect("it levels");
    assert_eq!(report.limited_db, 0.0);
    let gain = 10.0_f64.powf(3.0 / 20.0) as f32;
    assert!(samples.iter().zip(&after[..2 * SECOND]).all(|(a, b)| (a * gain - b).abs() < 1e-6));
}

#[test]
fn limiting_moves_nothing_and_rings_not() {
    let samples = speech(6 * SECOND, 5);
    let loud: Vec<f32> = samples.iter().map(|s| s * 8.0).collect();
    let mut leveler = StreamLeveler::new(RATE, 0.0);
    let mut after = leveler.push(&loud);
    after.extend(leveler.finish());
    assert_eq!(lag(&loud[..SECOND], &after[..SECOND], 200), 0);
    assert!(meter(&after).1 <= -1.0);
}

#[test]
fn clips_below_three_seconds_take_the_fixed_gain() {
    let samples: Vec<f32> = speech(3 * SECOND - 1, 2).iter().map(|s| s * 0.3).collect();
    let mut after = samples.clone();
    let report = level(&mut after, RATE, 6.0).expect("it levels");
    assert_eq!(report.gain_db, 6.0);
    let change = meter(&after).0 - meter(&samples).0;
    assert!((change - 6.0).abs() < 0.05, "{change}");
    // With one more sample, the clip is leveled.
    let mut longer: Vec<f32> = speech(3 * SECOND, 2).iter().map(|s| s * 0.3).collect();
    level(&mut longer, RATE, 6.0).expect("it levels");
    assert!((meter(&longer).0 + 16.0).abs() < 1.0);
}

#[test]
fn short_clips_and_streams_keep_below_the_ceiling_too() {
    for gain in [0.0, 12.0, 20.0] {
        let samples = speech(2 * SECOND, 9);
        let mut clip = samples.clone();
        level(&mut clip, RATE, gain).expect("it levels");
        assert!(meter(&clip).1 <= -1.0, "clip, {gain} dB");
        let mut leveler = StreamLeveler::new(RATE, gain);
        let mut stream = leveler.push(&samples);
        stream.extend(leveler.finish());
        assert!(meter(&stream).1 <= -1.0, "stream, {gain} dB");
    }
}

#[test]
fn streams_come_out_the_same_however_they_are_cut() {
    let samples: Vec<f32> = speech(2 * SECOND, 9).iter().map(|s| s * 4.0).collect();
    let whole = {
        let mut leveler = StreamLeveler::new(RATE, 2.0);
        let mut out = leveler.push(&samples);
        out.extend(leveler.finish());
        out
    };
    assert_eq!(whole.len(), samples.len());
    for piece in [1, 7, 480, 10_000] {
        let mut leveler = StreamLeveler::new(RATE, 2.0);
        let mut out: Vec<f32> = samples.chunks(piece).flat_map(|piece| leveler.push(piece)).collect();
        out.extend(leveler.finish());
        assert!(out == whole, "in pieces of {piece}");
    }
}

#[test]
fn silence_stays_silence_and_faint_clips_are_not_blown_up() {
    for length in [0, 1, 1_000, 5 * SECOND] {
        let (after, report) = leveled(&vec![0.0; length]);
        assert!(after.iter().all(|&sample| sample == 0.0));
        assert_eq!(report.true_peak_dbtp, f64::NEG_INFINITY);
    }
    // The gain is 20 dB and no more.
    let faint: Vec<f32> = speech(5 * SECOND, 1).iter().map(|s| s * 0.03).collect();
    let before = meter(&faint).0;
    assert!((-60.0..-40.0).contains(&before), "{before}");
    let (after, report) = leveled(&faint);
    assert_eq!(report.gain_db, 20.0);
    let change = meter(&after).0 - before;
    assert!((change - 20.0).abs() < 0.3, "{change}");
}

#[test]
fn nonsense_samples_become_silence() {
    let mut samples = speech(4 * SECOND, 1);
    samples[1_000] = f32::NAN;
    samples[2_000] = f32::INFINITY;
    samples[3_000] = f32::NEG_INFINITY;
    samples[4_000] = f32::MAX;
    let measured = measure(&samples, RATE).expect("it measures");
    assert!(measured.lufs.is_finite());
    let (after, _) = leveled(&samples);
    assert!(after.iter().all(|sample| sample.is_finite() && sample.abs() <= 0.9));
    assert_eq!(after[1_000], 0.0);
}

#[test]
fn a_rate_without_a_meter_is_an_error() {
    assert!(measure(&[0.0; 100], 0).is_err());
    assert!(level(&mut [0.0; 100], 3, 0.0).is_err());
}
