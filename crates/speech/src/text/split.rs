//! Sentences: where a text may be cut so that each piece is said in one breath. Lines and paragraphs first
//! (headings, list items, scene breaks), then full stops that end something, then, in what is still too long,
//! clauses and phrases. Nothing is reworded here. Everything is one pass over the text, with bounded looks to either side.

use std::ops::Range;

use super::{
    Pause, Piece,
    normalise::emoji,
    stops::{self, Verdict},
};
use crate::markup;

/// A sentence that costs more characters than this is cut; no piece is longer, but for a word with its pronunciation.
pub(super) const WISHED: usize = 350;

/// From so many digits in a row on, each is read alone, and costs as much as the word it becomes.
const FLOOD: usize = 12;
const DIGIT_COST: usize = 5;

/// A heading has at most so many characters.
const HEADING: usize = 90;

/// A line that was broken to fit a page has at least so many characters.
const WRAPPED: usize = 45;

/// How many blank lines may stand before a scene break that is looked for.
const LINES_AHEAD: usize = 8;

/// Finds the place to cut a stretch without marks at, if it has one: at most so many bytes from its start.
pub(super) type PhraseCut<'a> = &'a dyn Fn(&str, usize) -> Option<usize>;

/// Cuts a text into pieces, in order.
pub(super) fn split(text: &str, phrase: PhraseCut<'_>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for block in blocks(text) {
        let first = pieces.len();
        if block.scene_break {
            if let Some(last) = pieces.last_mut() {
                last.pause = Pause::Section;
            }
            continue;
        }
        for sentence in sentences(text, block.range.clone(), block.heading) {
            cut_long(text, sentence, phrase, &mut pieces);
        }
        if let Some(last) = pieces[first..].last_mut() {
            last.pause = block.pause;
        }
    }
    pieces
}

/// The pause after a piece that is given as a bare range.
pub(super) fn pause_after(text: &str, range: &Range<usize>) -> Pause {
    let rest = &text[range.end..];
    // A pause that was asked for stands where nothing does.
    let asked = markup::leading_pauses(rest);
    let rest =
        if rest[..asked].contains('[') && !rest[..asked].contains('\n') { &rest[asked..] } else { rest };
    let mut lines = rest.split('\n');
    let (here, next) = (lines.next(), lines.next());
    let next_text =
        next.filter(|next| !is_blank(next)).or_else(|| lines.take(LINES_AHEAD).find(|line| !is_blank(line)));
    if here.is_some_and(|rest_of_line| !is_blank(rest_of_line)) {
        return pause_inside_line(&text[range.clone()]);
    }
    let line_start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let is_whole_line = is_blank(&text[line_start..range.start]) || text[line_start..].starts_with('#');
    match next {
        _ if next_text.is_some_and(is_scene_break) => Pause::Section,
        Some(next) if !is_blank(next) => {
            if is_whole_line && text[line_start..].starts_with('#') {
                Pause::Heading
            } else {
                Pause::Sentence
            }
        }
        Some(_) if is_whole_line && is_heading(&text[line_start..range.end]) => Pause::Heading,
        _ => Pause::Paragraph,
    }
}

/// The pause after a piece that its line goes on after.
fn pause_inside_line(piece: &str) -> Pause {
    let closes = |c: char| {
        matches!(c, '"' | '”' | '’' | '\'' | ')' | ']' | '}' | '»' | '*' | '_' | '」' | '』' | '）')
    };
    let mut said = piece.trim_end_matches(|c: char| closes(c) || stops::is_footnote_sign(c));
    // A footnote's number in brackets.
    if piece.ends_with(']')
        && let Some((before, number)) = said.rsplit_once('[')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        said = before.trim_end_matches(closes);
    }
    match said.chars().next_back() {
        Some(last) if stops::is_stop(last) => Pause::Sentence,
        Some(',' | ';' | ':' | '—' | '–' | '，' | '、' | '；' | '：') => Pause::Clause,
        _ if piece.ends_with(')') => Pause::Clause,
        _ => Pause::Phrase,
    }
}

struct Block {
    range: Range<usize>,
    pause: Pause,
    heading: bool,
    scene_break: bool,
}

/// Lines gathered into paragraphs, headings, list items and scene breaks.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    let mut lines = lines(text).peekable();
    while let Some(range) = lines.next() {
        let line = &text[range.clone()];
        if is_blank(line) {
            open = false;
            continue;
        }
        if is_scene_break(line) {
            // A rule right below a line of text underlines a heading.
            let underlines = open && line.trim().starts_with(['=', '-']);
            match blocks.last_mut() {
                Some(above) if underlines => (above.pause, above.heading) = (Pause::Heading, true),
                _ => blocks.push(Block { range, pause: Pause::Section, heading: false, scene_break: true }),
            }
            open = false;
            continue;
        }
        let hashed = stops::is_hashed_heading(line);
        // In the middle of a wrapped paragraph a line may begin with a dash or a number by chance.
        let wrapped = open && blocks.last().is_some_and(|above| goes_on(&text[above.range.clone()]));
        let item = stops::starts_item(line) && !wrapped;
        if open && !hashed && !item {
            if let Some(block) = blocks.last_mut() {
                block.range.end = range.end;
            }
            continue;
        }
        if open
            && item
            && let Some(above) = blocks.last_mut()
        {
            above.pause = Pause::Sentence;
        }
        let blank_follows = lines.peek().is_some_and(|next| is_blank(&text[next.clone()]));
        let heading = hashed || (blank_follows && !item && is_heading(line));
        let pause = if heading { Pause::Heading } else { Pause::Paragraph };
        blocks.push(Block { range, pause, heading, scene_break: false });
        open = !hashed;
    }
    // The last line of a text is no heading of anything.
    if let Some(last) = blocks.last_mut()
        && last.heading
        && blocks_are_one(last, text)
    {
        last.pause = Pause::Paragraph;
    }
    blocks
}

fn blocks_are_one(last: &Block, text: &str) -> bool {
    !stops::is_hashed_heading(&text[last.range.clone()]) && is_blank(&text[last.range.end..])
}

/// Whether a paragraph's text so far, which is no item of a list, stops in the middle of a sentence.
fn goes_on(text: &str) -> bool {
    let end = text.trim_end().trim_end_matches(['"', '”', '’', '\'', ')', '*', '_', ']']);
    let last_line = end.rsplit('\n').next().unwrap_or_default();
    let full = last_line.chars().take(WRAPPED).count() == WRAPPED;
    full && !stops::starts_item(text)
        && end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '—' | '–'))
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let ends = |c: char| matches!(c, '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(ends).unwrap_or(rest.len());
        let start = at;
        at += length + rest[length..].chars().next().map_or(0, char::len_utf8);
        Some(start..start + length)
    })
}

/// Whether nothing on a line is for the eye or the ear but a pause.
fn is_blank(line: &str) -> bool {
    let blank =
        |line: &str| line.chars().all(|c| c.is_whitespace() || c.is_control() || stops::is_invisible(c));
    blank(line) || blank(&line[markup::leading_pauses(line)..])
}

/// `* * *`, `---`, `⁂` and their like on a line of their own.
fn is_scene_break(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let Some(first) = marks.next() else { return false };
    match first {
        '⁂' | '❦' | '☙' | '❧' => marks.all(|mark| mark == first),
        '*' | '-' | '_' | '~' | '=' | '#' | '—' | '–' | '•' | '+' | '·' => {
            let mut count = 1;
            marks.all(|mark| {
                count += 1;
                mark == first
            }) && (count >= 3 || (first == '#' && count == 1))
        }
        _ => false,
    }
}

/// A short line that ends without a stop, or a chapter's number.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let short = line.chars().take(HEADING + 1).count() <= HEADING;
    let Some(last) = line.trim_end_matches(['"', '”', '’', '\'', ')', '*', '_', ']']).chars().next_back()
    else {
        return false;
    };
    let stopped = matches!(last, '.' | '!' | '?' | '…' | ':' | ';' | ',' | '—' | '-' | '。' | '！' | '？');
    let chapter = ["Chapter ", "CHAPTER ", "Part ", "PART ", "Book ", "BOOK "]
        .iter()
        .any(|word| line.starts_with(word));
    let chapter_number = chapter && line.chars().take(21).count() <= 20 && last == '.';
    short && line.chars().any(char::is_alphanumeric) && (!stopped || chapter_number)
}

/// The sentences of a block.
fn sentences(text: &str, block: Range<usize>, heading: bool) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = block.start;
    let mut at = block.start;
    while let Some(offset) = text[at..block.end].find(stops::is_stop) {
        let stop = at + offset;
        let run = stops::run(&text[stop..block.end]);
        let end = stop + run;
        match stops::verdict(text, start..block.end, stop, end) {
            // "[St. Mary](/…/)" is one word.
            Verdict::Ends(end) if end < block.end && markup::outside(text, end) < end => {
                at = end;
            }
            Verdict::Ends(end) if !heading || is_blank(&text[end..block.end]) => {
                sentences.push(start..end);
                start = end;
                at = end;
            }
            _ => at = end,
        }
    }
    sentences.push(start..block.end);
    sentences
}

/// Cuts a sentence at clauses and phrases until each piece is short enough, and keeps those that have something to say.
fn cut_long(text: &str, sentence: Range<usize>, phrase: PhraseCut<'_>, pieces: &mut Vec<Piece>) {
    let mut keep = |range: Range<usize>, is_last: bool| {
        let range = trimmed(text, range);
        if text[range.clone()].chars().any(stops::may_be_said) {
            let pause = if is_last { Pause::Sentence } else { pause_inside_line(&text[range.clone()]) };
            pieces.push(Piece { range, pause });
        }
    };
    let mut rest = trimmed(text, sentence);
    while let Some(cut) = cut(&text[rest.clone()], phrase) {
        keep(rest.start..rest.start + cut, false);
        rest.start += cut;
    }
    keep(rest, true);
}

/// Where to cut a text that is too long: behind the last strong mark that fits, else comma, else before a phrase, else
/// at a space, else between two characters that belong to different letters. Never inside markup.
fn cut(text: &str, phrase: PhraseCut<'_>) -> Option<usize> {
    let at = cut_anywhere(text, phrase)?;
    let at = match markup::outside(text, at) {
        // Markup that is longer than a piece stays whole.
        0 => markup::starting_at(text, 0).map_or(at, |markup| markup.range.end),
        outside => outside,
    };
    (at < text.len()).then_some(at)
}

fn cut_anywhere(text: &str, phrase: PhraseCut<'_>) -> Option<usize> {
    if text.len() <= WISHED / DIGIT_COST {
        return None;
    }
    let (mut cost, mut count, mut digits) = (0, 0, 0);
    let (mut strong, mut weak, mut space, mut letter) = (0, 0, 0, 0);
    let mut previous = ' ';
    let mut chars = text.char_indices().peekable();
    // A run of one emoji is said once, however long it is.
    let mut run_end = 0;
    while let Some((at, c)) = chars.next() {
        if at < run_end {
            previous = c;
            continue;
        }
        if let Some(run) = emoji::run(&text[at..]).filter(|run| run.count > 1) {
            run_end = at + run.bytes;
        }
        let after_space = previous.is_whitespace();
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        cost += if digits > FLOOD { DIGIT_COST } else { 1 };
        count += 1;
        if !stops::belongs_to_previous(previous, c) {
            letter = at;
        }
        if cost > WISHED {
            let third = count / 3;
            let marks = [strong, weak].into_iter().find(|&cut| cut > third);
            let spaces = || (space > third).then(|| phrase(text, at).unwrap_or(space));
            return marks.or_else(spaces).or_else(|| (letter > third).then_some(letter)).or(Some(at));
        }
        if after_space && !c.is_whitespace() {
            space = at;
        }
        let before_space = chars.peek().is_some_and(|(_, next)| next.is_whitespace());
        let behind = at + c.len_utf8();
        match c {
            '—' | '；' | '：' | '。' | '！' | '？' => strong = behind,
            ';' | ':' | '.' | '!' | '?' | '…' if before_space => strong = behind,
            ',' | ')' if before_space => weak = behind,
            '，' | '、' => weak = behind,
            _ => {}
        }
        previous = c;
    }
    None
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let skip = |c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}';
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start_matches(skip).len());
    start..start.max(range.start + inner.trim_end_matches(skip).len())
}
