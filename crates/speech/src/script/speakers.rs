//! Lines `[speaker NAME]`: who speaks from there on.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::{Script, Turn};
use crate::markup::{self, Kind};

impl Script {
    /// A text without elements, whose lines `[speaker NAME]` switch to the voice that `voice_of` gives for the
    /// name. Names without one, and what stands before the first, are the text's own voice's.
    pub fn with_speakers(text: impl Into<String>, voice_of: impl Fn(&str) -> Option<usize>) -> Self {
        Self::with_speakers_from(text, None, voice_of)
    }

    /// The same of a text that another one came before, which left this voice speaking.
    pub fn with_speakers_from(
        text: impl Into<String>,
        first: Option<usize>,
        voice_of: impl Fn(&str) -> Option<usize>,
    ) -> Self {
        let text = text.into();
        let mut turns: Vec<Turn> = Vec::new();
        let mut put = |voice: Option<usize>, range: Range<usize>| {
            if !text[range.clone()].trim().is_empty() {
                turns.push(Turn { voice, range });
            }
        };
        let (mut from, mut voice) = (0, first);
        for found in markup::find(&text) {
            if let Kind::Speaker { name } = found.kind {
                put(voice, from..found.range.start);
                voice = voice_of(&text[name]);
                from = found.range.end;
            }
        }
        put(voice, from..text.len());
        Self { text, turns, ..Self::default() }
    }
}

impl Script {
    /// A text without elements, some stretches of which have a voice of their own: places in order and apart,
    /// and the index of the voice. Lines `[speaker NAME]` are not said.
    pub fn with_stretches(text: impl Into<String>, stretches: &[(Range<usize>, usize)]) -> Self {
        let Self { text, turns: said, .. } = Self::with_speakers(text, |_| None);
        let mut turns: Vec<Turn> = Vec::new();
        let mut put = |voice: Option<usize>, range: Range<usize>| {
            if text[range.clone()].trim().is_empty() {
                return;
            }
            match turns.last_mut() {
                Some(last) if last.voice == voice && last.range.end == range.start => {
                    last.range.end = range.end;
                }
                _ => turns.push(Turn { voice, range }),
            }
        };
        for Turn { range, .. } in said {
            let mut from = range.start;
            for (stretch, voice) in stretches {
                let (start, end) = (stretch.start.clamp(from, range.end), stretch.end.min(range.end));
                if start < end && text.is_char_boundary(start) && text.is_char_boundary(end) {
                    put(None, from..start);
                    put(Some(*voice), start..end);
                    from = end;
                }
            }
            put(None, from..range.end);
        }
        Self { text, turns, ..Self::default() }
    }

    /// The stretches of a text that lines `[speaker NAME]` give to a name, in order. Only the first `most`
    /// names count.
    pub fn stretches_by_name(text: &str, most: usize) -> Vec<(Range<usize>, String)> {
        let mut names = speakers(text);
        names.truncate(most);
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let script = Self::with_speakers(text, |name| places.get(name).copied());
        let turns = script.turns.into_iter().filter_map(|turn| Some((turn.range, names.get(turn.voice?)?)));
        turns.map(|(range, name)| (range, (*name).to_owned())).collect()
    }
}

/// The names of the speakers of a text, in the order of their first line.
pub fn speakers(text: &str) -> Vec<&str> {
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for found in markup::find(text) {
        if let Kind::Speaker { name } = found.kind
            && known.insert(&text[name.clone()])
        {
            names.push(&text[name]);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_switch_to_the_voices_of_their_names() {
        let text = "It was late.\n[speaker Ines]\nHello.\n[speaker Tom]\nAye.\n[speaker Ines]\nBye.";
        assert_eq!(speakers(text), ["Ines", "Tom"]);
        let script = Script::with_speakers(text, |name| (name == "Ines").then_some(0));
        let turns: Vec<(Option<usize>, &str)> =
            script.turns.iter().map(|turn| (turn.voice, script.text[turn.range.clone()].trim())).collect();
        assert_eq!(turns, [(None, "It was late."), (Some(0), "Hello."), (None, "Aye."), (Some(0), "Bye.")]);
        let by_name = Script::stretches_by_name(text, 9);
        let by_name: Vec<(&str, &str)> =
            by_name.iter().map(|(range, name)| (name.as_str(), text[range.clone()].trim())).collect();
        assert_eq!(by_name, [("Ines", "Hello."), ("Tom", "Aye."), ("Ines", "Bye.")]);
        assert_eq!(Script::stretches_by_name(text, 1).len(), 2, "Tom's is nobody's");
        // The lines cost nothing; the ends of lines stand in the text.
        assert_eq!(script.paid_by_voice(1), [13 + 1 + 4 + 1, 8 + 5]);
    }

    #[test]
    fn stretches_have_voices_of_their_own() {
        let text = "“Yes,” said Ines.\n[speaker Tom]\n“No,” said Tom.";
        let place = |part: &str| {
            let at = text.find(part).unwrap();
            at..at + part.len()
        };
        let script = Script::with_stretches(text, &[(place("“Yes,”"), 0), (place("“No,”"), 1)]);
        let turns: Vec<(Option<usize>, &str)> =
            script.turns.iter().map(|turn| (turn.voice, script.text[turn.range.clone()].trim())).collect();
        assert_eq!(
            turns,
            [(Some(0), "“Yes,”"), (None, "said Ines."), (Some(1), "“No,”"), (None, "said Tom.")]
        );
        // A place that cannot be in the text changes nothing.
        let wrong = Script::with_stretches("é", &[(1..2, 0), (5..9, 0)]);
        assert_eq!(wrong.turns, [Turn { voice: None, range: 0..2 }]);
    }
}
