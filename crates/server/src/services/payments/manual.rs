//! Purchases that the operator approves, having been paid in some other way.

use futures_util::future::BoxFuture;
use lectern_store::purchases::Provider;

use super::{Begun, Order, Payments};
use crate::error::Result;

/// The operator.
#[derive(Debug)]
pub(super) struct Manual;

impl Payments for Manual {
    fn provider(&self) -> Provider {
        Provider::Manual
    }

    fn begin<'a>(&'a self, _: &'a Order) -> BoxFuture<'a, Result<Begun>> {
        Box::pin(async { Ok(Begun::Approval) })
    }
}
