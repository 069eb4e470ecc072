//! `/v1/bff/ereaders`: what [`crate::saas::ereaders`] answers, with the account's favorites.

pub mod favorite;
pub mod get;
pub mod list;

use lectern_store::ereaders::Ereader;
use lectern_types::WebEreader;

use crate::shapes;

fn shape(ereader: Ereader, favorite: bool) -> WebEreader {
    WebEreader { ereader: shapes::ereader(ereader), favorite }
}
