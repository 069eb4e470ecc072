//! Numbers of lists and headings, which a word processor generates: how each level is counted and
//! written, and the current numbers.

use std::collections::HashMap;

use crate::{lists::NumberStyle, xml::Element};

/// Deeper lists have no numbers.
pub(super) const LEVELS: usize = 10;

/// The longest text before or after a number.
const MAX_AFFIX_CHARACTERS: usize = 20;

/// How a level of a list is numbered.
#[derive(Debug, Clone)]
struct Level {
    /// `None` for bullets and for levels without numbers.
    counting: Option<NumberStyle>,
    prefix: String,
    suffix: String,
    start: i64,
    /// How many levels a number shows: 2 for "1.2".
    shown: usize,
}

/// The levels of a list from the outermost.
#[derive(Debug, Clone, Default)]
pub(super) struct ListStyle([Option<Level>; LEVELS]);

impl ListStyle {
    /// Adds the level that an element declares.
    pub(super) fn add(&mut self, element: &Element<'_>) {
        let number = |name: &str| element.attribute(name).and_then(|value| value.parse::<i64>().ok());
        let Some(at) = number("level").and_then(|level| usize::try_from(level - 1).ok()) else { return };
        let Some(slot) = self.0.get_mut(at) else { return };
        let affix = |name: &str| -> String {
            element.attribute(name).unwrap_or_default().chars().take(MAX_AFFIX_CHARACTERS).collect()
        };
        *slot = Some(Level {
            counting: element.attribute("num-format").and_then(|format| counting(&format)),
            prefix: affix("num-prefix"),
            suffix: affix("num-suffix"),
            start: number("start-value").unwrap_or(1),
            shown: number("display-levels").and_then(|shown| usize::try_from(shown).ok()).unwrap_or(1),
        });
    }

    fn level(&self, at: usize) -> Option<&Level> {
        self.0.get(at)?.as_ref()
    }

    /// The first number of a level.
    fn start(&self, at: usize) -> i64 {
        self.level(at).map_or(1, |level| level.start)
    }

    /// The label of the last of `numbers`, which begin with that of the outermost level.
    fn label(&self, numbers: &[i64]) -> Option<String> {
        let level = self.level(numbers.len().checked_sub(1)?)?;
        level.counting?;
        let first = numbers.len().saturating_sub(level.shown.max(1));
        let written = numbers.iter().enumerate().skip(first).filter_map(|(at, number)| {
            self.level(at).and_then(|level| level.counting).map(|counting| counting.format(*number))
        });
        let written: Vec<String> = written.collect();
        Some(format!("{}{}{}", level.prefix, written.join("."), level.suffix))
    }
}

fn counting(format: &str) -> Option<NumberStyle> {
    match format {
        "1" => Some(NumberStyle::Decimal),
        "a" => Some(NumberStyle::LowerLetters),
        "A" => Some(NumberStyle::UpperLetters),
        "i" => Some(NumberStyle::LowerRoman),
        "I" => Some(NumberStyle::UpperRoman),
        _ => None,
    }
}

/// An open list.
#[derive(Debug)]
struct OpenList {
    style: Option<String>,
    /// The number of its last item.
    number: Option<i64>,
    /// Whether an item has begun that has no paragraph yet.
    is_due: bool,
    /// The number that the file gives the item.
    given: Option<i64>,
}

/// The numbers of the open lists and of headings.
#[derive(Debug, Default)]
pub(super) struct Counters {
    open: Vec<OpenList>,
    /// The last numbers of lists that ended, by style and level, for those that continue them.
    ended: HashMap<(String, usize), i64>,
    headings: [Option<i64>; LEVELS],
}

impl Counters {
    pub(super) fn begin_list(&mut self, element: &Element<'_>) {
        let style =
            element.attribute("style-name").or_else(|| self.open.last().and_then(|list| list.style.clone()));
        let continues = element.attribute("continue-numbering").as_deref() == Some("true")
            || element.attribute("continue-list").is_some();
        let key = style.clone().map(|style| (style, self.open.len()));
        let number = key.filter(|_| continues).and_then(|key| self.ended.get(&key).copied());
        self.open.push(OpenList { style, number, is_due: false, given: None });
    }

    pub(super) fn end_list(&mut self) {
        if let Some(OpenList { style: Some(style), number: Some(number), .. }) = self.open.pop() {
            self.ended.insert((style, self.open.len()), number);
        }
    }

    pub(super) fn begin_item(&mut self, element: &Element<'_>) {
        if let Some(list) = self.open.last_mut() {
            list.is_due = element.name() == "list-item";
            list.given = element.attribute("start-value").and_then(|value| value.parse().ok());
        }
    }

    /// Whether a list is open.
    pub(super) fn is_in_list(&self) -> bool {
        !self.open.is_empty()
    }

    /// The label of a paragraph, if it is the first one of a numbered item. `style` finds list styles.
    pub(super) fn label<'a>(&mut self, style: impl Fn(&str) -> Option<&'a ListStyle>) -> Option<String> {
        let at = self.open.len().checked_sub(1).filter(|at| *at < LEVELS)?;
        let list = &mut self.open[at];
        if !std::mem::take(&mut list.is_due) {
            return None;
        }
        let style = style(list.style.as_deref()?)?;
        let next = list.number.map_or_else(|| style.start(at), |number| number.saturating_add(1));
        list.number = Some(list.given.unwrap_or(next));
        let number = |(at, list): (usize, &OpenList)| list.number.unwrap_or_else(|| style.start(at));
        let numbers: Vec<i64> = self.open.iter().enumerate().map(number).collect();
        style.label(&numbers)
    }

    /// The label of a heading of an outline level that counts from 0.
    pub(super) fn heading_label(
        &mut self,
        outline: &ListStyle,
        at: usize,
        element: &Element<'_>,
    ) -> Option<String> {
        let given = element.attribute("start-value").and_then(|value| value.parse().ok());
        let given = given.filter(|_| element.attribute("restart-numbering").as_deref() == Some("true"));
        let number = self.headings.get_mut(at)?;
        let next = number.map_or_else(|| outline.start(at), |number| number.saturating_add(1));
        *number = Some(given.unwrap_or(next));
        self.headings[at + 1..].fill(None);
        let numbers = self.headings[..=at].iter().enumerate();
        let numbers: Vec<i64> = numbers.map(|(at, number)| number.unwrap_or(outline.start(at))).collect();
        outline.label(&numbers)
    }
}
