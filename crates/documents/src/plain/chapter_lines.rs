//! Finds the lines of a plain text that start chapters: "CHAPTER I. The Harbour", "Chapter 12",
//! "PROLOGUE", separated by blank lines. The lines of a table of contents look the same but have no
//! text between them.

use std::{collections::HashMap, ops::Range};

use crate::{
    Heading,
    chapter_names::{self, MAX_LINE_CHARACTERS, bare_number, chapter_line},
    paragraphs,
    toc::ChapterStart,
};

/// The longest title below its number in a script without capital letters: a longer line may be
/// text.
const MAX_CASELESS_TITLE_CHARACTERS: usize = 30;

/// How many numbers in a row, from one on, are headings by themselves.
const MIN_BARE_NUMBERS: usize = 3;

/// Finds chapter headings and chapter starts.
pub(super) fn find(text: &str) -> (Vec<Heading>, Vec<ChapterStart>) {
    let (mut headings, mut starts) = (Vec::new(), Vec::new());
    let all: Vec<Range<usize>> = paragraphs::paragraphs(text).collect();
    let repeated = Repeated::of(text, &all);
    let mut blocks = all.iter().cloned().peekable();
    while let Some(block) = blocks.next() {
        if parse_block(&text[block.clone()]).is_none() {
            continue;
        }
        // Lines of chapters without a blank line between them are a list of contents.
        let mut run = vec![block];
        while let Some(next) =
            blocks.next_if(|next| adjoins(text, run.last(), next) && is_chapter_block(&text[next.clone()]))
        {
            run.push(next);
        }
        let is_part = |block: &Range<usize>| chapter_names::is_part(&text[block.clone()]);
        let opens_part = matches!(run.as_slice(), [first, second] if is_part(first) && !is_part(second));
        if run.len() > 1 && !opens_part {
            // The last line may be the first chapter's: then its text follows.
            let starts_text = blocks.peek().is_some_and(|next| adjoins(text, run.last(), next));
            run.drain(..run.len() - usize::from(starts_text));
        }
        let last = run.len().saturating_sub(1);
        for (index, block) in run.into_iter().enumerate() {
            let Some((line, more)) = parse_block(&text[block.clone()]) else { continue };
            let first = block.start..block.start + line.line.len();
            // A chapter's title is often below its number.
            let mut title = text[first.clone()].to_owned();
            headings.push(Heading { range: first, level: 1 });
            // What nothing follows is the text of a short chapter, unless this is a list of contents.
            let is_title_above = |follower: Option<Range<usize>>| {
                follower.is_some_and(|next| !is_chapter_block(&text[next])) || repeated.has(line.line)
            };
            let below = match more {
                Some(more) => is_title_above(blocks.peek().cloned()).then_some(block.start + more..block.end),
                None if line.is_bare && index == last => {
                    let has_text = is_title_above(blocks.clone().nth(1));
                    blocks.next_if(|next| has_text && is_title(&text[next.clone()]))
                }
                None => None,
            };
            if let Some(below) = below {
                let number = title.trim_end_matches(['.', ':', '—', '–', '-', ' ']).to_owned();
                title = format!("{number}: {}", &text[below.clone()]);
                headings.push(Heading { range: below, level: 2 });
            }
            starts.push(ChapterStart { at: block.start, title: Some(title), level: 1 });
        }
    }
    if starts.len() < 2 {
        let (numbers, at) = bare_numbers(text);
        // Numbers below the only other heading, a preface or a title, belong to the same list.
        headings.extend(numbers);
        headings.sort_by_key(|heading| heading.range.start);
        starts.extend(at);
    }
    (headings, starts)
}

/// The lines of chapters that are in a text more than once: in its list of contents, and above its
/// chapters.
struct Repeated(HashMap<String, bool>);

impl Repeated {
    fn of(text: &str, blocks: &[Range<usize>]) -> Self {
        let mut seen: HashMap<String, bool> = HashMap::new();
        for block in blocks {
            if let Some((line, _)) = parse_block(&text[block.clone()]) {
                seen.entry(line.line.to_lowercase()).and_modify(|again| *again = true).or_insert(false);
            }
        }
        Self(seen)
    }

    fn has(&self, line: &str) -> bool {
        self.0.get(&line.to_lowercase()).is_some_and(|again| *again)
    }
}

/// Whether no blank line stands between two blocks.
fn adjoins(text: &str, before: Option<&Range<usize>>, after: &Range<usize>) -> bool {
    before.is_some_and(|before| text[before.end..after.start].matches('\n').count() < 2)
}

fn is_chapter_block(block: &str) -> bool {
    block.lines().next().is_some_and(|line| chapter_line(line.trim_end()).is_some())
}

/// Chapters headed by a number alone: `I`, `一`, `एक`. They must count up from one, because a single
/// letter or number between paragraphs may be anything.
fn bare_numbers(text: &str) -> (Vec<Heading>, Vec<ChapterStart>) {
    let mut runs: Vec<Vec<(u32, Range<usize>)>> = Vec::new();
    for block in paragraphs::paragraphs(text) {
        let Some(number) = bare_number(&text[block.clone()]) else { continue };
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|(last, _)| last + 1 == number) => run.push((number, block)),
            // A new part counts from one again; anything else is no heading.
            _ if number == 1 => runs.push(vec![(number, block)]),
            _ => {}
        }
    }
    let numbers = runs.into_iter().filter(|run| run.len() >= MIN_BARE_NUMBERS).flatten();
    numbers
        .map(|(_, range)| {
            let start =
                ChapterStart { at: range.start, title: Some(text[range.clone()].to_owned()), level: 1 };
            (Heading { range, level: 1 }, start)
        })
        .unzip()
}

struct Line<'a> {
    line: &'a str,
    /// Whether it is only a number, without a title.
    is_bare: bool,
}

/// The chapter line at the start of a block, and where its own title starts below it.
fn parse_block(block: &str) -> Option<(Line<'_>, Option<usize>)> {
    let line = block.lines().next()?.trim_end();
    let is_bare = chapter_line(line)?;
    let line = Line { line, is_bare };
    let Some(below) = block.get(line.line.len()..).map(str::trim_start).filter(|below| !below.is_empty())
    else {
        return Some((line, None));
    };
    let second = below.lines().next()?;
    if chapter_line(second.trim()).is_some() {
        return None;
    }
    if is_bare && is_title(below) {
        return Some((line, Some(block.len() - below.len())));
    }
    // The text may follow directly. A bare number is still a heading, and so is a title that wraps
    // to a second line.
    (is_bare || (block.lines().count() == 2 && is_title(second))).then_some((line, None))
}

/// Whether a block is a short line without a stop at its end.
fn is_title(block: &str) -> bool {
    let characters = block.chars().take(MAX_LINE_CHARACTERS + 1).count();
    let Some(first) = block.chars().next() else { return false };
    // A script without capital letters does not show where a title begins.
    let caseless = first.is_alphabetic() && !first.is_lowercase() && !first.is_uppercase();
    let longest = if caseless { MAX_CASELESS_TITLE_CHARACTERS } else { MAX_LINE_CHARACTERS };
    let short = characters <= longest && block.lines().count() <= 2;
    let begins = caseless
        || first.is_uppercase()
        || first.is_numeric()
        || matches!(first, '“' | '"' | '‘' | '«' | '¿' | '¡');
    let shouted = !block.chars().any(char::is_lowercase) && block.chars().any(char::is_uppercase);
    let stopped = block.ends_with([
        '.', '!', '?', ',', ';', ':', '"', '”', '…', '—', '»', '。', '！', '？', '」', '』', '、', '，',
        '；', '：', '।', '॥', '-', '–', '/',
    ]);
    short && begins && (shouted || !stopped) && chapter_line(block).is_none()
}
