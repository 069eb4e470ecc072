//! Billing: purchases of credits, their invoices, and the ledger as a file. Prices, holds and charges
//! are in the store (`lectern_store::ledger`).

pub mod invoices;
pub mod ledger_export;
pub mod payments;
