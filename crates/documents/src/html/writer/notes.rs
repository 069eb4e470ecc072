//! Notes and references to them while a page is written: text that may be a mark is held back until
//! that is known.

use super::{CloseAction, Marks, Writer};
use crate::html::{
    elements::{self, Element, ElementKind},
    marks::{self, PendingMark},
};

impl Writer<'_> {
    /// Starts a note, which is read apart from the text, also where its list is skipped.
    pub(super) fn begin_note(&mut self, element: &Element<'_>, note: usize) {
        self.flush_pending();
        self.note = Some((note, std::mem::take(&mut self.skipped_depth)));
        self.builder.begin_note();
        if element.kind == ElementKind::Item {
            // Its number is the mark.
            let numbers = self.lists.last_mut().and_then(Option::as_mut);
            drop(numbers.and_then(|numbers| numbers.label(element)));
            self.builder.paragraph();
        } else {
            self.begin(element);
        }
        let marks = self.begin_marks(element, true);
        self.open.push(CloseAction::Note { block: element.kind.is_block(), marks });
    }

    pub(super) fn end_note(&mut self, kind: ElementKind, block: bool, marks: Marks) {
        self.flush_pending();
        self.end_marks(marks);
        match kind {
            ElementKind::List if block => drop(self.lists.pop()),
            ElementKind::Preformatted => self.preformatted = self.preformatted.saturating_sub(1),
            _ => {}
        }
        if let Some((note, skipped)) = self.note.take() {
            self.builder.end_note(note);
            self.skipped_depth = skipped;
        }
    }

    /// Whether an element is a note, a list of notes or its heading by what is known of the page.
    pub(super) fn is_skipped_for_notes(&self, element: &Element<'_>) -> bool {
        match self.notes {
            Some(notes) => {
                notes.skipped.contains(&element.ordinal)
                    || self.note.is_some() && notes.backlinks.contains(&element.ordinal)
            }
            None => elements::note_type(element).is_some(),
        }
    }

    /// Writes pending text that is not a note reference.
    pub(super) fn flush_pending(&mut self) {
        let Some(pending) = self.pending.take() else { return };
        if pending.raised
            && let Some(figures) = marks::raised_figures(pending.text.trim())
        {
            self.write_text(&figures);
        } else {
            self.write_text(&pending.text);
        }
    }

    /// Closes an element of the text that is held back, and decides about the text after the last.
    pub(super) fn release_pending(&mut self) {
        let Some(pending) = &mut self.pending else { return };
        pending.depth -= 1;
        if pending.depth == 0 {
            if pending.is_mark(self.builder.last()) {
                self.pending = None;
            } else {
                self.flush_pending();
            }
        }
    }

    /// Holds back text that may be a note reference, until an element inside shows that it is not.
    pub(super) fn hold(&mut self, element: &Element<'_>) {
        let raised = element.kind == ElementKind::Raised;
        let is_link = element.kind == ElementKind::Link
            && element.attribute("href").is_some_and(|target| target.contains('#') && target != "#");
        if self.pending.is_some() && (element.kind.is_block() || element.kind == ElementKind::LineBreak) {
            self.flush_pending();
        }
        if element.void {
            return;
        }
        if let Some(pending) = &mut self.pending {
            pending.depth += 1;
            pending.raised |= raised;
            pending.is_link |= is_link;
        } else if raised || is_link {
            self.pending = Some(PendingMark { depth: 1, raised, is_link, ..PendingMark::default() });
        }
    }
}
