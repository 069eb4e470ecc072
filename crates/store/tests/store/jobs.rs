//! Jobs: their order, the jobs of workers that died, how they end, and the operator's commands.

mod books;
mod ends;
mod lost;
mod turns;

use lectern_store::ledger;

use crate::{fixture::Fixture, materials::Reader};

async fn held(f: &Fixture, reader: &Reader) -> i64 {
    ledger::balance(f, reader.account).await.expect("it reads").expect("it is there").held.0
}
