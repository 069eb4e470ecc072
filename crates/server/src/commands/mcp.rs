//! `lectern mcp`: a server of the Model Context Protocol on standard input and output, for
//! assistants that read aloud and make audiobooks. It is a client of a service that may run
//! elsewhere, and uses its API like any other.
//!
//! `lines` reads and writes, `protocol` is JSON-RPC, `session` answers the protocol's methods,
//! `tools` and `resources` are what it offers, and `api` talks to the service. Standard output
//! belongs to the protocol; everything else goes to standard error.

mod api;
mod lines;
mod progress;
mod protocol;
mod resources;
mod session;
mod tools;

use clap::Args;
use lectern_service::config::WebUrl;
use secrecy::SecretString;

use super::CommandError;
use api::Api;
use session::Session;

/// Speak and make audiobooks for an assistant, by the Model Context Protocol on standard input and
/// output. The API key is the value of `LECTERN_API_KEY`.
#[derive(Debug, Args)]
pub struct Mcp {
    /// The service that speaks.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    url: WebUrl,
}

/// Runs until standard input ends.
pub(super) async fn run(mcp: Mcp, environment_key: Option<String>) -> Result<(), CommandError> {
    let key = environment_key.filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| CommandError::Usage("set LECTERN_API_KEY to an API key".to_owned()))?;
    let api = Api::new(&mcp.url, SecretString::from(key)).map_err(CommandError::from_error)?;
    let (incoming, outgoing) = lines::standard();
    Session::new(api, outgoing.sender()).run(incoming).await;
    outgoing.finish();
    Ok(())
}
