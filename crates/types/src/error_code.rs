//! All error codes that clients can receive, with their HTTP status and meaning.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident $code:literal $status:literal $message:literal;)*) => {
        /// A stable error identifier. Codes are never renamed, so clients match on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($(#[$doc])* #[doc = concat!("`", $code, "`, HTTP ", stringify!($status), ": ", $message)] $variant,)*
        }

        impl ErrorCode {
            /// All codes, in alphabetical order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The code as clients see it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code),* }
            }

            /// The HTTP status that always goes with the code.
            pub const fn http_status(self) -> u16 {
                match self { $(Self::$variant => $status),* }
            }

            /// The message to use where the place of the error has nothing more specific.
            pub const fn default_message(self) -> &'static str {
                match self { $(Self::$variant => $message),* }
            }
        }
    };
}

error_codes! {
    AlreadyDelivered "already_delivered" 409 "The delivery has already succeeded.";
    AlreadyInFlight "already_in_flight" 409 "The delivery is being posted now.";
    AlreadyScheduled "already_scheduled" 409 "Reserved; not emitted.";
    ApiAccessRequiresCredits "api_access_requires_credits" 402 "A free account needs one credit purchase before it can use this with a live key.";
    ApiKeyAlreadyRevoked "api_key_already_revoked" 409 "The key has already been revoked.";
    ApiKeyExpired "api_key_expired" 401 "The API key has expired.";
    ApiKeyNotAllowedOnBff "api_key_not_allowed_on_bff" 403 "API keys are not accepted on the web application's routes.";
    ApiKeyRevoked "api_key_revoked" 401 "The API key was revoked.";
    AudioUrlExpired "audio_url_expired" 403 "The audio URL has expired.";
    AudioUrlInvalid "audio_url_invalid" 403 "The audio URL is not one that this service signed.";
    BadRequest "bad_request" 400 "The request is not valid HTTP.";
    BearerNotAllowedOnSaas "bearer_not_allowed_on_saas" 403 "A session token was sent where an API key is required.";
    CannotRevokeLastAdminKey "cannot_revoke_last_admin_key" 409 "The account's only active admin key cannot be revoked.";
    ChapterNotFound "chapter_not_found" 404 "The material has no chapter with this index.";
    ChunkInProgress "chunk_in_progress" 409 "The chunk is queued or being converted.";
    ChunkNotFound "chunk_not_found" 404 "The material has no chunk with this index.";
    ChunkNotReady "chunk_not_ready" 409 "The chunk has no audio or text yet.";
    ConsentRequired "consent_required" 403 "The account owner must accept the current terms or privacy policy in the web application.";
    EmailInUse "email_in_use" 409 "An account with this address already exists.";
    EmailNotConfirmed "email_not_confirmed" 403 "The address has not been confirmed yet.";
    EreaderLocked "ereader_locked" 409 "The material's first conversion used another e-reader.";
    EreaderNotFound "ereader_not_found" 404 "There is no such e-reader.";
    EreaderTierNotAvailable "ereader_tier_not_available" 403 "The e-reader is not on the account's tier.";
    EventsRequired "events_required" 400 "At least one event type is required.";
    FileTooLarge "file_too_large" 413 "The file is over the size limit.";
    HeadersTooLarge "headers_too_large" 431 "The request line and headers are over 32 KiB.";
    IdempotencyKeyReuse "idempotency_key_reuse" 409 "The Idempotency-Key was already used for another request.";
    InsufficientBalance "insufficient_balance" 402 "The account has too few credits.";
    InsufficientScope "insufficient_scope" 403 "The key lacks the scope that this endpoint requires.";
    InternalError "internal_error" 500 "Something went wrong on the server.";
    InvalidApiKey "invalid_api_key" 401 "The API key is not valid.";
    InvalidCredentials "invalid_credentials" 401 "The credentials are not valid.";
    InvalidEventType "invalid_event_type" 400 "An event type does not exist.";
    InvalidIdempotencyKey "invalid_idempotency_key" 400 "Idempotency-Key must be sent once, with 1 to 128 characters of A-Z, a-z, 0-9, _ and -.";
    InviteInvalid "invite_invalid" 403 "The invitation is not valid.";
    InviteRequired "invite_required" 403 "Registration needs an invitation.";
    LanguageNotSupported "language_not_supported" 422 "The e-reader does not speak the language of this text.";
    LexiconNotFound "lexicon_not_found" 404 "There is no such lexicon.";
    MaterialChunksAlreadyConverted "material_chunks_already_converted" 409 "The requested chunks are already converted.";
    MaterialNotFound "material_not_found" 404 "There is no such material.";
    MaterialNotReady "material_not_ready" 409 "The material has not been extracted yet.";
    MaterialUnreadable "material_unreadable" 422 "The file cannot be read.";
    MethodNotAllowed "method_not_allowed" 405 "The path does not support this method.";
    MissingApiKey "missing_api_key" 401 "The Authorization header is missing.";
    NotFound "not_found" 404 "There is no such resource.";
    NotesLocked "notes_locked" 409 "The material was converted or edited, so what becomes of its notes cannot change any more.";
    OriginNotAllowed "origin_not_allowed" 403 "Sign-in is only allowed from this service's own pages.";
    PaymentSignatureInvalid "payment_signature_invalid" 400 "The payment provider's event has no valid signature.";
    PurchaseNotPending "purchase_not_pending" 409 "The purchase is already paid or was declined.";
    RangeNotSatisfiable "range_not_satisfiable" 416 "The audio has no such range of bytes.";
    RateLimited "rate_limited" 429 "Too many requests; try again after the time in Retry-After.";
    RequestTimeout "request_timeout" 408 "The request did not arrive in time.";
    RequestTooLarge "request_too_large" 413 "The request body is over the size limit.";
    SampleNotAvailable "sample_not_available" 404 "There is no sample for this e-reader.";
    ScopeEscalation "scope_escalation" 403 "A key can only make keys within its own scopes.";
    ServiceUnavailable "service_unavailable" 503 "The service cannot answer now; try again after the time in Retry-After.";
    TextEmpty "text_empty" 422 "The text is empty.";
    TextTooLong "text_too_long" 422 "The text is over the limit of 5,000 characters.";
    TooManyLexicons "too_many_lexicons" 422 "The account already has 50 lexicons.";
    TooManyWebhookEndpoints "too_many_webhook_endpoints" 422 "The account already has 20 active webhook endpoints.";
    TtsProviderError "tts_provider_error" 502 "The speech engine failed.";
    UrlHostNotAllowed "url_host_not_allowed" 400 "The URL's host is internal, link-local or a metadata service.";
    UrlMustBeHttps "url_must_be_https" 400 "The URL must begin with https://.";
    ValidationFailed "validation_failed" 422 "The request has fields that are not valid.";
    WeakPassword "weak_password" 400 "The password does not meet the policy.";
}

impl ErrorCode {
    /// Whether sending the same request again may succeed. A response's `Retry-After` says when.
    pub const fn retry(self) -> Retry {
        match self {
            Self::RateLimited | Self::ServiceUnavailable => Retry::Later,
            Self::InternalError | Self::TtsProviderError => Retry::Backoff,
            _ => Retry::Never,
        }
    }

    /// The content of `error.details`, in Markdown; `None` when it is absent.
    pub const fn details(self) -> Option<&'static str> {
        Some(match self {
            Self::ChunkNotReady => {
                "for a whole book, `indexes`: the first 100 missing chunks, and `count`: the number of missing chunks"
            }
            Self::ConsentRequired => {
                "`owed`: `[\"terms\"]`, `[\"privacy\"]` or both; `terms_version`, `privacy_version`: the versions in force, or null"
            }
            Self::EreaderLocked => "`locked_ereader_id`: the e-reader that the material is bound to",
            Self::FileTooLarge => "`max_bytes`: the largest accepted file",
            Self::InsufficientScope => "`required`: the scope that the endpoint needs",
            Self::InvalidEventType => "`allowed`: all event types, sorted",
            Self::LanguageNotSupported => {
                "`language`: the language of the text, or null if only its script is known; `supported`: the e-reader's languages"
            }
            Self::MaterialNotReady => "`status`: the material's status",
            Self::MaterialUnreadable => {
                "`reason`: what is wrong with the file, one of `empty`, `unknown_kind`, `encrypted`, `image_only`, `damaged`, `too_large`, `no_text`"
            }
            Self::OriginNotAllowed => "`origin`: the origin of this service's pages",
            Self::RangeNotSatisfiable => "`length`: the size of the audio in bytes",
            Self::RequestTooLarge => "`max_bytes`: the largest accepted body",
            Self::ScopeEscalation => {
                "`requested`, `held`: lists of scopes; `environment`: the requested one, if a test key requests `live`"
            }
            Self::ServiceUnavailable => "`missing`: what is not ready, on `/readyz` only",
            Self::ValidationFailed => {
                "`fields`: an object with a sentence for each invalid field (`text`, `scopes[1]`, `body`)"
            }
            Self::WeakPassword => {
                "`requirements`: the unmet ones of `min_length_12`, `not_common`, `strength`, `not_email`"
            }
            _ => return None,
        })
    }
}

/// Whether a failed request may be sent again as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The request would fail again.
    Never,
    /// After the seconds in `Retry-After`.
    Later,
    /// With exponential backoff.
    Backoff,
}

impl Retry {
    /// The text in the table of codes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "no",
            Self::Later => "after `Retry-After`",
            Self::Backoff => "with exponential backoff",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn the_names_in_json_are_the_codes() {
        for code in ErrorCode::ALL {
            assert_eq!(serde_json::to_value(code).ok(), Some(code.as_str().into()));
        }
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
    }
}
