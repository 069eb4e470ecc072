//! Where the utterances of a request lie, and the silence that its placed pauses, and pauses in its
//! text, put between them.
//!
//! An engine plans each stretch between two of them by itself, so no utterance spans one. Nothing
//! is said here.

use std::ops::Range;

use super::costs;
use crate::{
    engines::{AskedPauses, Engine, EngineError, Unit},
    front_end::{Span, may_be_said},
    markup,
    spec::NarrationSpec,
};

/// Engines of long passages hear about placed pauses from here on: a server that is sent whole
/// paragraphs pauses between them by itself, and a request for each line of a dialogue would cost
/// more than it gives.
const HEARD_BY_PASSAGES_MS: u32 = 700;

/// An utterance to say.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    pub(super) span: Span,
    /// The least silence after it, in milliseconds.
    pub(super) pause_ms: u32,
    /// The silences that the text itself asks for.
    pub(super) asked: AskedPauses,
    /// What it costs, by `costs::weight`.
    pub(super) weight: f64,
}

/// Where a text is cut: what stands there is not said.
struct Cut {
    range: Range<usize>,
    kind: CutKind,
}

enum CutKind {
    Placed(u32),
    Asked(u32),
}

/// Cuts a text into utterances. Places in no order, beyond the text or inside a character are taken
/// for what they can mean: the nearest place before.
///
/// # Errors
/// The engine's.
pub(super) fn plan(engine: &dyn Engine, spec: &NarrationSpec) -> Result<Vec<Planned>, EngineError> {
    let text = &*spec.text;
    let (least_ms, passages) = match engine.unit() {
        Unit::Sentence => (0, false),
        Unit::Passage(_) => (HEARD_BY_PASSAGES_MS, true),
    };
    let mut planned: Vec<Planned> = Vec::new();
    let mut start = 0;
    // What is asked for before anything is said.
    let mut first_ms = 0;
    let end = Cut { range: text.len()..text.len(), kind: CutKind::Placed(0) };
    let mut cuts = cuts(text, spec, least_ms);
    if engine.has_one_delivery() {
        let own = spec.deliveries.iter().map(|one| &one.range);
        let lasting = spec.courses.iter().filter(|one| one.duration_ms.is_some()).map(|one| &one.range);
        let ends = own.chain(lasting).flat_map(|range| [range.start, range.end]);
        cuts.extend(ends.map(|at| Cut { range: at..at, kind: CutKind::Placed(0) }));
        cuts.sort_by_key(|cut| cut.range.start);
    }
    for cut in cuts.into_iter().chain([end]) {
        let stretch = start..cut.range.start.max(start);
        if !is_own(spec, &stretch) {
            start = cut.range.end.max(start);
            continue;
        }
        // A passage is a request to somebody's server: a lone mark between two pauses is not worth
        // one, and may fail.
        let says_something = |span: &Span| !passages || may_be_said(&text[span.range.clone()]);
        let spans = engine.plan(text, stretch, spec.language)?.into_iter().filter(says_something);
        planned.extend(spans.map(|span| {
            let weight = costs::weight(spec, &text[span.range.clone()]);
            Planned { span, pause_ms: 0, asked: AskedPauses::default(), weight }
        }));
        // A stretch that says nothing leaves its pause to what was said before it: of placed ones
        // the longest counts, pauses that were asked for add up.
        match (planned.last_mut(), cut.kind) {
            (Some(last), CutKind::Placed(ms)) => last.pause_ms = last.pause_ms.max(ms),
            (Some(last), CutKind::Asked(ms)) => {
                last.asked.after_ms = last.asked.after_ms.saturating_add(ms);
                last.asked.exact = spec.exact_pauses;
            }
            (None, CutKind::Asked(ms)) => first_ms = u32::saturating_add(first_ms, ms),
            (None, CutKind::Placed(_)) => {}
        }
        start = cut.range.end.max(start);
    }
    if let Some(first) = planned.first_mut() {
        first.asked.before_ms = first_ms;
    }
    Ok(planned)
}

/// Whether a stretch between two cuts is for this voice.
fn is_own(spec: &NarrationSpec, stretch: &Range<usize>) -> bool {
    let holds = |own: &Range<usize>| own.start <= stretch.start && stretch.end <= own.end;
    spec.stretches.is_empty() || spec.stretches.iter().any(holds)
}

/// The places to cut at, in order: pauses placed there of at least `least_ms`, the pauses in the text, and
/// the ends of what this voice says.
fn cuts(text: &str, spec: &NarrationSpec, least_ms: u32) -> Vec<Cut> {
    let placed = spec.pauses.iter().filter(|pause| pause.pause_ms >= least_ms).map(|pause| {
        // Places that come with voices are exact: the white space behind one is another voice's.
        let at = if spec.exact_pauses { pause.at } else { after_space(text, pause.at) };
        Cut { range: at..at, kind: CutKind::Placed(pause.pause_ms) }
    });
    let asked = markup::pauses(text).map(|(range, ms)| Cut { range, kind: CutKind::Asked(ms) });
    let ends = spec.stretches.iter().flat_map(|own| [own.start, own.end]);
    let ends = ends.map(|at| Cut { range: at..at, kind: CutKind::Placed(0) });
    // A pause that ends where the next voice begins belongs to the voice before.
    let mut cuts: Vec<Cut> = placed.chain(asked).chain(ends).collect();
    cuts.sort_by_key(|cut| cut.range.start);
    cuts
}

/// The place after the white space at `at`: the stretch before keeps it, for a heading is known by
/// the empty line below it. Not inside markup.
fn after_space(text: &str, at: usize) -> usize {
    let at = markup::outside(text, text.floor_char_boundary(at));
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::{Speech, Utterance},
        front_end::Pause,
        language::Language,
        spec::PauseAt,
    };

    /// Says whatever stands between two full stops, in units that the test chooses.
    struct Stops(Unit);

    impl Engine for Stops {
        fn name(&self) -> &'static str {
            "stops"
        }

        fn unit(&self) -> Unit {
            self.0
        }

        fn plan(&self, text: &str, stretch: Range<usize>, _: Language) -> Result<Vec<Span>, EngineError> {
            let mut at = stretch.start;
            let ranges = text[stretch].split_inclusive('.').map(|piece| {
                at += piece.len();
                at - piece.trim_start().len()..at - (piece.len() - piece.trim_end().len())
            });
            let said = ranges.filter(|range| range.start < range.end);
            Ok(said.map(|range| Span { range, pause: Pause::Sentence }).collect())
        }

        fn say(&mut self, _: &Utterance) -> Result<Speech, EngineError> {
            Err(EngineError::Failed("this engine only plans".to_owned()))
        }
    }

    fn plan_of(unit: Unit, text: &str, pauses: &[PauseAt]) -> Vec<Planned> {
        let spec = NarrationSpec {
            pauses: pauses.into(),
            ..NarrationSpec::new("stops", "any", Language::EN_US, text)
        };
        plan(&Stops(unit), &spec).unwrap()
    }

    fn planned(unit: Unit, text: &str, pauses: &[(usize, u32)]) -> Vec<(String, u32)> {
        let pauses: Vec<PauseAt> = pauses.iter().map(|&(at, pause_ms)| PauseAt { at, pause_ms }).collect();
        let planned = plan_of(unit, text, &pauses).into_iter();
        planned.map(|piece| (text[piece.span.range].to_owned(), piece.pause_ms)).collect()
    }

    fn pairs(pieces: &[(&str, u32)]) -> Vec<(String, u32)> {
        pieces.iter().map(|(text, pause)| ((*text).to_owned(), *pause)).collect()
    }

    #[test]
    fn no_utterance_spans_a_placed_pause_and_its_silence_comes_after_the_one_before() {
        let text = "One\n\nTwo. Three. Four";
        for at in 3..=5 {
            let wanted = pairs(&[("One", 800), ("Two.", 0), ("Three.", 0), ("Four", 0)]);
            assert_eq!(planned(Unit::Sentence, text, &[(at, 800)]), wanted, "pause at {at}");
        }
        assert_eq!(planned(Unit::Sentence, text, &[]).len(), 3, "without the pause the first two are one");
    }

    #[test]
    fn of_placed_pauses_with_nothing_said_between_them_the_longest_counts() {
        let text = "One.\n\n. .\n\nTwo.";
        let pauses = [(6, 600), (11, 1500), (11, 900)];
        let said = planned(Unit::Sentence, "One. \n \n Two.", &[(5, 600), (7, 1500), (9, 900)]);
        assert_eq!(said, pairs(&[("One.", 1500), ("Two.", 0)]));
        assert_eq!(planned(Unit::Sentence, text, &pauses).last().map(|last| last.1), Some(0));
    }

    #[test]
    fn places_that_make_no_sense_do_no_harm() {
        let text = "é. Two. Three.";
        let odd = [(usize::MAX, 9), (1, 5), (0, 7), (8, 3), (4, 2)];
        let said = planned(Unit::Sentence, text, &odd);
        let words: String = said.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(words.replace(' ', ""), "é.Two.Three.");
        assert!(planned(Unit::Sentence, "", &odd).is_empty());
    }

    #[test]
    fn an_engine_of_passages_is_told_of_long_pauses_only() {
        let text = "One\n\nTwo\n\nThree";
        let said = planned(Unit::Passage(4000), text, &[(5, 600), (10, 1500)]);
        assert_eq!(said, pairs(&[("One\n\nTwo", 1500), ("Three", 0)]));
    }

    // Negative control: without `may_be_said`, there were requests for "”." and "–", too.
    #[test]
    fn an_engine_of_passages_is_not_asked_for_marks_alone() {
        let said =
            planned(Unit::Passage(4000), "“He stopped [pause 1s]”. [pause 1s] – [pause 1s]Then on.", &[]);
        assert_eq!(said, pairs(&[("“He stopped", 0), ("Then on.", 0)]));
    }

    // Negative control: with `+=` this panicked.
    #[test]
    fn pauses_of_more_than_any_number_do_not_overflow() {
        let text = format!("One.{}", "[pause 10s]".repeat(430_000));
        assert_eq!(asked(&text, &[]), [("One.".to_owned(), 0, u32::MAX, 0)]);
    }

    fn asked(text: &str, pauses: &[PauseAt]) -> Vec<(String, u32, u32, u32)> {
        let planned = plan_of(Unit::Sentence, text, pauses).into_iter();
        let pieces = planned.map(
            |Planned { span, pause_ms, asked: AskedPauses { before_ms, after_ms, .. }, .. }| {
                (text[span.range].to_owned(), before_ms, after_ms, pause_ms)
            },
        );
        pieces.collect()
    }

    #[test]
    fn pauses_in_the_text_are_cut_out_and_add_up() {
        let text = "[pause 1s] One [pause 2s][pause 300ms] two. [pause 1s] . [pause 1s] Three.[pause 4s]";
        let wanted =
            [("One", 1000, 2300, 0), ("two.", 0, 1000, 0), (".", 0, 1000, 0), ("Three.", 0, 4000, 0)];
        let wanted = wanted.map(|(text, before, after, pause)| (text.to_owned(), before, after, pause));
        assert_eq!(asked(text, &[]), wanted);
        assert_eq!(asked("[pause 1s] [pause 2s]", &[]), []);
    }

    #[test]
    fn a_placed_pause_and_one_in_the_text_at_one_place_both_count() {
        let text = "One\n\n[pause 2s]\n\nTwo";
        let pauses = [PauseAt { at: 3, pause_ms: 600 }, PauseAt { at: 15, pause_ms: 700 }];
        let wanted = [("One", 0, 2000, 700), ("Two", 0, 0, 0)];
        assert_eq!(
            asked(text, &pauses),
            wanted.map(|(text, before, after, pause)| (text.to_owned(), before, after, pause))
        );
    }
}
