//! The values of attributes, as SSML 1.1 writes them.

use crate::spec::{Delivery, Pitch, PitchTarget};

/// The longest break.
const LONGEST_BREAK_MS: u32 = 10_000;

/// How long the text of an element may be made to last.
const DURATIONS_MS: std::ops::RangeInclusive<u32> = 50..=300_000;

/// The most points of a contour.
const MOST_TARGETS: usize = 100;

/// The most that a pitch may differ from the voice's own, in semitones.
const MOST_SEMITONES: f32 = 12.0;

/// The lowest and the highest pitch in Hertz that a text may ask for.
const HERTZ: std::ops::RangeInclusive<f32> = 40.0..=600.0;

/// The change of the level, in dB.
const LEVELS_DB: std::ops::RangeInclusive<f32> = -20.0..=10.0;

/// The rate after multiplying with the speed of the request.
const RATES: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// The length of a break, in milliseconds.
pub(super) fn break_ms(value: &str) -> Result<u32, String> {
    let ms = time_ms(value)?;
    if ms > LONGEST_BREAK_MS as f32 {
        return Err(format!("must be at most {} s, not {value}", LONGEST_BREAK_MS / 1000));
    }
    Ok(ms.round() as u32)
}

/// How long the text of an element is to last, in milliseconds.
pub(super) fn duration_ms(value: &str) -> Result<u32, String> {
    // A number beyond the type's becomes its largest.
    let ms = time_ms(value)?.round() as u32;
    if DURATIONS_MS.contains(&ms) {
        return Ok(ms);
    }
    let (least, most) = (DURATIONS_MS.start(), DURATIONS_MS.end() / 1000);
    Err(format!("must be from {least} ms to {most} s, not {value}"))
}

/// A length of time: `500ms`, `1.5s`. The value is milliseconds.
fn time_ms(value: &str) -> Result<f32, String> {
    let wrong = || format!("must be a time such as 500ms or 1.5s, not {value:?}");
    let (number, unit_ms) = match value.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (value.strip_suffix('s').ok_or_else(wrong)?, 1000.0),
    };
    Ok(decimal(number.strip_prefix('+').unwrap_or(number)).ok_or_else(wrong)? * unit_ms)
}

/// The pause of a `strength`, in milliseconds: nothing, less than a comma, a comma, a semicolon, the end
/// of a sentence, the end of a paragraph.
pub(super) fn strength_ms(value: &str) -> Result<u32, String> {
    one_of(
        value,
        &[("none", 0), ("x-weak", 80), ("weak", 160), ("medium", 250), ("strong", 400), ("x-strong", 650)],
    )
}

/// What `rate` makes of a delivery. A percentage sets the rate, a change multiplies it.
pub(super) fn rate(value: &str, from: &mut Delivery, speed: f32) -> Result<(), String> {
    const WORDS: [(&str, f32); 6] =
        [("x-slow", 0.5), ("slow", 0.75), ("medium", 1.0), ("fast", 1.25), ("x-fast", 1.6), ("default", 1.0)];
    let wrong = || format!("must be a percentage such as 80%, or one of: {}; not {value:?}", names(&WORDS));
    from.rate = match (word(value, &WORDS), value.strip_suffix('%')) {
        // A word says what is slow for this voice at this speed; it is never refused.
        (Some(rate), _) => (rate * speed).clamp(*RATES.start(), *RATES.end()) / speed,
        (None, Some(percent)) => match (signed(percent), decimal(percent)) {
            (Some(change), _) => from.rate * (1.0 + change / 100.0),
            (None, Some(percent)) => percent / 100.0,
            (None, None) => return Err(wrong()),
        },
        (None, None) => decimal(value).ok_or_else(wrong)?,
    };
    // A tolerance for what does not divide evenly.
    let said = from.rate * speed;
    if !(RATES.start() - 1e-4..=RATES.end() + 1e-4).contains(&said) {
        let with_speed = if (speed - 1.0).abs() < 1e-6 { "" } else { " after multiplying with `speed`" };
        return Err(format!("must be from 50% to 200%{with_speed}, not {value}"));
    }
    Ok(())
}

/// What `pitch` makes of a delivery.
pub(super) fn pitch(value: &str, from: &mut Delivery) -> Result<(), String> {
    const WORDS: [(&str, f32); 6] =
        [("x-low", -4.0), ("low", -2.0), ("medium", 0.0), ("high", 2.0), ("x-high", 4.0), ("default", 0.0)];
    let wrong = || {
        format!(
            "must be a change such as +3st, -10% or +20Hz, a pitch such as 200Hz, or one of: {}; not {value:?}",
            names(&WORDS),
        )
    };
    if let Some(semitones) = word(value, &WORDS) {
        from.pitch = Pitch { semitones, ..Pitch::default() };
        return Ok(());
    }
    if let Some(hertz) = value.strip_suffix("Hz").or_else(|| value.strip_suffix("hz")) {
        let out_of_range = || format!("must be from {} to {} Hz, not {value}", HERTZ.start(), HERTZ.end());
        match (signed(hertz), decimal(hertz)) {
            (Some(change), _) if change.abs() <= *HERTZ.end() => from.pitch.hertz += change,
            (None, Some(hertz)) if HERTZ.contains(&hertz) => {
                from.pitch = Pitch { base_hertz: Some(hertz), ..Pitch::default() };
            }
            (None, None) => return Err(wrong()),
            _ => return Err(out_of_range()),
        }
        return Ok(());
    }
    let semitones = match (value.strip_suffix("st"), value.strip_suffix('%')) {
        (Some(semitones), _) => signed(semitones).ok_or_else(wrong)?,
        (None, Some(percent)) => {
            let factor = 1.0 + signed(percent).ok_or_else(wrong)? / 100.0;
            if factor <= 0.0 { f32::NEG_INFINITY } else { factor.log2() * 12.0 }
        }
        (None, None) => return Err(wrong()),
    };
    from.pitch.semitones += semitones;
    if from.pitch.semitones.abs() > MOST_SEMITONES {
        return Err(format!("must be within {MOST_SEMITONES} semitones of the voice's own, not {value}"));
    }
    Ok(())
}

/// The points of a `contour`, in the order of their time: `(0%,+20Hz) (50%,-2st)`. Changes are those of the
/// pitch around the element. Points before the start and after the end say nothing.
pub(super) fn contour(value: &str, around: Delivery) -> Result<Vec<PitchTarget>, String> {
    let wrong = || format!("must be points such as (0%,+20Hz) (50%,-2st), not {value:?}");
    let mut targets = Vec::new();
    let mut rest = value.trim();
    while !rest.is_empty() {
        let (point, after) =
            rest.strip_prefix('(').and_then(|open| open.split_once(')')).ok_or_else(wrong)?;
        let (place, target) = point.split_once(',').ok_or_else(wrong)?;
        let percent = place.trim().strip_suffix('%').ok_or_else(wrong)?;
        let at = decimal(percent).or_else(|| signed(percent)).ok_or_else(wrong)? / 100.0;
        let mut delivery = around;
        pitch(target.trim(), &mut delivery).map_err(|why| format!("at {} {why}", place.trim()))?;
        if (0.0..=1.0).contains(&at) {
            targets.push(PitchTarget { at, pitch: delivery.pitch });
        }
        if targets.len() > MOST_TARGETS {
            return Err(format!("may have {MOST_TARGETS} points"));
        }
        rest = after.trim_start();
    }
    if targets.is_empty() {
        return Err(wrong());
    }
    targets.sort_by(|a, b| a.at.total_cmp(&b.at));
    Ok(targets)
}

/// What `range` makes of a delivery: how far the pitch moves, compared with what the voice does.
pub(super) fn range(value: &str, from: &mut Delivery) -> Result<(), String> {
    const WORDS: [(&str, f32); 6] =
        [("x-low", 0.3), ("low", 0.6), ("medium", 1.0), ("high", 1.4), ("x-high", 1.8), ("default", 1.0)];
    let wrong = || format!("must be a change such as +20%, or one of: {}; not {value:?}", names(&WORDS));
    from.range = if let Some(range) = word(value, &WORDS) {
        range
    } else {
        let percent = value.strip_suffix('%').and_then(signed).ok_or_else(wrong)?;
        from.range * (1.0 + percent / 100.0)
    };
    let limits = 0.0..=2.0;
    if limits.contains(&from.range) {
        Ok(())
    } else {
        Err(format!("must be from -100% to +100%, not {value}"))
    }
}

/// What `volume` makes of a delivery.
pub(super) fn volume(value: &str, from: &mut Delivery) -> Result<(), String> {
    const WORDS: [(&str, f32); 7] = [
        ("silent", f32::NEG_INFINITY),
        ("x-soft", -12.0),
        ("soft", -6.0),
        ("medium", 0.0),
        ("loud", 4.0),
        ("x-loud", 8.0),
        ("default", 0.0),
    ];
    if let Some(level) = word(value, &WORDS) {
        from.volume_db = level;
        return Ok(());
    }
    let wrong =
        || format!("must be a change such as +6dB or -3dB, or one of: {}; not {value:?}", names(&WORDS));
    from.volume_db += value.strip_suffix("dB").and_then(signed).ok_or_else(wrong)?;
    if from.volume_db != f32::NEG_INFINITY && !LEVELS_DB.contains(&from.volume_db) {
        return Err(format!("must be from {}dB to +{}dB, not {value}", LEVELS_DB.start(), LEVELS_DB.end()));
    }
    Ok(())
}

/// What `emphasis` makes of a delivery: how slow, high, lively and loud.
pub(super) fn emphasis(level: &str, from: &mut Delivery) -> Result<(), String> {
    let (rate, semitones, range, volume_db) = one_of(
        level,
        &[
            ("strong", (0.85, 1.5, 1.35, 2.5)),
            ("moderate", (0.92, 0.8, 1.2, 1.5)),
            ("none", (1.0, 0.0, 1.0, 0.0)),
            ("reduced", (1.1, -0.5, 0.7, -2.0)),
        ],
    )?;
    from.rate *= rate;
    from.pitch.semitones = (from.pitch.semitones + semitones).clamp(-MOST_SEMITONES, MOST_SEMITONES);
    from.range = (from.range * range).min(2.0);
    from.volume_db = (from.volume_db + volume_db).min(*LEVELS_DB.end());
    Ok(())
}

/// The value of one of these words.
pub(super) fn one_of<T: Copy>(value: &str, words: &[(&str, T)]) -> Result<T, String> {
    word(value, words).ok_or_else(|| format!("must be one of: {}; not {value:?}", names(words)))
}

fn word<T: Copy>(value: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(name, _)| *name == value).map(|(_, meaning)| *meaning)
}

fn names<T>(words: &[(&str, T)]) -> String {
    words.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// A number without a sign: `12`, `1.5`, `.5`.
fn decimal(text: &str) -> Option<f32> {
    let is_plain = text.len() <= 12
        && text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|_| is_plain)
}

/// A number with its sign: `+3`, `-1.5`.
fn signed(text: &str) -> Option<f32> {
    match text.strip_prefix('+') {
        Some(number) => decimal(number),
        None => decimal(text.strip_prefix('-')?).map(|number| -number),
    }
}
