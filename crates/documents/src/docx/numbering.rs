//! List and heading numbers, which a word processor generates: how each level is counted and
//! written (`numbering.xml`), and its current count.

use std::collections::HashMap;

use super::part;
use crate::{
    Unreadable,
    lists::NumberStyle,
    xml::{Element, Event},
};

const LEVELS: usize = 9;

const MAX_LABEL_CHARACTERS: usize = 60;

/// A paragraph's list and level.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListPosition {
    /// The list's id; 0 removes the paragraph from its style's list.
    pub list: Option<i64>,
    pub level: Option<i64>,
}

#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// Numbering patterns by id.
    patterns: HashMap<i64, [Level; LEVELS]>,
    lists: HashMap<i64, List>,
}

#[derive(Debug, Default, Clone)]
struct List {
    pattern: i64,
    /// Start overrides of a list that shares another one's pattern.
    starts: [Option<i64>; LEVELS],
    levels: HashMap<usize, Level>,
}

#[derive(Debug, Clone)]
struct Level {
    start: i64,
    /// `None` for bullets.
    counting: Option<NumberStyle>,
    /// The pattern of a label, such as "%1.%2." with the numbers of levels 1 and 2.
    text: String,
    /// The level after which it restarts; `Some(0)` means never.
    restart: Option<i64>,
    /// Writes all numbers in digits.
    legal: bool,
}

impl Default for Level {
    fn default() -> Self {
        Self { start: 1, counting: None, text: String::new(), restart: None, legal: false }
    }
}

impl Numbering {
    pub(super) fn read(part: &str, depth: usize) -> Result<Self, Unreadable> {
        let mut reader = Reader::default();
        part::read(part, depth, |event| {
            match event {
                Event::Open(element) => reader.open(&element),
                Event::Close(name) => reader.close(&name),
                Event::Text(_) => {}
            }
            true
        })?;
        Ok(reader.numbering)
    }

    fn level<'a>(&'a self, list: &'a List, level: usize) -> Option<&'a Level> {
        list.levels.get(&level).or_else(|| self.patterns.get(&list.pattern)?.get(level))
    }
}

#[derive(Default)]
struct Reader {
    numbering: Numbering,
    pattern: Option<(i64, [Level; LEVELS])>,
    list: Option<(i64, List)>,
    level: Option<(usize, Level)>,
    /// The level that a list overrides.
    own: Option<usize>,
}

impl Reader {
    fn open(&mut self, element: &Element<'_>) {
        let id = |name| element.attribute(name).and_then(|id| id.parse::<i64>().ok());
        let value = || id("val");
        let level =
            || id("ilvl").and_then(|level| usize::try_from(level).ok()).filter(|level| *level < LEVELS);
        match element.name() {
            "abstractNum" => self.pattern = id("abstractNumId").map(|id| (id, Default::default())),
            "num" => self.list = id("numId").map(|id| (id, List::default())),
            "abstractNumId" => {
                if let (Some((_, list)), Some(pattern)) = (&mut self.list, value()) {
                    list.pattern = pattern;
                }
            }
            "lvlOverride" => self.own = level(),
            "startOverride" => {
                if let (Some((_, list)), Some(level)) = (&mut self.list, self.own) {
                    list.starts[level] = value();
                }
            }
            "lvl" => self.level = level().map(|level| (level, Level::default())),
            name => {
                let Some((_, level)) = &mut self.level else { return };
                match name {
                    "start" => level.start = value().unwrap_or(level.start),
                    "numFmt" => {
                        level.counting = element.attribute("val").and_then(|format| counting(&format));
                    }
                    "lvlText" => {
                        level.text = element
                            .attribute("val")
                            .unwrap_or_default()
                            .chars()
                            .take(MAX_LABEL_CHARACTERS)
                            .collect();
                    }
                    "lvlRestart" => level.restart = value(),
                    "isLgl" => level.legal = element.is_on(),
                    _ => {}
                }
            }
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "lvl" => {
                let Some((at, level)) = self.level.take() else { return };
                if let Some((_, list)) = &mut self.list {
                    list.levels.insert(at, level);
                } else if let Some((_, levels)) = &mut self.pattern {
                    levels[at] = level;
                }
            }
            "lvlOverride" => self.own = None,
            "abstractNum" => self.numbering.patterns.extend(self.pattern.take()),
            "num" => self.numbering.lists.extend(self.list.take()),
            _ => {}
        }
    }
}

fn counting(format: &str) -> Option<NumberStyle> {
    Some(match format {
        "decimal" | "decimalZero" | "ordinal" | "cardinalText" | "ordinalText" => NumberStyle::Decimal,
        "lowerLetter" => NumberStyle::LowerLetters,
        "upperLetter" => NumberStyle::UpperLetters,
        "lowerRoman" => NumberStyle::LowerRoman,
        "upperRoman" => NumberStyle::UpperRoman,
        _ => return None,
    })
}

/// The current numbers of all lists.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// The counts by pattern: lists with the same pattern continue each other's numbers.
    counted: HashMap<i64, [Option<i64>; LEVELS]>,
    /// Levels whose start override was applied; that happens once for each list.
    restarted: HashMap<i64, [bool; LEVELS]>,
}

impl Counters {
    /// The label of the next paragraph at this position: "3.". `None` outside of lists and in lists
    /// without numbers.
    pub(super) fn label(&mut self, numbering: &Numbering, position: ListPosition) -> Option<String> {
        let id = position.list.filter(|&id| id != 0)?;
        let list = numbering.lists.get(&id)?;
        let at = usize::try_from(position.level.unwrap_or(0)).ok().filter(|&at| at < LEVELS)?;
        let level = numbering.level(list, at)?;
        let counted = self.counted.entry(list.pattern).or_default();
        let restarted = self.restarted.entry(id).or_default();
        let restart_at = list.starts[at].filter(|_| !std::mem::replace(&mut restarted[at], true));
        counted[at] = Some(match (restart_at, counted[at]) {
            (Some(start), _) => start,
            (None, Some(number)) => number.saturating_add(1),
            (None, None) => level.start,
        });
        for (deeper, number) in counted.iter_mut().enumerate().skip(at + 1) {
            let restart = numbering.level(list, deeper).and_then(|level| level.restart);
            // The level continues until an outer level, or a given one, advances.
            if restart.is_none_or(|after| after > at.cast_signed() as i64) {
                *number = None;
            }
        }
        level.counting?;
        let mut label = String::new();
        let mut parts = level.text.split('%');
        label.push_str(parts.next().unwrap_or_default());
        for reference in parts {
            let digit =
                reference.chars().next().and_then(|c| c.to_digit(10)).filter(|digit| (1..=9).contains(digit));
            let Some(digit) = digit else {
                label.push('%');
                label.push_str(reference);
                continue;
            };
            let of = digit as usize - 1;
            let other = numbering.level(list, of);
            let number = counted[of].unwrap_or_else(|| other.map_or(1, |level| level.start));
            let own = other.and_then(|level| level.counting).unwrap_or(NumberStyle::Decimal);
            let shown = if level.legal { NumberStyle::Decimal } else { own };
            label.push_str(&shown.format(number));
            label.push_str(&reference[1..]);
        }
        let label = label.trim();
        // Without a stop, a bare number would run into the first words.
        match label.chars().next_back() {
            Some(end) if end.is_alphanumeric() => Some(format!("{label}.")),
            Some(_) if label.chars().any(char::is_alphanumeric) => Some(label.to_owned()),
            _ => None,
        }
    }
}
