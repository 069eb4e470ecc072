//! The fundamental frequency of what engines say, and how it ends.

use std::ops::Range;

use lectern_speech::engines::Speech;

/// The values of a course of pitch a second.
pub(crate) const FRAMES_A_SECOND: usize = 100;

/// The fundamental frequency in Hz every 10 ms, where a voice sounds, by the YIN method (de Cheveigné
/// and Kawahara, "YIN, a fundamental frequency estimator for speech and music", 2002).
pub(crate) fn course(speech: &Speech) -> Vec<Option<f64>> {
    let rate = speech.sample_rate_hz as usize;
    let (longest, window) = (rate / 45, rate / 25);
    let step = rate / FRAMES_A_SECOND;
    speech.samples.windows(window + longest).step_by(step).map(|frame| f0(frame, rate)).collect()
}

fn f0(frame: &[f32], rate: usize) -> Option<f64> {
    let (shortest, longest) = (rate / 1000, rate / 45);
    let window = frame.len() - longest;
    let power = frame.iter().map(|sample| sample * sample).sum::<f32>() / frame.len() as f32;
    if power < 1e-4 {
        return None;
    }
    period(frame, window, shortest..longest, CLEAR).map(|period| rate as f64 / period)
}

/// How far a frame may differ from itself a period later: in what sounds clear, and in what creaks or is
/// breathy, as ends do.
const CLEAR: f32 = 0.15;
const BREATHY: f32 = 0.35;

/// The period of a frame in samples.
fn period(frame: &[f32], window: usize, lags: Range<usize>, most: f32) -> Option<f64> {
    let Range { start: shortest, end: longest } = lags;
    let mut sum = 0.0;
    let differences: Vec<f32> = (1..=longest)
        .map(|lag| {
            let pairs = frame[..window].iter().zip(&frame[lag..]);
            let difference: f32 = pairs.map(|(one, other)| (one - other).powi(2)).sum();
            sum += difference;
            difference * lag as f32 / sum.max(1e-9)
        })
        .collect();
    let mut at = (shortest..longest - 1).find(|&at| differences[at] < most)?;
    while at + 2 < longest && differences[at + 1] < differences[at] {
        at += 1;
    }
    // The lowest point of the parabola through the smallest value and its neighbours.
    let [before, here, after] = [at - 1, at, at + 1].map(|at| f64::from(differences[at]));
    let shift = 0.5 * (before - after) / (before - 2.0 * here + after).max(1e-9);
    Some(at as f64 + 1.0 + shift)
}

/// Sound this much softer than the loudest counts as silence: 25 dB.
const SOFTEST: f32 = 0.003;

/// The same with a shorter window, which follows the fast movement at an end, for voices from 80 to 600 Hz:
/// the first value is at `from`, one every 5 ms.
fn fine_course(samples: &[f32], rate: usize, from: usize, to: usize) -> Vec<Option<f64>> {
    let (shortest, longest, window) = (rate / 600, rate / 80, rate / 60);
    let power = |part: &[f32]| part.iter().map(|sample| sample * sample).sum::<f32>() / part.len() as f32;
    let loudest = samples.chunks(rate / 50).map(power).fold(0.0, f32::max);
    let frame = |at: usize| {
        let frame = samples.get(at.checked_sub(window.midpoint(longest))?..)?.get(..window + longest)?;
        let is_heard = power(frame) > loudest * SOFTEST;
        let period = if is_heard { period(frame, window, shortest..longest, BREATHY) } else { None };
        period.map(|period| rate as f64 / period)
    };
    (from..to).step_by(rate / 200).map(frame).collect()
}

/// The sample at which the last word within some bytes of the text ends.
pub(crate) fn end_of(speech: &Speech, range: &Range<usize>) -> usize {
    let own = speech.words.iter().rfind(|word| word.source.start < range.end);
    own.map_or(speech.samples.len(), |word| word.end_sample as usize)
}

/// How far the pitch moves in the last 250 ms that sound before a sample, in semitones: from the lowest value
/// up to the end, or, where it falls more than 1.5 from the highest value after that, from there down to the
/// end. `None` where less than 60 ms sound.
pub(crate) fn final_rise(speech: &Speech, end: usize) -> Option<f64> {
    let rate = speech.sample_rate_hz as usize;
    // The last word's end may lie in the silence after it.
    let end = (end + rate / 50).min(speech.samples.len());
    let course = fine_course(&speech.samples, rate, end.saturating_sub(rate * 6 / 10), end);
    let voiced = runs(&course);
    let last = voiced.last()?.0;
    let tail: Vec<f64> =
        voiced.iter().filter(|(at, _)| at + 50 > last).map(|(_, semitones)| *semitones).collect();
    // A single wrong value is no movement.
    let smooth: Vec<f64> = tail.windows(5).map(median).collect();
    if smooth.len() < 12 {
        return None;
    }
    let end = *smooth.last()?;
    let lowest = smooth.iter().copied().enumerate().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let highest = smooth[lowest.0..].iter().copied().fold(f64::MIN, f64::max);
    // Where the lowest value is the end, what counts is where the voice came from.
    let top = smooth.iter().copied().fold(f64::MIN, f64::max);
    Some(if lowest.0 + 1 == smooth.len() {
        end - top
    } else if highest - end > 1.5 {
        end - highest
    } else {
        end - lowest.1
    })
}

/// The values of a course, in semitones, with their places, that go on for 25 ms without a jump.
fn runs(course: &[Option<f64>]) -> Vec<(usize, f64)> {
    let mut kept: Vec<(usize, f64)> = Vec::new();
    let mut run: Vec<(usize, f64)> = Vec::new();
    for (at, hertz) in course.iter().chain([&None]).enumerate() {
        let semitones = hertz.map(|hertz| 12.0 * hertz.log2());
        let goes_on = semitones.zip(run.last()).is_some_and(|(now, (_, before))| (now - before).abs() < 2.0);
        if !goes_on {
            if run.len() >= 5 {
                kept.append(&mut run);
            }
            run.clear();
        }
        run.extend(semitones.map(|semitones| (at, semitones)));
    }
    kept
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The longest silence between two words, of which one ends and the other begins at these bytes, in
/// milliseconds: sound 34 dB below the loudest 5 ms.
pub(crate) fn silence_ms(speech: &Speech, ends: usize, begins: usize) -> usize {
    let middle = |at: usize| {
        let words = speech.words.iter().find(|word| word.source.contains(&at)).unwrap_or(&speech.words[0]);
        (words.start_sample as usize).midpoint(words.end_sample as usize)
    };
    let step = speech.sample_rate_hz as usize / 200;
    let power = |part: &[f32]| part.iter().map(|sample| sample * sample).sum::<f32>();
    let loudest = speech.samples.chunks_exact(step).map(power).fold(0.0, f32::max);
    let between = &speech.samples[middle(ends)..middle(begins)];
    let (mut longest, mut run) = (0, 0);
    for part in between.chunks_exact(step) {
        run = if power(part) < loudest * 4e-4 { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest * 5
}
