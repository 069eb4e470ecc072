//! Reads SVG pages: their text, titles and descriptions.

use crate::{
    builder::Builder,
    xml::{Event, Events},
};

/// Writes each text element of a drawing as a paragraph.
pub(super) fn write_page(source: &str, builder: &mut Builder) {
    // The element being read, and how many elements of that name are open.
    let mut reading: Option<(String, usize)> = None;
    let mut hidden = 0_usize;
    builder.paragraph();
    for event in Events::lenient(source) {
        match event {
            Event::Open(element) if hidden > 0 || is_hidden(element.name()) => hidden += 1,
            Event::Open(element) => match &mut reading {
                Some((name, open)) => {
                    *open += usize::from(name == element.name());
                    // A new line; letters that are only moved sideways stay together.
                    if element.name() == "tspan"
                        && ["y", "dy"].iter().any(|name| element.attribute(name).is_some())
                    {
                        builder.space();
                    }
                }
                None if matches!(element.name(), "text" | "title" | "desc") => {
                    builder.paragraph();
                    reading = Some((element.name().to_owned(), 1));
                }
                None => {}
            },
            Event::Close(_) if hidden > 0 => hidden -= 1,
            Event::Close(closed) => {
                if let Some((name, open)) = &mut reading
                    && *name == closed
                {
                    *open -= 1;
                    if *open == 0 {
                        reading = None;
                        builder.paragraph();
                    }
                }
            }
            Event::Text(text) if reading.is_some() && hidden == 0 => builder.text(&text),
            Event::Text(_) => {}
        }
        if builder.is_full() {
            break;
        }
    }
    builder.paragraph();
}

fn is_hidden(name: &str) -> bool {
    matches!(name, "style" | "script" | "metadata" | "defs")
}
