//! Speech that lasts as long as its text says.
//!
//! How long words last is known once they are said: they are said again at the pace that is missing, until
//! they fit. This holds for every engine that takes a pace.

use std::ops::Range;

use super::{Engine, EngineError, Phases, Speech, Utterance, neural::timing};
use crate::{
    markup,
    spec::{Course, Delivered, Delivery, NarrationSpec},
};

/// So close is close enough.
const CLOSE: f64 = 0.015;

/// The most times that an utterance is said.
const MOST_TAKES: usize = 3;

/// The paces that a voice can be asked for, the speed of the request included.
const PACES: std::ops::RangeInclusive<f64> = 0.5..=2.0;

/// A part of an utterance that is to last a time.
struct Part {
    /// Its bytes in the text.
    range: Range<usize>,
    seconds: f64,
    /// Whether the natural pause after the utterance is a part of that time.
    has_pause: bool,
    /// What was measured: the inverse of a pace, and the seconds at it.
    takes: Vec<(f64, f64)>,
    /// Above the voice's own.
    pace: f64,
}

/// Whether a part of an utterance has a length of its own.
pub(crate) fn is_asked(utterance: &Utterance) -> bool {
    let span = &utterance.span.range;
    let touches = |course: &Course| course.range.start < span.end && span.start < course.range.end;
    utterance.spec.courses.iter().any(|course| course.duration_ms.is_some() && touches(course))
}

/// Says an utterance whose parts have lengths of their own, and which a silence of at least `pause_ms`
/// follows.
///
/// # Errors
/// As [`Engine::say`].
pub(crate) fn say(
    engine: &mut dyn Engine,
    utterance: &Utterance,
    pause_ms: u32,
) -> Result<Speech, EngineError> {
    let mut parts = parts_of(utterance);
    let mut phases = Phases::default();
    let mut take = 0;
    loop {
        let spec = paced(&utterance.spec, &parts).into();
        let mut speech = engine.say(&Utterance { spec, ..utterance.clone() })?;
        phases += speech.phases;
        take += 1;
        let fit: Vec<bool> =
            parts.iter_mut().map(|part| part.measure(&speech, &utterance.spec, pause_ms)).collect();
        if take == MOST_TAKES || fit.into_iter().all(|fits| fits) || utterance.abandoned.is_set() {
            speech.phases = phases;
            return Ok(speech);
        }
    }
}

/// The parts of an utterance with lengths of their own. A length that holds another one says nothing: the
/// inner one does. One that reaches beyond the utterance is shared out by characters.
fn parts_of(utterance: &Utterance) -> Vec<Part> {
    let (text, span) = (&*utterance.spec.text, &utterance.span.range);
    let courses: Vec<(&Course, f64)> = utterance
        .spec
        .courses
        .iter()
        .filter_map(|course| Some((course, f64::from(course.duration_ms?) / 1000.0)))
        .collect();
    let says_something =
        |range: &Range<usize>| text.get(range.clone()).is_some_and(|own| characters(own) > 0);
    let holds_another = |at: usize| {
        let own = &courses[at].0.range;
        courses[at + 1..]
            .iter()
            .any(|(inner, _)| own.contains(&inner.range.start) && says_something(&inner.range))
    };
    let mut parts = Vec::new();
    for (at, (course, seconds)) in courses.iter().enumerate() {
        let range = course.range.start.max(span.start)..course.range.end.min(span.end);
        let (Some(whole), Some(own)) = (text.get(course.range.clone()), text.get(range.clone())) else {
            continue;
        };
        if characters(own) == 0 || holds_another(at) {
            continue;
        }
        let share = characters(own) as f64 / characters(whole).max(1) as f64;
        // Breaks that take all of the time leave the words the pace that is nearest.
        let spoken_s = (seconds - markup::pauses_ms(whole) as f64 / 1000.0).max(0.001);
        let rest = text.get(range.end..course.range.end).unwrap_or_default().trim_start();
        let has_pause =
            !rest.is_empty() && markup::pauses(rest).next().is_none_or(|(pause, _)| pause.start > 0);
        parts.push(Part { range, seconds: spoken_s * share, has_pause, takes: Vec::new(), pace: 1.0 });
    }
    parts
}

/// The characters of a text that are said.
fn characters(text: &str) -> usize {
    markup::plain(text).chars().filter(|c| !c.is_whitespace()).count()
}

impl Part {
    /// Measures what was said, and sets the pace that would make it fit. Whether it fits already, or cannot.
    fn measure(&mut self, speech: &Speech, spec: &NarrationSpec, pause_ms: u32) -> bool {
        let rate_hz = f64::from(speech.sample_rate_hz.max(1));
        let speed = f64::from(spec.speed);
        let kept_s = timing::kept_s(self.pace * speed * f64::from(spec.delivery_at(self.range.start).rate));
        let is_own = |word: &&super::WordTiming| self.range.contains(&word.source.start);
        let mut words = speech.words.iter().filter(is_own);
        let mut seconds = match (words.next(), words.next_back()) {
            (Some(first), last) => {
                let end = last.map_or(first.end_sample, |last| last.end_sample);
                end.saturating_sub(first.start_sample) as f64 / rate_hz
            }
            // Without times of words, an utterance has one pace. With them, no word begins in this part.
            (None, _) if !speech.words.is_empty() => return true,
            (None, _) => speech.samples.len() as f64 / rate_hz - kept_s,
        };
        if self.has_pause {
            let silence = (speech.pause_samples as f64 / rate_hz).max(f64::from(pause_ms) / 1000.0);
            seconds += silence + kept_s;
        }
        if seconds <= 0.0 || self.seconds <= 0.0 {
            return true;
        }
        let inverse = 1.0 / self.pace;
        // A part of the time is silence of fixed length: two takes tell how much.
        let wanted = match self.takes.last() {
            Some((before, said))
                if (inverse - before).abs() > 1e-3 && (seconds - said) / (inverse - before) > 0.0 =>
            {
                inverse + (self.seconds - seconds) * (inverse - before) / (seconds - said)
            }
            _ => inverse * self.seconds / seconds,
        };
        self.takes.push((inverse, seconds));
        let (least, most) = (PACES.start() / speed, PACES.end() / speed);
        let pace = if wanted > 0.0 { (1.0 / wanted).clamp(least, most) } else { most };
        let stays = (pace - self.pace).abs() < 1e-3;
        self.pace = pace;
        stays || (seconds / self.seconds - 1.0).abs() <= CLOSE
    }
}

/// A spec in which each part has its pace.
fn paced(spec: &NarrationSpec, parts: &[Part]) -> NarrationSpec {
    let mut deliveries = spec.deliveries.to_vec();
    for part in parts {
        let (least, most) =
            ((PACES.start() / f64::from(spec.speed)) as f32, (PACES.end() / f64::from(spec.speed)) as f32);
        let pace = part.pace as f32;
        deliveries = changed(&deliveries, &part.range, |delivery| Delivery {
            rate: (delivery.rate * pace).clamp(least, most),
            ..delivery
        });
    }
    NarrationSpec { deliveries: deliveries.into(), ..spec.clone() }
}

/// Stretches in order and apart, with a change of those in a range.
fn changed(
    deliveries: &[Delivered],
    range: &Range<usize>,
    change: impl Fn(Delivery) -> Delivery,
) -> Vec<Delivered> {
    let plain = change(Delivery::default());
    let mut out = Vec::with_capacity(deliveries.len() + 2);
    let mut put = |range: Range<usize>, delivery: Delivery| {
        if !range.is_empty() {
            out.push(Delivered { range, delivery });
        }
    };
    let mut from = range.start;
    for Delivered { range: own, delivery } in deliveries {
        put(own.start..own.end.min(range.start), *delivery);
        let inside = own.start.max(from)..own.end.min(range.end);
        if !inside.is_empty() {
            put(from..inside.start, plain);
            put(inside.clone(), change(*delivery));
            from = inside.end;
        }
        if own.end > range.end {
            put(from..range.end, plain);
            from = from.max(range.end);
            put(own.start.max(range.end)..own.end, *delivery);
        }
    }
    put(from..range.end, plain);
    out.sort_by_key(|one| one.range.start);
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        engines::{Unit, WordTiming},
        front_end::{Pause, Span},
        language::Language,
    };

    /// Says each word in 100 ms and a tenth of a second for each letter, the latter at its pace.
    struct Slow {
        takes: usize,
        has_times: bool,
    }

    impl Engine for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }

        fn unit(&self) -> Unit {
            Unit::Sentence
        }

        fn plan(&self, _: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
            Ok(vec![Span { range: stretch, pause: Pause::Sentence }])
        }

        fn say(&mut self, utterance: &Utterance) -> Result<Speech, EngineError> {
            self.takes += 1;
            let mut timings = Vec::new();
            let mut at = utterance.span.range.start;
            let (mut now, mut kept) = (0.0, 0.0);
            for word in utterance.text().split_inclusive(' ') {
                let pace = utterance.spec.delivery_at(at).rate * utterance.spec.speed;
                let end = now + 0.1 + 0.1 * word.trim().len() as f32 / pace;
                kept = timing::kept_s(f64::from(pace)) as f32;
                let samples_of = |seconds: f32| (seconds * 1000.0) as u64;
                timings.push(WordTiming {
                    source: at..at + word.trim().len(),
                    start_sample: samples_of(now),
                    end_sample: samples_of(end),
                });
                (at, now) = (at + word.len(), end);
            }
            let samples = vec![0.1; ((now + kept) * 1000.0) as usize];
            if !self.has_times {
                timings.clear();
            }
            Ok(Speech {
                samples,
                sample_rate_hz: 1000,
                words: timings,
                pause_samples: 300,
                ..Speech::default()
            })
        }
    }

    const TEXT: &str = "one three [pause 2s]four eleven";

    fn course(range: Range<usize>, duration_ms: u32) -> Course {
        Course { range, contour: Arc::default(), duration_ms: Some(duration_ms) }
    }

    fn said(courses: Vec<Course>, span: Range<usize>, engine: &mut Slow) -> Speech {
        let spec = NarrationSpec {
            courses: courses.into(),
            ..NarrationSpec::new("slow", "any", Language::EN_US, TEXT)
        };
        let utterance = Utterance::new(&Arc::new(spec), Span { range: span, pause: Pause::Sentence });
        assert!(is_asked(&utterance));
        say(engine, &utterance, 0).unwrap()
    }

    /// When each word ends, in seconds, as a word of 3 and one of 5 letters.
    fn ends(courses: Vec<Course>) -> Vec<f64> {
        let speech = said(courses, 0..9, &mut Slow { takes: 0, has_times: true });
        speech.words.iter().map(|word| word.end_sample as f64 / 1000.0).collect()
    }

    // By itself the text lasts 1.0 s: 0.4 s and 0.6 s.
    #[test]
    fn a_sentence_or_a_word_lasts_as_long_as_it_says_with_its_silences() {
        for wanted in [700, 1000, 1300] {
            let whole = ends(vec![course(0..9, wanted)]);
            assert!((whole[1] - f64::from(wanted) / 1000.0).abs() < 0.02, "{whole:?} for {wanted}");
        }
        let word = ends(vec![course(0..3, 600)]);
        assert!((word[0] - 0.6).abs() < 0.01 && (word[1] - word[0] - 0.6).abs() < 0.01, "{word:?}");
    }

    #[test]
    fn no_voice_is_asked_for_more_than_it_can() {
        // 0.2 s are silence; the rest is at most halved or doubled.
        assert!((ends(vec![course(0..9, 100)])[1] - 0.6).abs() < 0.02);
        assert!((ends(vec![course(0..9, 60_000)])[1] - 1.8).abs() < 0.02);
        let mut engine = Slow { takes: 0, has_times: true };
        said(vec![course(0..9, 1000)], 0..9, &mut engine);
        assert_eq!(engine.takes, 1, "what fits is said once");
    }

    #[test]
    fn the_inner_of_two_lengths_counts() {
        let word = ends(vec![course(0..9, 3000), course(4..9, 800)]);
        assert!((word[0] - 0.4).abs() < 0.01 && (word[1] - word[0] - 0.8).abs() < 0.02, "{word:?}");
    }

    #[test]
    fn without_times_of_words_the_samples_count() {
        let speech = said(vec![course(0..9, 1300)], 0..9, &mut Slow { takes: 0, has_times: false });
        assert!(speech.samples.len().abs_diff(1400) < 30, "{}", speech.samples.len());
        // 0.8 s of letters take 0.5 s, and the silence at the ends is as short.
        let speech = said(vec![course(0..9, 700)], 0..9, &mut Slow { takes: 0, has_times: false });
        assert!(speech.samples.len().abs_diff(762) < 15, "{}", speech.samples.len());
    }

    #[test]
    fn a_length_of_several_utterances_is_shared_out_without_the_pauses_of_the_text() {
        // 2.4 s without the pause, of which 8 of 18 letters have their part in the first utterance.
        let whole = course(0..TEXT.len(), 4400);
        let first = said(vec![whole.clone()], 0..9, &mut Slow { takes: 0, has_times: true });
        let second = said(vec![whole], 20..31, &mut Slow { takes: 0, has_times: true });
        let length = |speech: &Speech| speech.words.last().unwrap().end_sample as f64 / 1000.0;
        let both = length(&first) + length(&second);
        // The first utterance's pause of 0.3 s gives way to the one that the text asks for.
        assert!((both - 2.4).abs() < 0.06, "{both}");
    }

    #[test]
    fn only_the_stretches_in_a_range_are_changed() {
        let loud = Delivery { volume_db: 6.0, ..Delivery::default() };
        let own = [Delivered { range: 2..6, delivery: loud }, Delivered { range: 8..10, delivery: loud }];
        let found = changed(&own, &(4..9), |one| Delivery { rate: 0.5, ..one });
        let slow = |delivery: Delivery| Delivery { rate: 0.5, ..delivery };
        let wanted = [
            (2..4, loud),
            (4..6, slow(loud)),
            (6..8, slow(Delivery::default())),
            (8..9, slow(loud)),
            (9..10, loud),
        ];
        let found: Vec<_> = found.into_iter().map(|one| (one.range, one.delivery)).collect();
        assert_eq!(found, wanted);
        assert_eq!(changed(&[], &(1..3), |one| Delivery { rate: 0.5, ..one }).len(), 1);
    }
}
