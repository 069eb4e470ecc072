//! Resolves a page's document type, which may declare entities. Short entities, which books use for
//! characters without a name, are replaced. All others are dropped, so that nothing expands. The
//! HTML reader never sees the declaration.

use std::{borrow::Cow, collections::HashMap};

/// Longer entities are dropped, so that replacing them cannot grow the text much.
const MAX_VALUE_BYTES: usize = 16;

const MAX_ENTITIES: usize = 256;

/// The document type is looked for in this many bytes.
const SEARCH_BYTES: usize = 8_192;

/// `source` with its declared entities replaced and its document type removed; unchanged if that
/// declares nothing.
pub(super) fn expand_entities(source: &str) -> Cow<'_, str> {
    let head = &source.as_bytes()[..source.len().min(SEARCH_BYTES)];
    let Some(start) = head.windows(9).position(|window| window.eq_ignore_ascii_case(b"<!doctype")) else {
        return source.into();
    };
    let declaration = &source[start..];
    let subset = match declaration.find(['[', '>']) {
        Some(at) if declaration[at..].starts_with('[') => &declaration[at + 1..],
        _ => return source.into(),
    };
    let end = end(subset);
    let entities = entities(&subset[..end]);
    let rest = subset[end..].split_once('>').map_or("", |(_, rest)| rest);
    let mut text = String::with_capacity(source.len());
    text.push_str(&source[..start]);
    let mut parts = rest.split('&');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let reference = part.split_once(';').and_then(|(name, rest)| Some((*entities.get(name)?, rest)));
        let (value, rest) = reference.unwrap_or(("&", part));
        text.push_str(value);
        text.push_str(rest);
    }
    text.into()
}

/// The end of an internal subset: the first bracket outside of quotes.
fn end(subset: &str) -> usize {
    let mut quote = None;
    let end = subset.bytes().position(|byte| {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b']') => return true,
            _ => {}
        }
        false
    });
    end.unwrap_or(subset.len())
}

fn entities(subset: &str) -> HashMap<&str, &str> {
    let declared = subset.split("<!ENTITY").skip(1).take(MAX_ENTITIES);
    let entity = declared.filter_map(|entity| {
        let (name, value) = entity.trim_start().split_once(char::is_whitespace)?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let value = value[1..].split(quote).next()?;
        Some((name, if value.len() <= MAX_VALUE_BYTES { value } else { "" }))
    });
    entity.collect()
}

#[cfg(test)]
mod tests {
    use super::expand_entities;

    #[test]
    fn short_entities_are_written_out_and_all_others_vanish() {
        let page = "<?xml version='1.0'?><!DOCTYPE html [ <!ENTITY dash \"&#8212;\"> <!ENTITY x '> & ] \"'>\
                    <!ENTITY bomb \"&dash;&dash;&dash;&dash;]&dash;\"> ]><p>a&dash;b &bomb;&amp; &c;</p>";
        assert_eq!(expand_entities(page), "<?xml version='1.0'?><p>a&#8212;b &amp; &c;</p>");
        for plain in [
            "<!DOCTYPE html><p>[x]</p>",
            "<p>x</p>",
            "",
            "<!DOCTYPE",
            "<!DOCTYPE html PUBLIC '-//W3C' 'x'>&y;",
        ] {
            assert_eq!(expand_entities(plain), plain);
        }
        let nested = "<!DOCTYPE x [".repeat(100_000);
        assert_eq!(expand_entities(&nested), "");
    }
}
