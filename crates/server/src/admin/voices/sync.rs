//! `lectern admin voices sync`.

use lectern_http::shapes;
use lectern_service::services::speech::ereader_catalog::{self, sync};

use super::Operator;
use crate::{error::CommandError, output};

/// Makes the missing e-readers and prints them.
pub(super) async fn run(operator: &Operator) -> Result<(), CommandError> {
    let done = sync::run(&operator.base, &sync::installed(&operator.base.config)).await?;
    for voice in done.taken {
        let slug = ereader_catalog::slug(&voice);
        output::progress(&format!(
            "{voice} has no e-reader: the slug {slug} is another one's; `lectern admin voices add` takes another slug"
        ));
    }
    operator.print(&done.made.into_iter().map(shapes::ereader).collect::<Vec<_>>());
    Ok(())
}
