//! Paths of files: `/etc/hosts`, `~/notes.txt`, `../lib`, `src/main.rs`, `C:\Users`.

use super::{Reader, scan};
use crate::front_end::normalize::links::spell;

/// Folders that start a path which has no sign of its own: `usr/bin/env`.
const FOLDERS: &[&str] = &[
    "app",
    "assets",
    "bin",
    "crates",
    "dev",
    "dist",
    "docs",
    "etc",
    "home",
    "lib",
    "mnt",
    "node_modules",
    "opt",
    "packages",
    "src",
    "target",
    "test",
    "tests",
    "tmp",
    "usr",
    "var",
];

/// Reads the path that starts here; `is_file` knows the endings of files.
pub(super) fn read(r: &mut Reader<'_>, is_file: impl Fn(&str) -> bool) -> bool {
    if !matches!(r.before(), None | Some(' ' | '(' | '"')) {
        return false;
    }
    let end = scan::run(r.t, r.at, |c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~'));
    let end = r.at + scan::slice(r.t, r.at..end).trim_end_matches('.').len();
    let written = scan::slice(r.t, r.at..end);
    let slashes = written.matches('/').count();
    let parts_clear = !written.contains("//") && slashes > 0;
    let last = written.rsplit('/').next().unwrap_or("");
    let file = last.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && is_file(ending));
    let first = written.split('/').next().unwrap_or("");
    let is_path = match first {
        "" => slashes >= 2 && written[1..].starts_with(char::is_alphabetic),
        "~" | "." | ".." => true,
        _ if !first.starts_with(char::is_alphabetic) || first.contains('.') => false,
        _ => file || (slashes >= 2 && FOLDERS.contains(&first)),
    };
    if !(parts_clear && is_path) {
        return drive(r);
    }
    spell(r, r.at, end);
    true
}

/// `C:\Users\Ann`.
fn drive(r: &mut Reader<'_>) -> bool {
    let rest = r.rest();
    if !(rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest[1..].starts_with(":\\")) {
        return false;
    }
    let end = r.at + rest.find([' ', '"', ')', ',']).unwrap_or(rest.len());
    let end = r.at + scan::slice(r.t, r.at..end).trim_end_matches('.').len();
    spell(r, r.at, end);
    true
}
