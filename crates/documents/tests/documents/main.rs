//! Documents, valid and hostile: the text that is read, and the reasons for refusals.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]
#![expect(
    clippy::format_collect,
    clippy::format_push_string,
    reason = "test documents are built of pieces, and small"
)]

mod book;
mod cases;
mod chunking;
mod covers;
mod css_speech;
mod detection;
mod dialogue;
mod dialogue_hostile;
mod dialogue_rules;
mod docx;
mod epub;
mod fb2;
mod floods;
mod golden;
mod hostile;
mod html;
mod kindle;
mod kindle_files;
mod language;
mod languages;
mod markdown;
mod mutations;
mod notes;
mod odt;
mod pdf;
mod pdf_hostile;
mod pdf_languages;
mod pdf_layout;
mod plain;
mod property;
mod publishers;
mod roles;
mod rtf;
