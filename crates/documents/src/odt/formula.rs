//! Reads a formula that is a document of its own in the package.

use crate::{
    mathml::Formula,
    xml::{Element, Event, Events},
};

/// The spoken form of the formula in a part; `None` if it has no formula, as that of a chart.
pub(super) fn spoken(part: &str) -> Option<String> {
    let mut formula: Option<Formula> = None;
    for event in Events::lenient(part) {
        let Some(formula) = &mut formula else {
            let is_formula = matches!(&event, Event::Open(element) if element.name() == "math");
            formula = is_formula.then(Formula::new);
            continue;
        };
        match event {
            Event::Open(element) => open(formula, &element),
            Event::Text(text) => formula.text(&text),
            Event::Close(_) => {
                let is_open = formula.close();
                if !is_open {
                    break;
                }
            }
        }
    }
    formula.map(Formula::spoken).filter(|spoken| !spoken.trim().is_empty())
}

pub(super) fn open(formula: &mut Formula, element: &Element<'_>) {
    let attributes: Vec<(String, String)> = element.attributes().collect();
    let value =
        |name: &str| attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    formula.open(element.name(), value);
}
