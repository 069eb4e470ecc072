//! The tags that ElevenLabs takes in a text, in Lectern's words: `<break time="1.5s"/>` becomes `[pause 1.5s]`, and
//! `<phoneme alphabet="ipa" ph="…">word</phoneme>` becomes `[word](/…/)`.
//!
//! Everything else stays as it is, and so does a tag that is not well-formed: it is read as text.

mod arpabet;

use std::borrow::Cow;

use quick_xml::{XmlVersion, events::BytesStart};

/// The most bytes of a tag, or of a word in `<phoneme>` with its tags. More is text.
const LONGEST: usize = 600;

/// Replaces the tags of a whole text.
pub(super) fn replace(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut tags = Tags::default();
    let mut replaced = tags.push(text);
    replaced.push_str(&tags.finish());
    Cow::Owned(replaced)
}

/// Replaces the tags of a text that comes in pieces, which may cut a tag.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// What may be the beginning of a tag.
    held: String,
}

/// What a text that begins with `<` begins with.
enum Begins {
    /// This many bytes are a tag, which means this.
    Tag(usize, String),
    /// It may be a tag when more of it is there.
    Unfinished,
    Text,
}

impl Tags {
    /// The text up to the end of this piece, but for what may be the beginning of a tag.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let held = std::mem::take(&mut self.held);
        let mut done = String::with_capacity(held.len());
        let mut rest = held.as_str();
        while let Some(at) = rest.find('<') {
            done.push_str(&rest[..at]);
            rest = &rest[at..];
            match begins(rest) {
                Begins::Tag(bytes, meaning) => {
                    done.push_str(&meaning);
                    rest = &rest[bytes..];
                }
                Begins::Unfinished if rest.len() <= LONGEST => {
                    rest.clone_into(&mut self.held);
                    return done;
                }
                Begins::Unfinished | Begins::Text => {
                    done.push('<');
                    rest = &rest[1..];
                }
            }
        }
        done.push_str(rest);
        done
    }

    /// What was held back: no more comes.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

fn begins(text: &str) -> Begins {
    let sent = &text.as_bytes()[1..];
    let may_be = |name: &&str| name.as_bytes().starts_with(&sent[..sent.len().min(name.len())]);
    let Some(name) = ["break", "phoneme"].into_iter().find(may_be) else { return Begins::Text };
    let Some(end) = text.find('>') else { return Begins::Unfinished };
    let (tag, is_empty) = match text[1..end].strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (&text[1..end], false),
    };
    if !tag[name.len().min(tag.len())..].starts_with([' ', '\t', '\n']) {
        return Begins::Text;
    }
    let tag = BytesStart::from_content(tag, name.len());
    if name == "break" {
        let pause = attribute(&tag, "time").filter(|_| is_empty);
        return pause.map_or(Begins::Text, |time| Begins::Tag(end + 1, format!("[pause {time}]")));
    }
    if is_empty {
        return Begins::Text;
    }
    let Some(length) = text[end + 1..].find("</phoneme>") else { return Begins::Unfinished };
    let word = &text[end + 1..end + 1 + length];
    let whole = end + 1 + length + "</phoneme>".len();
    let Some(sounds) = attribute(&tag, "ph") else { return Begins::Text };
    let sounds = match attribute(&tag, "alphabet").as_deref() {
        None | Some("ipa") => Some(sounds),
        Some("cmu-arpabet" | "cmu") => arpabet::to_ipa(&sounds),
        Some(_) => None,
    };
    // A word of sounds that nobody knows is read as it is written.
    let meaning = sounds.map_or_else(|| word.to_owned(), |sounds| format!("[{word}](/{sounds}/)"));
    Begins::Tag(whole, meaning)
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_marks() {
        for (sent, read) in [
            (r#"One. <break time="1.5s" /> Two."#, "One. [pause 1.5s] Two."),
            (r"<break time='300ms'/>x", "[pause 300ms]x"),
            (
                r#"My <phoneme alphabet="ipa" ph="ˈæktʃuəli">actually</phoneme>."#,
                "My [actually](/ˈæktʃuəli/).",
            ),
            (
                r#"<phoneme alphabet="cmu-arpabet" ph="M AE1 D IH0 S AH0 N">Madison</phoneme>"#,
                "[Madison](/mˈædɪsən/)",
            ),
            // Nothing that is known.
            (r#"<phoneme alphabet="cmu-arpabet" ph="M XX">Mad</phoneme>"#, "Mad"),
            (r#"<phoneme alphabet="sampa" ph="x">Mad</phoneme>"#, "Mad"),
        ] {
            assert_eq!(replace(sent), read);
        }
    }

    #[test]
    fn what_is_no_tag_stays() {
        for text in [
            "1 < 2 > 1",
            "<breakfast>",
            "<break>",
            "<break/>",
            r#"<break time="1s">"#,
            r#"<break time="1s"#,
            r#"<break strength="weak"/>"#,
            r#"<phoneme ph="x"/>"#,
            r#"<phoneme ph="x">never ends"#,
            "<b>",
            "<",
            "a<é",
            "<ééééé>",
        ] {
            assert_eq!(replace(text), text);
        }
    }

    #[test]
    fn a_tag_may_be_cut_anywhere() {
        let sent = r#"a <break time="1s"/> b <phoneme alphabet="ipa" ph="bˈiː">b</phoneme> c < d"#;
        let whole = replace(sent);
        for cut in sent.char_indices().map(|(at, _)| at) {
            let mut tags = Tags::default();
            let read = [tags.push(&sent[..cut]), tags.push(&sent[cut..]), tags.finish()].concat();
            assert_eq!(read, whole, "cut at {cut}");
        }
    }

    #[test]
    fn what_never_ends_is_not_held_for_ever() {
        let mut tags = Tags::default();
        assert_eq!(tags.push("<break "), "");
        let long = "x".repeat(LONGEST);
        assert_eq!(tags.push(&long), format!("<break {long}"));
    }
}
