//! The ledger as a CSV file for spreadsheets, streamed so that only one page is in memory.

use std::io;

use bytes::Bytes;
use futures_util::Stream;
use lectern_store::{
    Store,
    ledger::{self, Transaction},
};
use lectern_types::{AccountId, TransactionId};

use crate::error::Result;

/// Rows per page.
const PAGE_ROWS: u32 = 500;

const HEADER: &str = "id,created_at,kind,credits,balance_after,reference\r\n";

/// Streams the account's ledger as CSV, newest first. The first page is read before this returns.
///
/// # Errors
/// The store's.
pub async fn transactions(
    store: &Store,
    account: AccountId,
) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
    let (rows, last) = page(store, account, None).await?;
    let first = (format!("{HEADER}{rows}"), last);
    let store = store.clone();
    let initial = Some((Some(first), None::<TransactionId>));
    Ok(futures_util::stream::unfold(initial, move |state| {
        let store = store.clone();
        async move {
            let (first_page, before) = state?;
            let next = match first_page {
                Some(first) => Ok(first),
                None => page(&store, account, before).await,
            };
            match next {
                Ok((rows, last)) => Some((Ok(Bytes::from(rows)), last.map(|last| (None, Some(last))))),
                Err(error) => {
                    // The status has been sent, so breaking off the body is the only way to report
                    // an error.
                    tracing::error!(error = %error, account.id = %account, "a ledger export was aborted");
                    Some((Err(io::Error::other(error)), None))
                }
            }
        }
    }))
}

/// A page of rows, and the cursor of the next page, if there is one.
async fn page(
    store: &Store,
    account: AccountId,
    before: Option<TransactionId>,
) -> Result<(String, Option<TransactionId>)> {
    let rows = ledger::transactions(store, account, before, PAGE_ROWS).await?;
    let last = rows.last().map(|row| row.id).filter(|_| rows.len() == PAGE_ROWS as usize);
    Ok((rows.iter().map(line).collect(), last))
}

fn line(row: &Transaction) -> String {
    let Transaction { id, kind, credits, balance_after, reference, created_at } = row;
    let reference = cell(reference.as_deref().unwrap_or_default());
    format!("{id},{created_at},{kind},{},{},{reference}\r\n", credits.0, balance_after.0)
}

/// A text as a cell: quoted, and protected from being read as a formula (OWASP, "CSV Injection").
fn cell(text: &str) -> String {
    let formula = text
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let apostrophe = if formula { "'" } else { "" };
    format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::cell;

    // Negative control: without the apostrophe the first four are formulas, and this fails.
    #[test]
    fn no_cell_is_a_formula_or_breaks_out_of_its_cell() {
        for (text, expected) in [
            ("=1+1", "\"'=1+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("-1", "\"'-1\""),
            ("\t=1", "\"'\t=1\""),
            ("a,b\"c", "\"a,b\"\"c\""),
            ("syn_1", "\"syn_1\""),
            ("", "\"\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
