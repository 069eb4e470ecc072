//! `/v1/saas/materials/{id}/feed`: the podcast feed of a book.

pub mod delete;
pub mod get;
pub mod make;

use lectern_store::feeds::Feed;
use lectern_types::BookFeed;

/// The response with a feed.
fn shown(url: String, feed: &Feed) -> BookFeed {
    BookFeed { url, created_at: feed.created_at }
}
