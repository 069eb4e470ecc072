//! A page's document type, which may declare entities of its own: short ones, as books use them for characters without
//! a name, are written out; all others vanish, so that nothing unfolds. What then is left of the type is nothing that a
//! reader of HTML could trip over.

use std::{borrow::Cow, collections::HashMap};

/// An entity is written out when what it stands for is no longer than this, bytes: nothing can grow much by them.
const VALUE_BYTES: usize = 16;

/// So many are known at most.
const ENTITIES: usize = 256;

/// The type is looked for in this many bytes.
const HEAD_BYTES: usize = 8_192;

/// `source` without a document type that declares something, and with what it declares.
pub(super) fn resolved(source: &str) -> Cow<'_, str> {
    let head = &source.as_bytes()[..source.len().min(HEAD_BYTES)];
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

/// Where a subset ends: at the first bracket outside of what it quotes.
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
    let declared = subset.split("<!ENTITY").skip(1).take(ENTITIES);
    let entity = declared.filter_map(|entity| {
        let (name, value) = entity.trim_start().split_once(char::is_whitespace)?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let value = value[1..].split(quote).next()?;
        Some((name, if value.len() <= VALUE_BYTES { value } else { "" }))
    });
    entity.collect()
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn short_entities_are_written_out_and_all_others_vanish() {
        let page = "<?xml version='1.0'?><!DOCTYPE html [ <!ENTITY dash \"&#8212;\"> <!ENTITY x '> & ] \"'>\
                    <!ENTITY bomb \"&dash;&dash;&dash;&dash;]&dash;\"> ]><p>a&dash;b &bomb;&amp; &c;</p>";
        assert_eq!(resolved(page), "<?xml version='1.0'?><p>a&#8212;b &amp; &c;</p>");
        for plain in [
            "<!DOCTYPE html><p>[x]</p>",
            "<p>x</p>",
            "",
            "<!DOCTYPE",
            "<!DOCTYPE html PUBLIC '-//W3C' 'x'>&y;",
        ] {
            assert_eq!(resolved(plain), plain);
        }
        let nested = "<!DOCTYPE x [".repeat(100_000);
        assert_eq!(resolved(&nested), "");
    }
}
