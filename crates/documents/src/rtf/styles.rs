//! The style sheet: which paragraph styles make headings.

use std::collections::HashMap;

use crate::word_processing::{MAX_NAME_BYTES, Role, by_name};

const MAX_BASE_STYLES: usize = 16;

/// A style being read.
#[derive(Debug, Default)]
pub(super) struct Style {
    /// Its number. A style without one is that of paragraphs without a style.
    pub number: i32,
    pub name: String,
    pub based_on: Option<i32>,
    /// Counts from 0.
    pub outline_level: Option<i32>,
}

impl Style {
    pub(super) fn push_name(&mut self, text: &str) {
        if self.name.len() <= MAX_NAME_BYTES {
            self.name.push_str(text);
        }
    }
}

#[derive(Debug)]
struct Declared {
    role: Option<Role>,
    based_on: Option<i32>,
}

#[derive(Debug, Default)]
pub(super) struct StyleSheet(HashMap<i32, Declared>);

impl StyleSheet {
    pub(super) fn add(&mut self, style: &Style) {
        // Aliases follow after a comma, and a semicolon ends the name.
        let name = style.name.split([';', ',']).next().unwrap_or_default().trim();
        let role = by_name(name).or_else(|| style.outline_level.and_then(heading));
        self.0.insert(style.number, Declared { role, based_on: style.based_on });
    }

    /// The role of a style or of the nearest base style that has one.
    pub(super) fn role(&self, number: i32) -> Role {
        let mut next = Some(number);
        for _ in 0..MAX_BASE_STYLES {
            let Some(style) = next.and_then(|number| self.0.get(&number)) else { break };
            if let Some(role) = style.role {
                return role;
            }
            next = style.based_on;
        }
        Role::Text
    }
}

/// The heading of an outline level, which counts from 0; 9 is body text.
pub(super) fn heading(outline_level: i32) -> Option<Role> {
    let level = u8::try_from(outline_level).ok().filter(|level| *level < 9)?;
    Some(Role::Heading((level + 1).min(6)))
}
