//! Style sheets, as far as they say how a text is spoken: rules with properties of CSS Speech. `selectors` says which
//! elements they are about. Everything else is passed over.

mod selectors;

use cssparser::{Delimiter, Delimiters, ParseError, Parser, Token};

pub(super) use selectors::{Place, Selector};

/// Rules about speech beyond this number are ignored.
const MOST_RULES: usize = 100;

/// How deep rules for media may be nested.
const MOST_NESTED: u8 = 4;

/// The longest pause that a document may ask for.
pub(super) const LONGEST_PAUSE_MS: u32 = 10_000;

/// The longest name of a voice.
const LONGEST_NAME: usize = 60;

/// How characters are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As words.
    None,
    /// Letter by letter.
    Letters,
    /// Digit by digit.
    Digits,
}

/// Who says a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Voice {
    Narrator,
    Named(String),
}

impl Voice {
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Narrator => None,
            Self::Named(name) => Some(name),
        }
    }
}

/// What is said of an element; `None` for what is not said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpeechStyle {
    pub(crate) silent: Option<bool>,
    pub(crate) spelling: Option<Spelling>,
    pause_before_ms: Option<u32>,
    rest_before_ms: Option<u32>,
    rest_after_ms: Option<u32>,
    pause_after_ms: Option<u32>,
    pub(crate) voice: Option<Voice>,
}

impl SpeechStyle {
    /// The pause before the element in milliseconds.
    pub(crate) fn before_ms(&self) -> u32 {
        sum(self.pause_before_ms, self.rest_before_ms)
    }

    pub(crate) fn after_ms(&self) -> u32 {
        sum(self.rest_after_ms, self.pause_after_ms)
    }

    /// Takes over what a later declaration says.
    pub(super) fn add(&mut self, later: &Self) {
        self.silent = later.silent.or(self.silent);
        self.spelling = later.spelling.or(self.spelling);
        self.pause_before_ms = later.pause_before_ms.or(self.pause_before_ms);
        self.rest_before_ms = later.rest_before_ms.or(self.rest_before_ms);
        self.rest_after_ms = later.rest_after_ms.or(self.rest_after_ms);
        self.pause_after_ms = later.pause_after_ms.or(self.pause_after_ms);
        if later.voice.is_some() {
            self.voice.clone_from(&later.voice);
        }
    }
}

fn sum(one: Option<u32>, other: Option<u32>) -> u32 {
    one.unwrap_or(0).saturating_add(other.unwrap_or(0)).min(LONGEST_PAUSE_MS)
}

/// A rule about speech.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub(super) selector: Selector,
    pub(super) style: SpeechStyle,
}

/// Whether a style sheet may say anything about speech.
pub(super) fn may_speak(css: &str) -> bool {
    ["speak", "pause", "rest-", "rest:", "voice-family"].iter().any(|word| css.contains(word))
}

/// Adds the rules about speech of a style sheet, in its order.
pub(crate) fn parse(css: &str, rules: &mut Vec<Rule>) {
    if may_speak(css) {
        sheet(&mut Parser::new(css), 0, rules);
    }
}

/// The declarations of a `style` attribute.
pub(super) fn inline(css: &str) -> SpeechStyle {
    declarations(&mut Parser::new(css))
}

fn sheet(input: &mut Parser<'_>, nested: u8, rules: &mut Vec<Rule>) {
    while rules.len() < MOST_RULES {
        input.skip_whitespace();
        let begun = input.state();
        let at_rule = match input.next() {
            Err(_) => return,
            Ok(Token::AtKeyword(name)) => Some(name.to_ascii_lowercase()),
            Ok(_) => None,
        };
        let ends = if at_rule.is_some() {
            Delimiter::CurlyBracketBlock | Delimiter::Semicolon
        } else {
            input.reset(&begun);
            Delimiter::CurlyBracketBlock
        };
        let prelude = skipped(input, ends);
        if !matches!(input.next(), Ok(Token::CurlyBracketBlock)) {
            continue;
        }
        let _ = input.parse_nested_block(|block| {
            match at_rule.as_deref() {
                None => rule(prelude, block, rules),
                Some("media") if nested < MOST_NESTED && is_spoken(prelude) => {
                    sheet(block, nested + 1, rules);
                }
                Some(_) => {}
            }
            Ok::<_, ParseError<()>>(())
        });
    }
}

/// The text up to one of these.
fn skipped<'i>(input: &mut Parser<'i>, ends: Delimiters) -> &'i str {
    let start = input.position();
    let _ = input.parse_until_before(ends, |rest| {
        while rest.next().is_ok() {}
        Ok::<_, ParseError<()>>(())
    });
    input.slice_from(start)
}

/// Whether a list of media has one in which a text is heard.
pub(super) fn is_spoken(media: &str) -> bool {
    media.split(',').any(|one| {
        let one = one.trim().to_ascii_lowercase();
        one.is_empty() || ["all", "speech", "aural"].contains(&one.as_str())
    })
}

fn rule(prelude: &str, block: &mut Parser<'_>, rules: &mut Vec<Rule>) {
    let style = declarations(block);
    if style == SpeechStyle::default() {
        return;
    }
    let mut input = Parser::new(prelude);
    loop {
        let one = skipped(&mut input, Delimiter::Comma);
        if let Some(selector) = Selector::parse(one).filter(|_| rules.len() < MOST_RULES) {
            rules.push(Rule { selector, style: style.clone() });
        }
        if input.next().is_err() {
            return;
        }
    }
}

fn declarations(input: &mut Parser<'_>) -> SpeechStyle {
    let mut style = SpeechStyle::default();
    loop {
        let text = skipped(input, Delimiter::Semicolon);
        declaration(&mut Parser::new(text), &mut style);
        if input.next().is_err() {
            return style;
        }
    }
}

fn declaration(input: &mut Parser<'_>, style: &mut SpeechStyle) {
    let Ok(name) = input.expect_ident_cloned() else { return };
    if input.expect_colon().is_err() {
        return;
    }
    let name = name.to_ascii_lowercase();
    let mut values: Vec<Token<'_>> = Vec::new();
    while let Ok(token) = input.next() {
        if *token == Token::Delim('!') {
            break;
        }
        values.push(token.clone());
    }
    let times: Vec<u32> = values.iter().filter_map(milliseconds).collect();
    let (first, last) = (times.first().copied(), times.last().copied());
    let words: Vec<String> = values.iter().filter_map(word).collect();
    let has = |word: &str| words.iter().any(|own| own == word);
    match name.strip_prefix("-epub-").unwrap_or(&name) {
        "speak" if has("none") || has("never") => style.silent = Some(true),
        "speak" if has("auto") || has("always") || has("normal") => style.silent = Some(false),
        "speak" | "speak-as" if has("spell-out") => style.spelling = Some(Spelling::Letters),
        "speak" | "speak-as" if has("digits") => style.spelling = Some(Spelling::Digits),
        "speak-as" if has("normal") => style.spelling = Some(Spelling::None),
        "pause" if first.is_some() => (style.pause_before_ms, style.pause_after_ms) = (first, last),
        "rest" if first.is_some() => (style.rest_before_ms, style.rest_after_ms) = (first, last),
        "pause-before" if first.is_some() => style.pause_before_ms = first,
        "pause-after" if first.is_some() => style.pause_after_ms = first,
        "rest-before" if first.is_some() => style.rest_before_ms = first,
        "rest-after" if first.is_some() => style.rest_after_ms = first,
        "voice-family" => style.voice = Some(voice(&values).map_or(Voice::Narrator, Voice::Named)),
        _ => {}
    }
}

fn word(token: &Token<'_>) -> Option<String> {
    match token {
        Token::Ident(word) => Some(word.to_ascii_lowercase()),
        _ => None,
    }
}

/// A length of time, or a strength as long as the pauses of a text.
fn milliseconds(token: &Token<'_>) -> Option<u32> {
    match token {
        Token::Dimension { value, unit, .. } => {
            let per = if unit.eq_ignore_ascii_case("s") {
                1_000.0
            } else if unit.eq_ignore_ascii_case("ms") {
                1.0
            } else {
                return None;
            };
            (*value >= 0.0).then(|| (value * per).min(LONGEST_PAUSE_MS as f32) as u32)
        }
        Token::Ident(word) => Some(match word.to_ascii_lowercase().as_str() {
            "none" => 0,
            "x-weak" => 150,
            "weak" => 300,
            "medium" => crate::pauses::PARAGRAPH_MS,
            "strong" => crate::pauses::SCENE_MS,
            "x-strong" => crate::pauses::CHAPTER_MS,
            _ => return None,
        }),
        _ => None,
    }
}

/// Kinds of voices and words that are no names.
const GENERIC: &[&str] =
    &["male", "female", "neutral", "child", "young", "old", "preserve", "inherit", "initial", "unset"];

/// The first voice of a list that has a name.
fn voice(values: &[Token<'_>]) -> Option<String> {
    values.split(|token| *token == Token::Comma).find_map(|family| {
        let is_generic = |token: &Token<'_>| word(token).is_some_and(|word| GENERIC.contains(&word.as_str()));
        if family.iter().all(is_generic) {
            return None;
        }
        let words = family.iter().map(|token| match token {
            Token::QuotedString(name) | Token::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        let name = words.collect::<Option<Vec<_>>>()?.join(" ");
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_name = !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.contains([']', '[']);
        is_name.then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(css: &str) -> Vec<Rule> {
        let mut rules = Vec::new();
        parse(css, &mut rules);
        rules
    }

    #[test]
    fn properties_of_speech_are_read_with_and_without_the_prefix_of_epub() {
        let one = |css: &str| rules(css).pop().map(|rule| rule.style).unwrap_or_default();
        assert_eq!(one("p { color: red; -epub-speak: none }").silent, Some(true));
        assert_eq!(one("p { speak: always !important; x: {a:b}; y: z }").silent, Some(false));
        assert_eq!(one("abbr { speak-as: spell-out }").spelling, Some(Spelling::Letters));
        assert_eq!(one("b { -epub-speak-as: digits }").spelling, Some(Spelling::Digits));
        let paused = one("p { pause: 300ms 1s; rest-before: 0.2s; cue: url(x.mp3) }");
        assert_eq!((paused.before_ms(), paused.after_ms()), (500, 1_000));
        assert_eq!(one("p { pause-before: strong }").before_ms(), 1_000);
        assert_eq!(one("p { pause-after: 900s }").after_ms(), LONGEST_PAUSE_MS);
        assert_eq!(one("p { pause-after: -1s }"), SpeechStyle::default());
        assert_eq!(one("q { voice-family: 'Ines', female }").voice, Some(Voice::Named("Ines".to_owned())));
        assert_eq!(one("q { voice-family: Old Tom, male }").voice, Some(Voice::Named("Old Tom".to_owned())));
        assert_eq!(one("q { voice-family: female }").voice, Some(Voice::Narrator));
    }

    #[test]
    fn rules_for_other_media_and_broken_ones_are_passed_over() {
        let css = "@import 'x.css'; @charset \"x\"; @media print { a { speak: none } } @media speech, screen { b { speak: none } } \
            c { speak: none } } d { speak: none; } e, f:hover { speak: none } g { color: red } @font-face { speak: none } h {speak:none";
        let names: Vec<_> = rules(css).iter().map(|rule| rule.selector.name().unwrap().to_owned()).collect();
        assert_eq!(names.first().map(String::as_str), Some("b"), "{names:?}");
        for (name, there) in [("a", false), ("c", true), ("e", true), ("f", false), ("g", false), ("h", true)]
        {
            assert_eq!(names.iter().any(|own| own == name), there, "{name}: {names:?}");
        }
    }

    #[test]
    fn floods_are_bounded() {
        assert!(rules(&format!("{}p {{ speak: none }}", "@media all {".repeat(200_000))).len() <= 1);
        assert!(rules(&format!("p {{ speak: none; x: {} }}", "{".repeat(200_000))).len() <= 1);
        assert_eq!(rules(&"p { speak: none }".repeat(1_000)).len(), MOST_RULES);
    }
}
