//! Converts rows of the store to API responses.

use lectern_service::services::{materials::warnings, speech::samples, webhooks::attempt};
use lectern_store::{self as store, accounts::Account, keys::Authenticated};
use lectern_types as types;

/// An account, as the operator's commands show it.
pub fn profile(account: &Account) -> types::Profile {
    types::Profile {
        id: account.id,
        email: account.email.clone(),
        email_confirmed: account.email_confirmed_at.is_some(),
        tier: account.tier,
        has_purchased_credits: account.has_purchased_credits,
        consent: types::Consent {
            terms_accepted_version: account.terms_accepted_version.clone(),
            privacy_accepted_version: account.privacy_accepted_version.clone(),
        },
        created_at: account.created_at,
    }
}

/// The caller, as `GET /me` shows it.
pub fn me(caller: &Authenticated) -> types::Me {
    types::Me {
        id: caller.account,
        email: caller.email.clone(),
        email_confirmed: caller.email_confirmed,
        tier: caller.tier,
        has_purchased_credits: caller.has_purchased_credits,
        environment: caller.key.environment,
        key: types::KeySummary {
            id: caller.key.id,
            name: caller.key.name.clone(),
            scopes: caller.key.scopes.iter().collect(),
        },
        consent: types::Consent {
            terms_accepted_version: caller.consent.accepted.terms.clone(),
            privacy_accepted_version: caller.consent.accepted.privacy.clone(),
        },
        created_at: caller.account_created_at,
    }
}

/// A key with its state at this instant.
pub fn api_key(key: &store::keys::Key, now: types::Timestamp) -> types::ApiKey {
    types::ApiKey {
        id: key.id,
        name: key.name.clone(),
        scopes: key.scopes.iter().collect(),
        environment: key.environment,
        status: key.status(now),
        key_hint: key.hint.clone(),
        created_at: key.created_at,
        expires_at: key.expires_at,
        last_used_at: key.last_used_at,
        revoked_at: key.revoked_at,
    }
}

/// An e-reader. Formats that this version does not know are left out.
pub fn ereader(ereader: store::ereaders::Ereader) -> types::Ereader {
    let sample_langs = samples::languages(&ereader);
    types::Ereader {
        id: ereader.id,
        slug: ereader.slug,
        name: ereader.name,
        description: ereader.description,
        languages: ereader.languages,
        gender: ereader.gender,
        grade: ereader.grade,
        preview: ereader.preview,
        tier: ereader.tier,
        engine: ereader.engine,
        sample_rate_hz: ereader.sample_rate_hz,
        price_per_character: ereader.price_per_character,
        sample_langs,
        formats: ereader.formats.iter().filter_map(|word| types::AudioFormat::parse(word)).collect(),
        active: ereader.active,
    }
}

/// An account's balance.
pub fn balance(balance: store::ledger::Balance) -> types::Balance {
    types::Balance {
        balance: balance.balance,
        held: balance.held,
        available: balance.available(),
        has_purchased_credits: balance.has_purchased_credits,
    }
}

/// A row of the ledger.
pub fn transaction(row: store::ledger::Transaction) -> types::Transaction {
    types::Transaction {
        id: row.id,
        kind: row.kind,
        credits: row.credits,
        balance_after: row.balance_after,
        reference: row.reference,
        created_at: row.created_at,
    }
}

/// A material.
pub fn material(material: &store::materials::Material) -> types::Material {
    types::Material {
        id: material.id,
        title: material.title.clone(),
        status: material.status,
        language: material.language.as_ref().map(|language| language.tag.clone()),
        language_source: material.language.as_ref().map(|language| language.source),
        source: types::MaterialSource {
            filename: material.filename.clone(),
            media_type: material.media_type.clone(),
            bytes: material.source_bytes,
            url: material.source_url.clone(),
        },
        ocr: material.ocr.map(|ocr| types::MaterialOcr {
            pages: ocr.pages,
            pages_read: ocr.pages_read,
            confidence: ocr.confidence,
        }),
        characters: material.characters,
        chunk_count: material.chunk_count,
        chunks_completed: material.chunks_completed,
        chunks_failed: material.chunks_failed,
        duration_ms: material.whole_duration_ms(),
        notes: material.notes,
        author: material.author.clone(),
        narrator: material.about.narrator.clone(),
        publisher: material.about.publisher.clone(),
        year: material.about.year,
        description: material.about.description.clone(),
        series: material.about.series.clone(),
        series_index: material.about.series_index.map(|index| types::SeriesIndex(index).as_number()),
        isbn: material.about.isbn.clone(),
        copyright: material.about.copyright.clone(),
        has_cover: material.cover.is_some(),
        ereader_id: material.ereader,
        failure: material
            .failure
            .as_ref()
            .map(|failure| types::MaterialFailure { code: failure.code, message: failure.message.clone() }),
        warnings: warnings::of(material),
        created_at: material.created_at,
        updated_at: material.updated_at,
    }
}

/// A chunk.
pub fn chunk(chunk: store::chunks::Chunk) -> types::Chunk {
    types::Chunk {
        index: chunk.index,
        status: chunk.status,
        title: chunk.title,
        characters: chunk.characters,
        duration_ms: chunk.audio.map(|audio| audio.duration_ms),
    }
}

/// A chapter.
pub fn chapter(chapter: &store::materials::Chapter) -> types::Chapter {
    let chunks = &chapter.chunks;
    let any = |status| chunks.iter().any(|chunk| chunk.status == status);
    let status = [
        types::ChunkStatus::Converting,
        types::ChunkStatus::Queued,
        types::ChunkStatus::Failed,
        types::ChunkStatus::Pending,
    ];
    types::Chapter {
        index: chapter.index,
        title: chapter.about.title.clone(),
        level: chapter.about.level,
        role: chapter.about.role,
        included: chapter.about.included,
        characters: chunks.iter().map(|chunk| u64::from(chunk.characters)).sum(),
        chunk_indexes: chunks.iter().map(|chunk| chunk.index).collect(),
        duration_ms: chunks.iter().map(|chunk| chunk.duration_ms).sum(),
        status: status.into_iter().find(|status| any(*status)).unwrap_or(types::ChunkStatus::Completed),
    }
}

/// A session; `current` is the session that asks.
pub fn web_session(session: store::sessions::Listed, current: types::SessionId) -> types::WebSession {
    types::WebSession {
        id: session.id,
        created_at: session.created_at,
        expires_at: session.expires_at,
        ip: session.ip,
        user_agent: session.user_agent,
        current: session.id == current,
    }
}

/// A purchase.
pub fn purchase(purchase: store::purchases::Purchase) -> types::Purchase {
    types::Purchase {
        id: purchase.id,
        account_id: purchase.account,
        status: purchase.status,
        provider: purchase.provider,
        credits: purchase.credits,
        price_minor: purchase.price_minor,
        currency: purchase.currency,
        transaction_id: purchase.transaction,
        automatic: purchase.automatic,
        invoice: purchase.invoice,
        created_at: purchase.created_at,
        paid_at: purchase.paid_at,
    }
}

/// A lexicon, without its entries.
pub fn lexicon(lexicon: &store::lexicons::Lexicon) -> types::Lexicon {
    types::Lexicon {
        id: lexicon.id,
        name: lexicon.name.clone(),
        language: lexicon.language.clone(),
        entries_count: lexicon.entries_count,
        default: lexicon.is_default,
        created_at: lexicon.created_at,
        updated_at: lexicon.updated_at,
        entries: None,
    }
}

/// A webhook's endpoint.
pub fn webhook(webhook: &store::webhooks::Webhook) -> types::Webhook {
    types::Webhook {
        id: webhook.id,
        url: webhook.url.clone(),
        events: webhook.events.clone(),
        description: webhook.description.clone(),
        status: webhook.status,
        environment: webhook.environment,
        created_at: webhook.created_at,
        disabled_reason: webhook.disabled_reason,
    }
}

/// A delivery.
pub fn delivery(delivery: &store::deliveries::Delivery) -> types::Delivery {
    types::Delivery {
        id: delivery.id,
        event_id: delivery.event,
        event_type: delivery.kind,
        status: delivery.status,
        attempt_count: delivery.attempt_count,
        last_status_code: delivery.last_status_code,
        last_error: delivery.last_error.clone(),
        next_attempt_at: delivery.next_attempt_at,
        created_at: delivery.created_at,
    }
}

/// A delivery with its body and its attempts.
pub fn delivery_detail(found: store::deliveries::Detail) -> types::DeliveryDetail {
    let event = found.delivery.event;
    types::DeliveryDetail {
        request_body: attempt::body(found.delivery.kind, found.delivery.created_at, &found.data),
        about: delivery(&found.delivery),
        attempts: found.attempts.into_iter().map(|attempt| delivery_attempt(event, attempt)).collect(),
    }
}

/// An attempt at the delivery of `event`. Only a response proves that a request was sent.
fn delivery_attempt(event: types::EventId, attempt: store::deliveries::Attempt) -> types::DeliveryAttempt {
    let headers = || attempt::plain_headers(event, attempt.started_at);
    let request_headers =
        attempt.status_code.map(|_| headers().map(|(name, value)| (name.to_owned(), value)).into());
    types::DeliveryAttempt {
        request_headers,
        number: attempt.number,
        started_at: attempt.started_at,
        duration_ms: attempt.duration_ms,
        status_code: attempt.status_code,
        error: attempt.error,
        response_body: attempt.response.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// An event.
///
/// # Errors
/// [`lectern_service::error::Error::Internal`] when its stored data is no JSON.
pub fn event(event: &store::events::Listed) -> lectern_service::error::Result<types::Event> {
    let data = serde_json::from_str(&event.data).map_err(|error| {
        lectern_service::error::Error::Internal(format!("the data of {}: {error}", event.id))
    })?;
    Ok(types::Event { id: event.id, kind: event.kind, timestamp: event.created_at, data })
}
