//! `lectern admin voices blend`.

use lectern_http::shapes;
use lectern_service::services::speech::ereader_catalog::blend::{self, BlendError};
use lectern_store::Tier;
use lectern_types::Credits;

use super::{HIGHEST_PRICE, Operator, invite, slug};
use crate::{error::CommandError, numbers};

#[derive(Debug, clap::Args)]
pub(in crate::admin) struct Blend {
    /// The name in URLs: a-z, 0-9 and -.
    #[arg(value_parser = slug)]
    slug: String,
    /// Voices of one engine with their weights: `af_bella:2,af_sky:1`.
    #[arg(long, value_name = "VOICE:WEIGHT,…")]
    of: String,
    /// The name for people; by default the slug with a capital.
    #[arg(long)]
    name: Option<String>,
    /// A description of how it sounds; by default, of what it is made.
    #[arg(long)]
    description: Option<String>,
    /// free, standard or premium; by default free.
    #[arg(long, value_parser = invite::tier)]
    tier: Option<Tier>,
    /// The price of a character, in credits; by default that of voices.prices.
    #[arg(long, allow_negative_numbers = true, value_parser = numbers::whole::<i64>(0, HIGHEST_PRICE.into()))]
    price: Option<i64>,
}

/// Makes or changes the e-reader and prints it.
pub(super) async fn run(operator: &Operator, asked: Blend) -> Result<(), CommandError> {
    let Blend { slug, of, name, description, tier, price } = asked;
    let wanted = blend::Blend { slug, of, name, description, tier, price: price.map(Credits) };
    let made = blend::make(&operator.base, wanted).await.map_err(|error| match error {
        BlendError::Store(error) => error.into(),
        refusal => CommandError::Refused(refusal.to_string()),
    })?;
    operator.print(&shapes::ereader(made));
    Ok(())
}
