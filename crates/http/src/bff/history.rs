//! `/v1/bff/history`: the texts that an account had spoken, one by one. Books are materials and no part of it.

pub mod forget;
pub mod list;

use lectern_service::app::App;
use lectern_store::syntheses::history::Entry;
use lectern_types::{AudioFormat, HistoryEntry, Timestamp};

/// An entry as pages see it.
fn shown(app: &App, Entry { synthesis, said }: Entry, now: Timestamp) -> HistoryEntry {
    let is_kept = synthesis.deleted_at.is_none() && synthesis.delete_after > now;
    let audio_url = is_kept.then(|| app.media.url(&synthesis.object_key, now).0);
    let text_type = said.as_ref().map(|said| said.text_type);
    let text_expires_at = said.as_ref().map(|said| said.delete_after);
    HistoryEntry {
        id: synthesis.id,
        created_at: synthesis.created_at,
        ereader_id: synthesis.ereader,
        key_id: synthesis.key,
        text: said.map(|said| said.text),
        text_type,
        text_expires_at,
        characters: synthesis.characters,
        credits_charged: synthesis.credits_charged,
        format: AudioFormat::parse(&synthesis.format).unwrap_or(AudioFormat::Mp3),
        sample_rate_hz: synthesis.sample_rate_hz,
        duration_ms: synthesis.duration_ms,
        audio_url,
        audio_expires_at: is_kept.then_some(synthesis.delete_after),
    }
}
