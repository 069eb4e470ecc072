//! Blocks, which are parts of pages.

use super::fragment::Fragment;

/// A part of a page, with its lines in reading order.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) page: usize,
    pub(super) lines: Vec<Fragment>,
    pub(super) is_table: bool,
}
