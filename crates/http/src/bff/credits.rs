//! The balance, the ledger and what can be bought.

pub mod export;
pub mod packs;
pub mod statement;
pub mod threshold;
