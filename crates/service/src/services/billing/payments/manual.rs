//! Purchases that the operator approves after being paid in some other way.

use futures_util::future::BoxFuture;
use lectern_types::PaymentProvider;

use super::{NextStep, Order, Payments};
use crate::error::Result;

/// Approval by the operator.
#[derive(Debug)]
pub(super) struct Manual;

impl Payments for Manual {
    fn provider(&self) -> PaymentProvider {
        PaymentProvider::Manual
    }

    fn start<'a>(&'a self, _: &'a Order) -> BoxFuture<'a, Result<NextStep>> {
        Box::pin(async { Ok(NextStep::Approval) })
    }
}
