//! Writes the changed copy of a source: its files, and the added overlays and audio.

use std::{
    collections::HashSet,
    fmt::Write as _,
    io::{self, Read, Seek, Write},
};

use zip::result::ZipError;

use super::{
    container::Container,
    cover::NewCover,
    document::Document,
    metadata,
    package::{Item, Package, reference},
    plan::{Group, Plan, SpokenWords},
    selection::Selection,
    spans,
    toc::Toc,
    tree::Edits,
};
use crate::{
    Book, Contents, PublishError,
    archive::Archive,
    clips::{self, Clip},
    epub::{Granularity, overlay, package},
    markup::{Escaped, Seconds, one_line},
};

/// A document that got an overlay.
struct Overlaid {
    /// Its position in the spine.
    at: usize,
    duration_ms: u64,
}

/// A source that is kept.
pub(super) struct Source<'a, R: Read + Seek> {
    pub(super) container: Container<R>,
    pub(super) spoken: &'a SpokenWords,
    pub(super) plan: &'a Plan,
    /// Its lists of contents.
    pub(super) lists: Vec<Toc>,
}

impl<R: Read + Seek> Source<'_, R> {
    /// Makes what the book says true in the package, the lists of contents and the documents that show
    /// the cover; the documents and lists are changed in the container. Returns the changes of the
    /// package, the files that are not in the publication, and the file of a new cover.
    fn change(&mut self, book: &Book, folder: &str) -> (Edits, HashSet<String>, Option<String>) {
        let NewCover { file, mut edits } = NewCover::of(book, &mut self.container, folder);
        edits.extend(metadata::edits(book, &self.container.package));
        let selection = Selection::of(&mut self.container, self.plan, &self.lists);
        edits.extend(selection.edits(&self.container.package));
        let unlisted = selection.unlisted();
        for toc in &self.lists {
            let mut changes = toc.titles(book, self.plan, self.spoken);
            changes.extend(toc.without(&unlisted).unwrap_or_default());
            if !changes.is_empty() {
                self.container.replaced.insert(toc.path.clone(), toc.changed(changes));
            }
        }
        (edits, selection.dropped, file)
    }

    pub(super) fn write<W: Write + Seek>(
        mut self,
        book: &Book,
        contents: &mut dyn Contents,
        granularity: Granularity,
        out: W,
    ) -> Result<W, PublishError> {
        let folder = new_folder(&self.container);
        let (edits, dropped, cover) = self.change(book, &folder);
        let Source { mut container, spoken, plan, lists } = self;
        let mut archive = Archive::new(out, book.modified);
        archive.stored("mimetype", b"application/epub+zip")?;
        let mut overlaid = Vec::new();
        let mut chapters = HashSet::new();
        let spine: Vec<Item> = container.package.spine.clone();
        for (at, item) in spine.iter().enumerate() {
            // The positions in a list of contents whose entries changed are others now.
            if dropped.contains(&item.path) || lists.iter().any(|toc| toc.path == item.path) {
                continue;
            }
            let groups = plan.groups(at, spoken);
            let Some(source) = container.text(&item.path).filter(|_| !groups.is_empty()) else { continue };
            let Some(document) = Document::parse(&source) else { continue };
            let style = reference(&item.path, &format!("{folder}/highlight.css"));
            let added = Added { source: &source, document: &document, granularity, spoken, plan, at };
            let (text, pars) = added.write(&groups, &style);
            if pars.is_empty() {
                continue;
            }
            archive.text(&item.path, |out| out.write_all(text.as_bytes()))?;
            let href = format!("../{}", item.href);
            archive.text(&format!("{folder}/{}.smil", package::stem(at)), |out| {
                write_overlay(&pars, &href, out)
            })?;
            chapters.extend(pars.iter().map(|par| par.chapter));
            let duration_ms = pars.iter().map(|par| par.clip.end_ms - par.clip.begin_ms).sum();
            overlaid.push(Overlaid { at, duration_ms });
        }
        let mut chapters: Vec<usize> = chapters.into_iter().collect();
        chapters.sort_unstable();
        archive.text(&format!("{folder}/highlight.css"), |out| out.write_all(overlay::STYLE.as_bytes()))?;
        let text = changed_package(book, &container.package, edits, &folder, &overlaid, &chapters);
        archive.text(&container.package_path, |out| out.write_all(text.as_bytes()))?;
        let changed = overlaid.iter().map(|document| spine[document.at].path.as_str());
        let mut changed: HashSet<&str> = changed.chain(["mimetype", &container.package_path]).collect();
        for (name, text) in &container.replaced {
            if changed.insert(name) && !dropped.contains(name) {
                archive.text(name, |out| out.write_all(text.as_bytes()))?;
            }
        }
        if let (Some(name), Some(cover)) = (&cover, &book.cover) {
            archive.stored(name, &cover.bytes)?;
            changed.insert(name);
        }
        changed.extend(dropped.iter().map(String::as_str));
        for at in 0..container.zip.len() {
            let entry = container.zip.by_index_raw(at).map_err(read_error)?;
            if !entry.name().is_ok_and(|name| changed.contains(&*name)) {
                archive.zip.raw_copy_file(entry).map_err(|error| match error {
                    ZipError::Io(error) => PublishError::Write(error),
                    other => read_error(other),
                })?;
            }
        }
        for chapter in chapters {
            let name = format!("{folder}/{}.mp3", package::stem(chapter));
            archive.audio(&name, contents, chapter, book.chapters[chapter].audio_bytes)?;
        }
        archive.finish()
    }
}

fn read_error(error: ZipError) -> PublishError {
    PublishError::Source(io::Error::other(error))
}

/// A folder next to the package document that the source does not have.
fn new_folder<R: Read + Seek>(container: &Container<R>) -> String {
    let names: Vec<String> = container.zip.file_names().flatten().map(|name| name.to_lowercase()).collect();
    let mut folder = format!("{}spoken", container.package.folder);
    while names.iter().any(|name| name.starts_with(&folder.to_lowercase())) {
        folder.push('-');
    }
    folder
}

/// An element and its clip.
struct Par {
    id: String,
    chapter: usize,
    clip: Clip,
}

fn write_overlay(pars: &[Par], document: &str, out: &mut dyn Write) -> io::Result<()> {
    // The reference is escaped already, as it stands in the package.
    let document = quick_xml::escape::unescape(document).unwrap_or_default();
    let mut overlay = overlay::Writer::start(out, &document)?;
    for Par { id, chapter, clip } in pars {
        overlay.par(&document, id, &format!("{}.mp3", package::stem(*chapter)), *clip)?;
    }
    overlay.finish()
}

/// What is added to one document.
struct Added<'a> {
    source: &'a str,
    document: &'a Document,
    granularity: Granularity,
    spoken: &'a SpokenWords,
    plan: &'a Plan,
    at: usize,
}

impl Added<'_> {
    /// The changed document and its overlay.
    fn write(&self, groups: &[Group], style: &str) -> (String, Vec<Par>) {
        let mut text = String::with_capacity(self.source.len() + groups.len() * 32);
        let mut pars: Vec<Par> = Vec::new();
        let head_end = self.document.head_end;
        text.push_str(&self.source[..head_end]);
        let _ = write!(text, "<link rel=\"stylesheet\" type=\"text/css\" href=\"{style}\"/>");
        let mut copied = head_end;
        for group in groups {
            let with_punctuation = self.granularity == Granularity::Sentence;
            let ranges = spans::place(self.source, self.document, &group.tokens, with_punctuation, copied);
            if ranges.is_empty()
                && let Some(last) = pars.last_mut()
                && last.clip.end_ms == group.clip.begin_ms
                && last.chapter == self.spoken.chapter(group.unit)
            {
                // The audio of what has no place must not be skipped.
                last.clip.end_ms = group.clip.end_ms;
            }
            let clips = self.clips(group, &ranges);
            for (range, clip) in ranges.into_iter().zip(clips) {
                let Some(clip) = clip else { continue };
                let id = format!("{}{}", self.document.id_prefix, pars.len() + 1);
                text.push_str(&self.source[copied..range.start]);
                let _ = write!(text, "<span id=\"{id}\">{}</span>", &self.source[range.clone()]);
                copied = range.end;
                pars.push(Par { id, chapter: self.spoken.chapter(group.unit), clip });
            }
        }
        text.push_str(&self.source[copied..]);
        // A note is played where it is read, wherever it stands.
        pars.sort_by_key(|par| (par.chapter, par.clip.begin_ms));
        (text, pars)
    }

    /// Divides the clip of a unit among its pieces: by the times of their words, and by length
    /// where one word has several pieces.
    fn clips(&self, group: &Group, ranges: &[std::ops::Range<usize>]) -> Vec<Option<Clip>> {
        let Clip { begin_ms, end_ms } = group.clip;
        let length: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let (mut before, mut last) = (0, begin_ms);
        let mut starts = Vec::new();
        for range in ranges {
            let tokens = &self.document.tokens[group.tokens.clone()];
            let first = tokens.partition_point(|token| token.range.start < range.start) + group.tokens.start;
            let first = (first..group.tokens.end).find_map(|token| self.plan.word(self.at, token));
            let by_length = begin_ms + (end_ms - begin_ms) * before as u64 / length.max(1) as u64;
            let by_word =
                first.map(|word| self.spoken.start_ms(word)).filter(|ms| *ms > last && *ms < end_ms);
            last = by_word.unwrap_or(by_length).max(last);
            starts.push(last - begin_ms);
            before += range.len();
        }
        let clips = clips::of_starts(starts, end_ms - begin_ms).into_iter();
        clips
            .map(|clip| {
                clip.map(|clip| Clip { begin_ms: begin_ms + clip.begin_ms, end_ms: begin_ms + clip.end_ms })
            })
            .collect()
    }
}

/// The package document with what is new.
fn changed_package(
    book: &Book,
    package: &Package,
    mut edits: Edits,
    folder: &str,
    overlaid: &[Overlaid],
    chapters: &[usize],
) -> String {
    let modified = package::modified(book);
    match &package.modified {
        Some(range) => edits.replace(range.clone(), modified),
        None => edits.insert(package.metadata_end, meta(package, "dcterms:modified", "", &modified)),
    }
    edits.insert(package.metadata_end, overlay_metadata(book, package, overlaid));
    edits.insert(package.manifest_end, manifest(package, folder, overlaid, chapters));
    for Overlaid { at, .. } in overlaid {
        let place = package.spine[*at].attributes_at;
        let id = format!("{}-o{}", package.id_prefix, package::stem(*at));
        edits.insert(place, format!(" media-overlay=\"{id}\""));
    }
    edits.apply(&package.source)
}

fn meta(package: &Package, property: &str, refines: &str, value: &str) -> String {
    let Package { prefix, .. } = package;
    format!("<{prefix}meta property=\"{property}\"{refines}>{}</{prefix}meta>\n", Escaped(value))
}

fn overlay_metadata(book: &Book, package: &Package, overlaid: &[Overlaid]) -> String {
    let mut text = String::new();
    for Overlaid { at, duration_ms } in overlaid {
        let refines = format!(" refines=\"#{}-o{}\"", package.id_prefix, package::stem(*at));
        text += &meta(package, "media:duration", &refines, &Seconds(*duration_ms).to_string());
    }
    let total = overlaid.iter().map(|document| document.duration_ms).sum();
    text += &meta(package, "media:duration", "", &Seconds(total).to_string());
    if let Some(narrator) = one_line(book.narrator.as_deref()) {
        text += &meta(package, "media:narrator", "", &narrator);
    }
    text += &meta(package, "media:active-class", "", overlay::ACTIVE);
    text += &meta(package, "media:playback-active-class", "", overlay::PLAYING);
    for (property, value) in [
        ("schema:accessMode", "auditory"),
        ("schema:accessMode", "textual"),
        ("schema:accessibilityFeature", "synchronizedAudioText"),
    ] {
        if !package.statements.contains(&format!("{property}={value}")) {
            text += &meta(package, property, "", value);
        }
    }
    text
}

fn manifest(package: &Package, folder: &str, overlaid: &[Overlaid], chapters: &[usize]) -> String {
    let Package { prefix, id_prefix, .. } = package;
    let folder = folder.rsplit('/').next().unwrap_or_default();
    let mut text = String::new();
    let mut item = |id: &str, file: &str, kind: &str| {
        let _ = writeln!(
            text,
            "<{prefix}item id=\"{id_prefix}-{id}\" href=\"{folder}/{file}\" media-type=\"{kind}\"/>"
        );
    };
    item("style", "highlight.css", "text/css");
    for Overlaid { at, .. } in overlaid {
        let stem = package::stem(*at);
        item(&format!("o{stem}"), &format!("{stem}.smil"), "application/smil+xml");
    }
    for chapter in chapters {
        let stem = package::stem(*chapter);
        item(&format!("a{stem}"), &format!("{stem}.mp3"), "audio/mpeg");
    }
    text
}
