//! Letters: mails that tell an account something, in its own language, as plain text and as HTML.
//! The words of each language are in `letters/texts`; the look is in `letters/letter.html`.

pub mod figures;

use std::collections::BTreeMap;

use lectern_types::PageLanguage;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, value::Serde};
use serde::{Deserialize, Serialize};

use super::Mail;
use crate::{
    branding,
    error::{Error, Result},
};

/// The frame of every letter.
const HTML: &str = include_str!("letters/letter.html");

/// What a letter says. Its texts are named in `letters/texts`.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The name of its texts.
    pub name: &'static str,
    /// What is put into them.
    pub values: BTreeMap<&'static str, String>,
    /// The name of the text that is put into them as `reason`.
    pub reason: Option<String>,
    /// Rows of a small table: the name of the row's text, and its value.
    pub rows: Vec<(&'static str, String)>,
    /// Where its button leads; `None` for a letter without a button.
    pub url: Option<String>,
    /// Where the reader turns such letters off; `None` for a letter that everybody gets.
    pub settings_url: Option<String>,
}

/// The words of one language.
#[derive(Debug, Deserialize)]
struct Texts {
    greeting: String,
    /// Under a letter that can be turned off.
    settings: String,
    letters: BTreeMap<String, Words>,
    rows: BTreeMap<String, String>,
    reasons: BTreeMap<String, String>,
}

/// The words of one letter.
#[derive(Debug, Deserialize)]
struct Words {
    subject: String,
    paragraphs: Vec<String>,
    #[serde(default)]
    button: String,
}

/// What the frame shows.
#[derive(Serialize)]
struct Frame<'a> {
    language: &'a str,
    subject: &'a str,
    greeting: &'a str,
    paragraphs: &'a [String],
    rows: &'a [(String, String)],
    button: &'a str,
    url: Option<&'a str>,
    settings: Option<(&'a str, &'a str)>,
    service: &'a str,
    color: &'a str,
    text_color: &'a str,
    support: Option<&'a str>,
}

/// Who sends a letter.
#[derive(Debug, Clone, Copy)]
pub struct Sender<'a> {
    /// The name of the service.
    pub service: &'a str,
    /// The colour of the button, as CSS writes it.
    pub color: &'a str,
    /// The colour of the text on it.
    pub text_color: &'a str,
    /// Where readers get help.
    pub support: Option<&'a str>,
}

impl Default for Sender<'_> {
    fn default() -> Self {
        Self { service: branding::NAME, color: "#0d544c", text_color: "#ffffff", support: None }
    }
}

fn texts(language: PageLanguage) -> Result<Texts> {
    let json = match language {
        PageLanguage::En => include_str!("letters/texts/en.json"),
        PageLanguage::De => include_str!("letters/texts/de.json"),
        PageLanguage::Fr => include_str!("letters/texts/fr.json"),
        PageLanguage::Es => include_str!("letters/texts/es.json"),
        PageLanguage::Ja => include_str!("letters/texts/ja.json"),
    };
    serde_json::from_str(json).map_err(|error| Error::Internal(format!("the texts of letters: {error}")))
}

fn failed(error: &minijinja::Error) -> Error {
    Error::Internal(format!("a letter cannot be written: {error:#}"))
}

/// Writes a letter to `address`.
///
/// # Errors
/// [`Error::Internal`] when a text names a value that the letter does not have.
pub fn write(letter: &Letter, language: PageLanguage, address: &str, sender: Sender<'_>) -> Result<Mail> {
    let texts = texts(language)?;
    let words = texts.letters.get(letter.name);
    let words = words.ok_or_else(|| Error::Internal(format!("no texts of the letter {}", letter.name)))?;
    let mut values = letter.values.clone();
    if let Some(reason) = &letter.reason {
        // A reason that this program does not know is shown as it is.
        values.insert("reason", texts.reasons.get(reason).unwrap_or(reason).clone());
    }
    let plain = environment(false);
    let fill = |text: &str| plain.render_str(text, Serde(&values)).map_err(|error| failed(&error));
    let subject = fill(&words.subject)?;
    let paragraphs = words.paragraphs.iter().map(|text| fill(text)).collect::<Result<Vec<_>>>()?;
    let row = |(name, value): &(&str, String)| {
        let label = texts.rows.get(*name);
        let label = label.ok_or_else(|| Error::Internal(format!("no text of the row {name}")))?;
        Ok::<_, Error>((label.clone(), value.clone()))
    };
    let rows = letter.rows.iter().map(row).collect::<Result<Vec<_>>>()?;
    let settings = letter.settings_url.as_deref().map(|url| (texts.settings.as_str(), url));
    let frame = Frame {
        language: language.as_str(),
        subject: &subject,
        greeting: &texts.greeting,
        paragraphs: &paragraphs,
        rows: &rows,
        button: &words.button,
        url: letter.url.as_deref(),
        settings,
        service: sender.service,
        color: sender.color,
        text_color: sender.text_color,
        support: sender.support,
    };
    let html = environment(true).render_str(HTML, Serde(&frame));
    let html = html.map_err(|error| failed(&error))?;
    let text = as_text(&frame);
    Ok(Mail { to: address.to_owned(), subject, text, html: Some(html) })
}

/// Templates that may name no value that is not there.
fn environment(escapes_html: bool) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .set_auto_escape_callback(move |_| if escapes_html { AutoEscape::Html } else { AutoEscape::None });
    environment
}

fn as_text(frame: &Frame<'_>) -> String {
    let mut blocks = vec![frame.greeting.to_owned()];
    blocks.extend(frame.paragraphs.iter().cloned());
    if !frame.rows.is_empty() {
        let rows: Vec<String> = frame.rows.iter().map(|(label, value)| format!("{label}: {value}")).collect();
        blocks.push(rows.join("\n"));
    }
    blocks.extend(frame.url.map(|url| format!("{}:\n{url}", frame.button)));
    blocks.push(
        frame
            .support
            .map_or_else(|| frame.service.to_owned(), |support| format!("{} ({support})", frame.service)),
    );
    if let Some((settings, url)) = frame.settings {
        blocks.push(format!("{settings}\n{url}"));
    }
    let text = blocks.join("\n\n");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Letters to the operator are in English.
    const TO_THE_OPERATOR: &[&str] = &["purchase_requested"];

    /// The names of values in a text.
    fn names(text: &str) -> BTreeSet<String> {
        let environment = Environment::new();
        environment.template_from_str(text).unwrap().undeclared_variables(false).into_iter().collect()
    }

    #[test]
    fn every_language_has_the_same_letters_with_the_same_values() {
        let english = texts(PageLanguage::En).unwrap();
        for language in PageLanguage::ALL {
            let other = texts(*language).unwrap();
            let to_customers = |name: &&String| !TO_THE_OPERATOR.contains(&name.as_str());
            let (own, known) = (other.letters.keys(), english.letters.keys());
            assert!(own.filter(to_customers).eq(known.filter(to_customers)), "{language}");
            assert!(other.rows.keys().eq(english.rows.keys()), "{language}");
            assert!(other.reasons.keys().eq(english.reasons.keys()), "{language}");
            for (name, translated) in &other.letters {
                let words = &english.letters[name];
                assert_eq!(names(&words.subject), names(&translated.subject), "{language} {name}");
                assert_eq!(
                    names(&words.paragraphs.join("\n")),
                    names(&translated.paragraphs.join("\n")),
                    "{language} {name}"
                );
            }
        }
    }

    // Negative control: without escaping in the frame the title becomes an element.
    #[test]
    fn a_title_is_never_read_as_html() {
        let letter = Letter {
            name: "book_ready",
            values: BTreeMap::from([
                ("title", "<b>1 & 2</b> {{ url }}".to_owned()),
                ("duration", "5 min".to_owned()),
            ]),
            reason: None,
            rows: Vec::new(),
            url: Some("https://speech.example.com/books/mat_1".to_owned()),
            settings_url: Some("https://speech.example.com/settings".to_owned()),
        };
        let mail = write(&letter, PageLanguage::En, "ada@example.com", Sender::default()).unwrap();
        let html = mail.html.unwrap();
        assert!(html.contains("&lt;b&gt;1 &amp; 2&lt;&#x2f;b&gt; {{ url }}"), "{html}");
        assert!(mail.text.contains("<b>1 & 2</b> {{ url }}"), "{}", mail.text);
        assert!(mail.text.contains(":\nhttps://speech.example.com/books/mat_1\n"), "{}", mail.text);
        assert!(mail.subject.contains("<b>1 & 2</b>"), "{}", mail.subject);
    }
}
