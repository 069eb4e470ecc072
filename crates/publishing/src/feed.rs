//! Podcast feeds of a book's chapters: RSS 2.0 with the elements of Apple Podcasts and of the
//! podcast namespace.

use std::fmt::{self, Write as _};

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde_json::json;
use uuid::Uuid;

use crate::markup::{Escaped, language, one_line};

/// A feed. URLs are absolute.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "there are several URLs, and `url` would not say which")]
pub struct Feed {
    /// The book's title.
    pub title: String,
    /// A few sentences about the book; the title when there are none.
    pub description: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// A BCP 47 tag.
    pub language: Option<String>,
    /// The copyright statement.
    pub copyright: Option<String>,
    /// The feed's own URL.
    pub feed_url: String,
    /// A page about the book.
    pub page_url: String,
    /// The cover, a square picture for best results.
    pub image_url: Option<String>,
    /// What identifies the feed; the same for later versions of it.
    pub guid: Uuid,
    /// When the book last changed.
    pub modified: Timestamp,
    /// Keeps directories from listing the feed, which is what a secret URL needs.
    pub private: bool,
    /// The chapters in reading order.
    pub episodes: Vec<Episode>,
}

/// A chapter as an episode.
#[derive(Debug, Clone)]
pub struct Episode {
    /// Its title; a chapter without one is named by its number.
    pub title: Option<String>,
    /// What identifies the episode; the same for later versions of it.
    pub guid: String,
    /// The MP3.
    pub audio_url: String,
    /// The MP3's size.
    pub audio_bytes: u64,
    /// The length of the audio.
    pub duration_ms: u64,
    /// The JSON of [`chapters_json`], if there is one.
    pub chapters_url: Option<String>,
}

/// A mark inside an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its title.
    pub title: String,
    /// Its start in the episode's audio.
    pub start_ms: u64,
}

/// The feed as RSS 2.0, in UTF-8.
///
/// Clients show a serial in the order of its episodes' numbers or dates, the oldest first. So the
/// dates rise by a minute from chapter to chapter, and the last is [`Feed::modified`].
pub fn rss(feed: &Feed) -> String {
    let mut text = String::with_capacity(2_000 + feed.episodes.len() * 800);
    // Writing to a string never fails.
    let _ = write_rss(feed, &mut text);
    text
}

fn write_rss(feed: &Feed, out: &mut String) -> fmt::Result {
    let title = one_line(Some(&feed.title)).unwrap_or_else(|| "Untitled".to_owned());
    let description = one_line(feed.description.as_deref()).unwrap_or_else(|| title.clone());
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
         xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" \
         xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">\n<channel>"
    )?;
    element("title", &title, out)?;
    element("link", &feed.page_url, out)?;
    element("description", &description, out)?;
    let language = language(feed.language.as_deref());
    if language != "und" {
        element("language", &language, out)?;
    }
    if let Some(copyright) = one_line(feed.copyright.as_deref()) {
        element("copyright", &copyright, out)?;
    }
    element("lastBuildDate", &date(feed.modified), out)?;
    element("generator", "Lectern", out)?;
    let self_url = Escaped(&feed.feed_url);
    writeln!(out, "<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"{self_url}\"/>")?;
    if let Some(author) = one_line(feed.author.as_deref()) {
        element("itunes:author", &author, out)?;
    }
    element("itunes:type", "serial", out)?;
    element("itunes:explicit", "false", out)?;
    writeln!(out, "<itunes:category text=\"Arts\"><itunes:category text=\"Books\"/></itunes:category>")?;
    if let Some(url) = &feed.image_url {
        writeln!(out, "<itunes:image href=\"{}\"/>", Escaped(url))?;
        writeln!(out, "<image>")?;
        element("url", url, out)?;
        element("title", &title, out)?;
        element("link", &feed.page_url, out)?;
        writeln!(out, "</image>")?;
    }
    element("podcast:guid", &feed.guid.to_string(), out)?;
    element("podcast:medium", "audiobook", out)?;
    // Other hosts may not import the feed.
    element("podcast:locked", "yes", out)?;
    if feed.private {
        element("itunes:block", "Yes", out)?;
        element("podcast:block", "yes", out)?;
    }
    for at in 0..feed.episodes.len() {
        write_item(feed, at, out)?;
    }
    writeln!(out, "</channel>\n</rss>")
}

fn write_item(feed: &Feed, at: usize, out: &mut String) -> fmt::Result {
    let episode = &feed.episodes[at];
    let title = one_line(episode.title.as_deref()).unwrap_or_else(|| format!("Chapter {}", at + 1));
    let minutes_before = i64::try_from(feed.episodes.len() - 1 - at).unwrap_or(0);
    let published =
        feed.modified.checked_sub(SignedDuration::from_mins(minutes_before)).unwrap_or(feed.modified);
    writeln!(out, "<item>")?;
    element("title", &title, out)?;
    writeln!(out, "<guid isPermaLink=\"false\">{}</guid>", Escaped(&episode.guid))?;
    element("pubDate", &date(published), out)?;
    writeln!(
        out,
        "<enclosure url=\"{}\" length=\"{}\" type=\"audio/mpeg\"/>",
        Escaped(&episode.audio_url),
        episode.audio_bytes
    )?;
    element("itunes:duration", &((episode.duration_ms + 500) / 1000).to_string(), out)?;
    element("itunes:episodeType", "full", out)?;
    element("itunes:episode", &(at + 1).to_string(), out)?;
    element("podcast:episode", &(at + 1).to_string(), out)?;
    if let Some(url) = &episode.chapters_url {
        writeln!(out, "<podcast:chapters url=\"{}\" type=\"application/json+chapters\"/>", Escaped(url))?;
    }
    writeln!(out, "</item>")
}

fn element(name: &str, text: &str, out: &mut String) -> fmt::Result {
    writeln!(out, "<{name}>{}</{name}>", Escaped(text))
}

/// A date as RFC 2822 wants it.
fn date(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// The marks as JSON for `podcast:chapters`; its media type is `application/json+chapters`.
pub fn chapters_json(marks: &[Mark]) -> String {
    let chapters: Vec<serde_json::Value> = marks
        .iter()
        .map(|Mark { title, start_ms }| json!({ "startTime": *start_ms as f64 / 1000.0, "title": title }))
        .collect();
    json!({ "version": "1.2.0", "chapters": chapters }).to_string()
}
