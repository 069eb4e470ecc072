//! What a book's file says about the book besides its title, its author and its chapters.
//!
//! `mp3` and `mp4` write the values under the names that players read. The names were looked up in
//! Audiobookshelf's scanner, in Mp3tag's table of fields and in what ffprobe displays.

use super::BookOptions;
use crate::audio::clean_text;

/// Values are cut to this many characters.
const MAX_CHARS: usize = 500;

/// The description is cut to this many characters.
const MAX_DESCRIPTION_CHARS: usize = 4_000;

/// A year has four digits in both formats.
const MAX_YEAR: u32 = 9_999;

/// Facts about a book for its file's tags. Control characters are removed and long values are cut:
/// the description at 4,000 characters, the others at 500.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookTags {
    /// Who reads the book.
    pub narrator: Option<String>,
    /// The publisher.
    pub publisher: Option<String>,
    /// The year of publication. Years after 9999 and the year 0 are left out.
    pub year: Option<u32>,
    /// What the book is about. It may have several lines.
    pub description: Option<String>,
    /// The series to which the book belongs.
    pub series: Option<String>,
    /// The book's place in the series, such as `2` or `2.5`. It is left out when there is no
    /// series.
    pub series_index: Option<String>,
    /// The ISBN, as the caller writes it.
    pub isbn: Option<String>,
    /// The copyright notice.
    pub copyright: Option<String>,
}

impl BookTags {
    /// The values that files can hold.
    pub(super) fn made_sound(self) -> Self {
        let text = |text: Option<String>| clean_text(text.as_deref(), MAX_CHARS);
        let series = text(self.series);
        Self {
            narrator: text(self.narrator),
            publisher: text(self.publisher),
            year: self.year.filter(|year| (1..=MAX_YEAR).contains(year)),
            description: clean_lines(self.description.as_deref(), MAX_DESCRIPTION_CHARS),
            series_index: text(self.series_index).filter(|_| series.is_some()),
            series,
            isbn: text(self.isbn),
            copyright: text(self.copyright),
        }
    }

    /// The year in the form of both formats.
    pub(super) fn year_text(&self) -> Option<String> {
        self.year.map(|year| format!("{year:04}"))
    }

    /// The place in the series where a format has room only for a whole number.
    pub(super) fn series_number(&self) -> Option<u16> {
        self.series_index.as_deref()?.parse().ok()
    }
}

impl BookOptions {
    /// The name of the whole book, of which the file may be one chapter.
    pub(super) fn album_title(&self) -> Option<&str> {
        self.album.as_deref().or(self.title.as_deref())
    }
}

/// A file's number and the number of files (0 when it is unknown); `None` for a number 0.
pub(super) fn sound_track((number, of): (u32, u32)) -> Option<(u32, u32)> {
    (number > 0).then_some((number, if of < number { 0 } else { of }))
}

/// Like [`clean_text`], but keeps the line feeds. Other line ends become line feeds.
fn clean_lines(text: Option<&str>, most_chars: usize) -> Option<String> {
    let mut last = ' ';
    let ends = text?.chars().filter_map(|char| {
        let follows = char == '\n' && last == '\r';
        last = char;
        (!follows).then_some(if char == '\r' { '\n' } else { char })
    });
    let text: String = ends.filter(|&c| c == '\n' || !c.is_control()).take(most_chars).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_keeps_its_lines_and_nothing_else_that_is_a_control_character() {
        let clean = |text| clean_lines(Some(text), 20);
        assert_eq!(
            clean(" One.\r\nTwo.\rThree.\n\n\u{7}Four.\0 ").as_deref(),
            Some("One.\nTwo.\nThree.\n\nF")
        );
        assert_eq!(clean("\r\n\r\n\u{1}\t"), None);
    }

    #[test]
    fn a_track_number_is_possible_or_left_out() {
        assert_eq!(sound_track((3, 12)), Some((3, 12)));
        assert_eq!(sound_track((3, 2)), Some((3, 0)));
        assert_eq!(sound_track((0, 12)), None);
    }
}
