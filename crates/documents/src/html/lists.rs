//! Numbers of ordered lists: `start`, `reversed` and `type`, and an item's `value`.

use std::collections::HashMap;

use super::{
    elements::{Element, ElementKind},
    syntax::Syntax,
    tokens::{self, Handler},
};
use crate::lists::NumberStyle;

/// An open ordered list.
#[derive(Debug)]
pub(super) struct Numbers {
    next: i64,
    step: i64,
    /// `None` if the style hides the numbers.
    number_style: Option<NumberStyle>,
}

impl Numbers {
    /// `items` is the length of a list that counts down.
    pub(super) fn of(element: &Element<'_>, items: Option<u32>) -> Self {
        let reversed = element.attribute("reversed").is_some();
        let first = if reversed { items.map_or(1, i64::from) } else { 1 };
        let number_style = element.attribute("type").and_then(by_type).unwrap_or(NumberStyle::Decimal);
        let style = element.attribute("style").and_then(by_style);
        Self {
            next: number(element, "start").unwrap_or(first),
            step: if reversed { -1 } else { 1 },
            number_style: style.unwrap_or(Some(number_style)),
        }
    }

    /// The label of the next item: "3.".
    pub(super) fn label(&mut self, item: &Element<'_>) -> Option<String> {
        let own = number(item, "value").unwrap_or(self.next);
        self.next = own.saturating_add(self.step);
        let number_style = item.attribute("type").and_then(by_type).or(self.number_style)?;
        Some(format!("{}.", number_style.format(own)))
    }
}

fn number(element: &Element<'_>, name: &str) -> Option<i64> {
    element.attribute(name)?.trim().parse::<i32>().ok().map(i64::from)
}

fn by_type(kind: &str) -> Option<NumberStyle> {
    Some(match kind.trim() {
        "1" => NumberStyle::Decimal,
        "a" => NumberStyle::LowerLetters,
        "A" => NumberStyle::UpperLetters,
        "i" => NumberStyle::LowerRoman,
        "I" => NumberStyle::UpperRoman,
        _ => return None,
    })
}

/// The number style that CSS sets; `Some(None)` means no numbers.
#[expect(clippy::option_option, reason = "a style may say nothing, or that there are no numbers")]
fn by_style(style: &str) -> Option<Option<NumberStyle>> {
    let style = style.get(..style.len().min(2_000))?.to_ascii_lowercase();
    let value = style.split(';').find_map(|rule| {
        let (property, value) = rule.split_once(':')?;
        matches!(property.trim(), "list-style-type" | "list-style").then_some(value.trim())
    })?;
    let has = |name: &str| value.split_whitespace().any(|word| word == name);
    Some(match () {
        () if has("none") || has("disc") || has("circle") || has("square") => None,
        () if has("lower-alpha") || has("lower-latin") => Some(NumberStyle::LowerLetters),
        () if has("upper-alpha") || has("upper-latin") => Some(NumberStyle::UpperLetters),
        () if has("lower-roman") => Some(NumberStyle::LowerRoman),
        () if has("upper-roman") => Some(NumberStyle::UpperRoman),
        () if has("decimal") => Some(NumberStyle::Decimal),
        () => return None,
    })
}

/// The lengths of lists that count down: their first number is known only at their end.
pub(super) fn item_counts(source: &str, syntax: Syntax) -> HashMap<u32, u32> {
    if !source.as_bytes().windows(8).any(|window| window.eq_ignore_ascii_case(b"reversed")) {
        return HashMap::new();
    }
    tokens::read(source, syntax, ItemCounter::default()).item_counts
}

#[derive(Debug, Default)]
struct ItemCounter {
    /// The open elements; for each list, its ordinal and its number of items.
    open: Vec<Option<(u32, u32)>>,
    lists: Vec<usize>,
    item_counts: HashMap<u32, u32>,
}

impl Handler for ItemCounter {
    fn open(&mut self, element: &Element<'_>) {
        if &*element.tag.name == "li"
            && let Some(Some((_, items))) = self.lists.last().map(|&at| &mut self.open[at])
        {
            *items += 1;
        }
        if element.void {
            return;
        }
        let list = element.kind == ElementKind::List;
        if list {
            self.lists.push(self.open.len());
        }
        self.open.push(list.then_some((element.ordinal, 0)));
    }

    fn close(&mut self, _: ElementKind) {
        if let Some(Some((ordinal, items))) = self.open.pop() {
            self.lists.pop();
            self.item_counts.insert(ordinal, items);
        }
    }

    fn text(&mut self, _: &str) {}
}
