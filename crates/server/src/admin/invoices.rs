//! `lectern admin invoices`.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use lectern_service::services::billing::invoices::Printer;
use lectern_store::invoices::{self, Invoice};
use serde::Serialize;

use super::Operator;
use crate::{error::CommandError, output};

/// The invoices that are read at once.
const PAGE: u32 = 500;

#[derive(Debug, Subcommand)]
pub(super) enum Invoices {
    /// List invoices, one JSON object a line, in the order of their numbers.
    List {
        /// Only those after the invoice of this number, without its prefix.
        #[arg(long, default_value_t = 0, value_name = "NUMBER")]
        after: i64,
    },
    /// Write invoices as PDF files, named by their numbers. Files that are there are left alone.
    Export {
        /// The directory; it is made if it is missing.
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Only those after the invoice of this number, without its prefix.
        #[arg(long, default_value_t = 0, value_name = "NUMBER")]
        after: i64,
    },
}

/// An invoice as the operator sees it.
#[derive(Debug, Serialize)]
struct InvoiceRow<'a> {
    /// Its number without the prefix.
    number: i64,
    net_minor: i64,
    #[serde(flatten)]
    invoice: &'a Invoice,
}

/// What an export did.
#[derive(Debug, Serialize)]
struct Exported {
    written: u64,
    /// Files that were there.
    left: u64,
    last_number: i64,
}

pub(super) async fn run(operator: &Operator, command: Invoices) -> Result<(), CommandError> {
    match command {
        Invoices::List { after } => {
            each(operator, after, |number, invoice| {
                let row = InvoiceRow { number, net_minor: invoice.net_minor(), invoice };
                output::line(&serde_json::to_string(&row).unwrap_or_default());
                Ok(())
            })
            .await?;
        }
        Invoices::Export { directory, after } => export(operator, &directory, after).await?,
    }
    Ok(())
}

async fn export(operator: &Operator, directory: &Path, after: i64) -> Result<(), CommandError> {
    let failed = |path: &Path, source| CommandError::Io {
        what: format!("{} cannot be written", path.display()),
        source,
    };
    std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    let printer = Printer::new(&operator.base.config.invoices)?;
    let mut exported = Exported { written: 0, left: 0, last_number: after };
    each(operator, after, |number, invoice| {
        exported.last_number = number;
        let path = directory.join(format!("{}.pdf", invoice.name));
        if path.exists() {
            exported.left += 1;
            return Ok(());
        }
        // Under its own name only when it is whole.
        let part = directory.join(format!(".{}.part", invoice.name));
        let bytes = printer.pdf(invoice)?;
        std::fs::write(&part, bytes)
            .and_then(|()| std::fs::rename(&part, &path))
            .map_err(|source| failed(&path, source))?;
        exported.written += 1;
        Ok(())
    })
    .await?;
    operator.print(&exported);
    Ok(())
}

/// Does something with each invoice after this number, in order.
async fn each(
    operator: &Operator,
    mut after: i64,
    mut take: impl FnMut(i64, &Invoice) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    loop {
        let found = invoices::list_all(&operator.base.store, after, PAGE).await?;
        for (number, invoice) in &found {
            take(*number, invoice)?;
            after = *number;
        }
        if found.len() < PAGE as usize {
            return Ok(());
        }
    }
}
