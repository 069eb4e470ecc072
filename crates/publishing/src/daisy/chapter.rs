//! A chapter's text and its SMIL.

use std::io::{self, Write};

use super::{
    Book, Clip, Escaped, GENERATOR, HEADING, Layout, Seconds, book_title, chapter_title, clock, stem,
    write_head, write_meta,
};
use crate::{epub::title_paragraphs, markup::Lines};

pub(super) struct Page<'a> {
    pub(super) book: &'a Book,
    pub(super) at: usize,
    pub(super) text: &'a str,
    pub(super) layout: &'a Layout,
    /// The clip of each sentence of the layout; `None` where nothing was spoken.
    pub(super) clips: &'a [Option<Clip>],
}

impl Page<'_> {
    /// The number of paragraphs that are the chapter's title.
    fn headings(&self) -> usize {
        title_paragraphs(self.text, self.layout, &chapter_title(self.book, self.at))
    }

    /// The id of a sentence in the text.
    fn sentence_id(number: usize) -> String {
        format!("s{}", number + 1)
    }

    /// The first element of the text that the SMIL plays.
    fn write_heading(&self, out: &mut dyn Write) -> io::Result<()> {
        let level = self.book.levels()[self.at];
        let title = chapter_title(self.book, self.at);
        writeln!(out, "<h{level} id=\"{HEADING}\">{}</h{level}>", Escaped(&title))
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_head(self.book, &chapter_title(self.book, self.at), false, out)?;
        writeln!(out, "</head>\n<body>")?;
        let level = self.book.levels()[self.at];
        let headings = self.headings();
        if headings == 0 {
            self.write_heading(out)?;
        }
        for (number, paragraph) in self.layout.paragraphs.iter().enumerate() {
            let (open, close) = match number {
                0 if headings > 0 => (format!("h{level} id=\"{HEADING}\""), format!("h{level}")),
                _ => ("p".to_owned(), "p".to_owned()),
            };
            write!(out, "<{open}>")?;
            let mut at = paragraph.range.start;
            for sentence in paragraph.sentences.clone() {
                if self.clips[sentence].is_some() {
                    let range = &self.layout.sentences[sentence].range;
                    let (before, text) = (&self.text[at..range.start], &self.text[range.clone()]);
                    let id = Self::sentence_id(sentence);
                    write!(out, "{}<span id=\"{id}\">{}</span>", Lines(before), Lines(text))?;
                    at = range.end;
                }
            }
            writeln!(out, "{}</{close}>", Lines(&self.text[at..paragraph.range.end]))?;
        }
        writeln!(out, "</body>\n</html>")
    }

    /// The first event is the heading's, which the navigation control centre leads to. It has the
    /// first clip: that of the heading's own sentence, or that of the first sentence when the
    /// heading is not spoken.
    pub(super) fn write_smil(&self, elapsed_ms: u64, out: &mut dyn Write) -> io::Result<()> {
        let duration_ms = self.book.chapters[self.at].duration_ms;
        writeln!(
            out,
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <!DOCTYPE smil PUBLIC \"-//W3C//DTD SMIL 1.0//EN\" \"http://www.w3.org/TR/REC-smil/SMIL10.dtd\">\n\
             <smil>\n<head>"
        )?;
        write_meta("dc:format", "Daisy 2.02", out)?;
        write_meta("dc:identifier", &self.book.identifier.to_string(), out)?;
        write_meta("dc:title", &book_title(self.book), out)?;
        write_meta("title", &chapter_title(self.book, self.at), out)?;
        write_meta("ncc:generator", GENERATOR, out)?;
        write_meta("ncc:timeInThisSmil", &clock(duration_ms, 2), out)?;
        write_meta("ncc:totalElapsedTime", &clock(elapsed_ms, 2), out)?;
        writeln!(out, "<layout>\n<region id=\"txtView\" />\n</layout>\n</head>\n<body>")?;
        writeln!(out, "<seq dur=\"{}\">", Seconds(duration_ms))?;
        let mut spoken =
            self.clips.iter().enumerate().filter_map(|(at, clip)| Some((at, (*clip)?))).peekable();
        let first = spoken.next_if(|(at, _)| self.is_in_heading(*at) || self.headings() == 0);
        let whole = || (duration_ms > 0).then_some(Clip { begin_ms: 0, end_ms: duration_ms });
        let is_only_heading = first.is_none() && spoken.peek().is_none();
        match first {
            Some((at, clip)) if self.headings() == 0 => {
                // The heading is silent, so its event plays the first sentence.
                self.write_event(HEADING, &Self::sentence_id(at), Some(clip), out)?;
            }
            Some((_, clip)) => self.write_event(HEADING, HEADING, Some(clip), out)?,
            None => {
                let clip = if is_only_heading { whole() } else { None };
                self.write_event(HEADING, HEADING, clip, out)?;
            }
        }
        for (at, clip) in spoken {
            let id = Self::sentence_id(at);
            self.write_event(&id, &id, Some(clip), out)?;
        }
        writeln!(out, "</seq>\n</body>\n</smil>")
    }

    fn is_in_heading(&self, sentence: usize) -> bool {
        self.layout.paragraphs.first().is_some_and(|paragraph| paragraph.sentences.contains(&sentence))
    }

    fn write_event(&self, id: &str, text: &str, clip: Option<Clip>, out: &mut dyn Write) -> io::Result<()> {
        let stem = stem(self.at);
        writeln!(
            out,
            "<par endsync=\"last\" id=\"{id}\">\n<text src=\"{stem}.html#{text}\" id=\"t{id}\" />"
        )?;
        if let Some(clip) = clip {
            writeln!(
                out,
                "<audio src=\"{stem}.mp3\" clip-begin=\"npt={}\" clip-end=\"npt={}\" id=\"a{id}\" />",
                Seconds(clip.begin_ms),
                Seconds(clip.end_ms)
            )?;
        }
        writeln!(out, "</par>")
    }
}
