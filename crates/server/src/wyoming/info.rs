//! `info`: what this service is, and the voices that the key may use.

use lectern_service::error::Result;
use lectern_store::ereaders::{self, Ereader, Filter};
use serde_json::{Value, json};

use super::Server;

/// The answer to `describe`.
pub(super) async fn describe(server: &Server) -> Result<Value> {
    let caller = server.authorize(None).await?;
    let mut ereaders = ereaders::list(&server.app.base.store, Filter::default()).await?;
    ereaders.retain(|ereader| ereader.tier <= caller.tier);
    ereaders.sort_by_key(|ereader| std::cmp::Reverse(ereader.id));
    let url = &*server.app.public_url;
    let voices: Vec<Value> = ereaders.iter().map(|ereader| voice(ereader, url)).collect();
    Ok(json!({
        "asr": [], "handle": [], "intent": [], "wake": [], "mic": [], "snd": [],
        "tts": [{
            "name": "lectern",
            "attribution": { "name": "Lectern", "url": url },
            "installed": true,
            "description": "Text to natural speech",
            "version": env!("CARGO_PKG_VERSION"),
            "voices": voices,
            "supports_synthesize_streaming": true,
        }],
    }))
}

fn voice(ereader: &Ereader, url: &str) -> Value {
    json!({
        "name": ereader.slug,
        "attribution": { "name": ereader.engine, "url": url },
        "installed": true,
        "description": ereader.name,
        "version": null,
        "languages": ereader.languages,
        "speakers": null,
    })
}
