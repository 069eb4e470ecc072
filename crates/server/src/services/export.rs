//! The ledger as a file for spreadsheets, made page by page: nothing of a long ledger is held but one page.

use std::io;

use axum::body::Bytes;
use futures_util::Stream;
use lectern_store::ledger::{self, Transaction};
use lectern_types::{AccountId, TransactionId};

use crate::{app::App, error::Result};

/// Rows read at a time.
const AT_A_TIME: u32 = 500;

const HEAD: &str = "id,created_at,kind,credits,balance_after,reference\r\n";

/// The account's ledger as CSV, newest first. The first rows are there when this returns.
///
/// # Errors
/// The store's.
pub async fn transactions(
    app: &App,
    account: AccountId,
) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
    let (rows, last) = page(app, account, None).await?;
    let first = (format!("{HEAD}{rows}"), last);
    let app = app.clone();
    let begun = Some((Some(first), None::<TransactionId>));
    Ok(futures_util::stream::unfold(begun, move |state| {
        let app = app.clone();
        async move {
            let (ready, before) = state?;
            let next = match ready {
                Some(first) => Ok(first),
                None => page(&app, account, before).await,
            };
            match next {
                Ok((rows, last)) => Some((Ok(Bytes::from(rows)), last.map(|last| (None, Some(last))))),
                Err(error) => {
                    // The head has gone out: a body that breaks off is all that can still be said.
                    tracing::error!(error = %error, account.id = %account, "an export broke off");
                    Some((Err(io::Error::other(error)), None))
                }
            }
        }
    }))
}

/// A page of rows, and where the next one begins, if there is one.
async fn page(
    app: &App,
    account: AccountId,
    before: Option<TransactionId>,
) -> Result<(String, Option<TransactionId>)> {
    let rows = ledger::transactions(&app.store, account, before, AT_A_TIME).await?;
    let last = rows.last().map(|row| row.id).filter(|_| rows.len() == AT_A_TIME as usize);
    Ok((rows.iter().map(line).collect(), last))
}

fn line(row: &Transaction) -> String {
    let Transaction { id, kind, credits, balance_after, reference, created_at } = row;
    let reference = cell(reference.as_deref().unwrap_or_default());
    format!("{id},{created_at},{kind},{},{},{reference}\r\n", credits.0, balance_after.0)
}

/// A text as a cell: quoted, and not to be taken for a formula (OWASP, "CSV Injection").
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
    fn no_cell_is_a_formula_or_leaves_its_place() {
        for (text, written) in [
            ("=1+1", "\"'=1+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("-1", "\"'-1\""),
            ("\t=1", "\"'\t=1\""),
            ("a,b\"c", "\"a,b\"\"c\""),
            ("syn_1", "\"syn_1\""),
            ("", "\"\""),
        ] {
            assert_eq!(cell(text), written);
        }
    }
}
