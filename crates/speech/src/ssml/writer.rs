//! From the pieces of a text in SSML to a script.

use std::{fmt::Write as _, ops::Range};

use super::pieces::{Content, CourseOfPieces, Piece, Ssml};
use crate::{
    front_end::Pause,
    language::Language,
    markup,
    script::{JOINER, MarkAt, Script, Segment, Turn, pronounced, without_markup},
    spec::{Course, Delivered, Delivery, InLanguage, PauseAt},
};

impl Ssml {
    /// The script of a text, whose own voice speaks one language and the voices that it names others.
    pub fn script(&self, own: Language, voices: &[Language]) -> Script {
        let mut writer = Writer {
            ssml: self,
            voice: None,
            own,
            voices,
            script: Script::default(),
            since_end: 0,
            after_say_as: false,
        };
        writer.script.segments = Some(Vec::new());
        writer.script.has_exact_pauses = true;
        let mut starts = Vec::with_capacity(self.pieces.len() + 1);
        for piece in &self.pieces {
            writer.part_say_as(piece);
            starts.push(writer.script.text.len());
            writer.piece(piece);
        }
        starts.push(writer.script.text.len());
        writer.script.courses =
            self.courses.iter().filter_map(|course| course.of(&writer.script.text, &starts)).collect();
        writer.script
    }
}

impl CourseOfPieces {
    /// The same of a script, in which each piece begins at one of `starts`; `None` without any text.
    fn of(&self, text: &str, starts: &[usize]) -> Option<Course> {
        let range = *starts.get(self.pieces.start)?..*starts.get(self.pieces.end)?;
        let own = &text[range.clone()];
        let start = range.start + own.len() - own.trim_start().len();
        let end = start + own.trim().len();
        let (contour, duration_ms) = (self.contour.as_slice().into(), self.duration_ms);
        (start < end).then_some(Course { range: start..end, contour, duration_ms })
    }
}

struct Writer<'a> {
    ssml: &'a Ssml,
    /// The voice of the piece that is written.
    voice: Option<usize>,
    own: Language,
    voices: &'a [Language],
    script: Script,
    /// Where the current sentence or paragraph began in the script.
    since_end: usize,
    /// Nothing but white space follows the last `say-as` so far.
    after_say_as: bool,
}

impl Writer<'_> {
    fn piece(&mut self, piece: &Piece) {
        let style = self.ssml.styles[piece.style];
        let (voice, language) = self.languages_of(piece);
        let from = self.script.text.len();
        self.voice = style.voice;
        match &piece.content {
            Content::Text(text) => self.plain(text, piece),
            Content::Instead { read, shown } => self.instead(&without_markup(read), shown.clone(), piece),
            Content::SayAs { text, kind, format } => {
                let read = kind.rewrite(&without_markup(text), format.as_deref(), language);
                self.instead(&read, text.clone(), piece);
            }
            Content::Phoneme { text, ipa } => self.instead(&pronounced(text, ipa), text.clone(), piece),
            Content::Break { ms } => self.pause(*ms),
            Content::End(pause) => self.end(*pause, language),
            Content::Mark(name) => {
                let mark = MarkAt { name: name.clone(), at: from, before_pause: false };
                self.script.marks.push(mark);
            }
        }
        let range = from..self.script.text.len();
        if range.is_empty() {
            return;
        }
        if matches!(piece.content, Content::Break { .. }) {
            return self.lengthen_turn(style.voice, range.end);
        }
        self.turn(style.voice, range.clone());
        if !language.is_same(voice) || (style.language.is_some() && language != voice) {
            self.language(range.clone(), language);
        }
        let bleep = matches!(&piece.content, Content::SayAs { kind, .. } if kind.is_covered());
        let delivery = Delivery { bleep, ..style.delivery };
        if delivery != Delivery::default() {
            self.delivery(range, delivery);
        }
    }

    /// The language of the voice of a piece, and the one that it is read in.
    fn languages_of(&self, piece: &Piece) -> (Language, Language) {
        let style = self.ssml.styles[piece.style];
        let voice = style.voice.and_then(|voice| self.voices.get(voice)).copied().unwrap_or(self.own);
        (voice, style.language.or(self.ssml.language).unwrap_or(voice))
    }

    /// Keeps what has a `say-as` of its own apart from another one, and from a number beside it, before the latter's piece
    /// begins: `4` and then `1/3` are not four and a third, `5` and then the characters `kg` are no weight.
    fn part_say_as(&mut self, piece: &Piece) {
        let (next, is_say_as) = match &piece.content {
            Content::Text(text) | Content::Instead { read: text, .. } => (text.as_str(), false),
            Content::SayAs { text, .. } => (text.as_str(), true),
            _ => return,
        };
        let was_say_as = self.after_say_as;
        self.after_say_as = is_say_as || (was_say_as && next.trim().is_empty());
        if !(is_say_as || was_say_as) {
            return;
        }
        let before = self.script.text.trim_end();
        let sound = |c: Option<char>| {
            c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '°' | ']' | '\'' | '"'))
        };
        let ends_number = before.ends_with(char::is_numeric);
        let start = next.trim_start();
        let starts_number =
            start.trim_start_matches(['-', '−', '+', '$', '€', '£', '¥']).starts_with(char::is_numeric);
        let touches =
            ends_number && starts_number || is_say_as && was_say_as && sound(before.chars().next_back());
        // "12" and then the characters "km".
        let is_unit = ends_number && is_say_as && start.starts_with(char::is_alphabetic);
        if (touches || is_unit) && !start.is_empty() {
            self.script.text.push_str(match self.languages_of(piece).1.primary() {
                "ja" | "zh" => "、",
                _ => ", ",
            });
        } else if is_say_as && starts_number && self.script.text.ends_with(['.', ',', ':', '/']) {
            // `4,` and then `500` are two numbers.
            self.script.text.push(' ');
        }
    }

    /// Text as it was sent. Line breaks mean nothing in XML.
    fn plain(&mut self, text: &str, piece: &Piece) {
        let mut from = 0;
        for found in markup::find(text) {
            let at = match found.kind {
                markup::Kind::Pause { .. } | markup::Kind::Speaker { .. } => found.range.start + 1,
                markup::Kind::Pronunciation { word, .. } => word.end + 1,
            };
            self.exact(text, from..at, piece);
            self.script.text.push(JOINER);
            from = at;
        }
        self.exact(text, from..text.len(), piece);
    }

    fn exact(&mut self, text: &str, part: Range<usize>, piece: &Piece) {
        let start = self.script.text.len();
        let written =
            text[part.clone()].chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c });
        self.script.text.extend(written);
        let source = piece.source.start + part.start..piece.source.start + part.end;
        self.segment(start, source, true, String::new(), 0);
    }

    fn instead(&mut self, read: &str, shown: String, piece: &Piece) {
        let start = self.script.text.len();
        self.script.text.push_str(read);
        self.segment(start, piece.source.clone(), false, shown, piece.paid);
    }

    fn segment(&mut self, start: usize, source: Range<usize>, is_exact: bool, shown: String, paid: u32) {
        let range = start..self.script.text.len();
        if let (false, Some(segments)) = (range.is_empty(), &mut self.script.segments) {
            let voice = self.voice;
            segments.push(Segment { range, source, is_exact, shown, paid, voice });
        }
    }

    fn pause(&mut self, ms: u32) {
        let said = self.script.text.trim_end();
        // Nothing to leave out, and a cut would end the melody.
        if ms == 0 && !ends_with_stop(said) {
            return;
        }
        let before = said.len();
        for mark in self.script.marks.iter_mut().rev().take_while(|mark| mark.at >= before) {
            mark.before_pause = true;
        }
        let _ = write!(self.script.text, " [pause {ms}ms] ");
    }

    /// Ends a sentence or a paragraph, if anything was said in it.
    fn end(&mut self, pause: Pause, language: Language) {
        let since = &self.script.text[self.since_end..];
        if !since.contains(char::is_alphanumeric) {
            if let (Some(last), true) = (self.script.pauses.last_mut(), since.trim().is_empty()) {
                last.pause_ms = last.pause_ms.max(pause.ms());
            }
            return;
        }
        if !ends_with_stop(markup::plain(since).trim_end()) {
            self.script.text.push_str(match language.primary() {
                "ja" | "zh" => "。",
                "hi" => "।",
                _ => ".",
            });
        }
        self.script.text.push_str(if pause == Pause::Paragraph { "\n\n" } else { "\n" });
        let at = self.script.text.len();
        self.script.pauses.push(PauseAt { at, pause_ms: pause.ms() });
        self.since_end = at;
    }

    fn turn(&mut self, voice: Option<usize>, range: Range<usize>) {
        match self.script.turns.last_mut() {
            Some(last) if last.voice == voice => last.range.end = range.end,
            // White space is nobody's: a turn of nothing else would part a pause from what it follows.
            Some(last) if self.script.text[range.clone()].trim().is_empty() => last.range.end = range.end,
            // A pause that nobody's words stand before is that of the first voice.
            Some(last) if markup::plain(&self.script.text[last.range.clone()]).trim().is_empty() => {
                *last = Turn { voice, range: last.range.start..range.end };
            }
            _ => self.script.turns.push(Turn { voice, range }),
        }
    }

    /// Adds a pause to the turn before it, whichever element it stands in.
    fn lengthen_turn(&mut self, voice: Option<usize>, end: usize) {
        match self.script.turns.last_mut() {
            Some(last) => last.range.end = end,
            None => self.script.turns.push(Turn { voice, range: 0..end }),
        }
    }

    fn language(&mut self, range: Range<usize>, language: Language) {
        match self.script.marked.last_mut() {
            Some(last) if last.language == language && last.range.end == range.start => {
                last.range.end = range.end;
            }
            _ => self.script.marked.push(InLanguage { range, language }),
        }
    }

    fn delivery(&mut self, range: Range<usize>, delivery: Delivery) {
        match self.script.deliveries.last_mut() {
            Some(last) if last.delivery == delivery && last.range.end == range.start => {
                last.range.end = range.end;
            }
            _ => self.script.deliveries.push(Delivered { range, delivery }),
        }
    }
}

/// Whether a text ends with a mark that ends a sentence or a part of one.
fn ends_with_stop(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '’', '\'', ')', '»', '」', '』']);
    text.ends_with(['.', '!', '?', '…', ':', ';', ',', '—', '。', '！', '？', '、', '，', '：', '；', '।'])
}
