//! The data types of Lectern: ids, credits, times, error codes, and the bodies of requests,
//! responses and events. Everything is plain data with serde and `OpenAPI` schemas; nothing here
//! needs a clock, randomness, a database or a network.

mod account;
mod credits;
mod envelope;
mod ereader;
mod error_code;
mod event;
mod ids;
mod key;
pub mod language;
mod ledger;
mod material;
mod openai;
mod page;
mod sign_in;
mod synthesis;
mod text_enum;
mod time;
mod usage;
mod web;
mod webhook;

pub use account::{Consent, Environment, KeySummary, Me, Profile, Scope, Tier};
pub use credits::Credits;
pub use envelope::{ErrorBody, ErrorEnvelope};
pub use ereader::Ereader;
pub use error_code::{ErrorCode, Retry};
pub use event::{
    ChunkCompleted, ChunkFailed, CreditsLow, Event, EventType, MaterialChanged, StreamedEvent, WebhookTest,
};
pub use ids::{
    AccountId, DeliveryId, EreaderId, EventId, JobId, KeyId, MailId, MaterialId, PurchaseId, RequestId,
    SessionId, SynthesisId, TransactionId, WebhookId,
};
pub use ids::{Id, IdError, Kind, kinds};
pub use key::{ApiKey, CreateKeyRequest, KeyStatus, MAX_KEY_NAME, NewApiKey};
pub use ledger::{Balance, Transaction, TransactionKind};
pub use material::{
    AudioUrl, BookFormat, CaptionFormat, Chunk, ChunkStatus, ChunkText, ChunkTimestamps, Conversion,
    ConvertRequest, CreateMaterialRequest, LanguageSource, MAX_TITLE, Material, MaterialFailure,
    MaterialSource, MaterialStatus, UpdateMaterialRequest, UploadMaterialForm,
};
pub use openai::{
    Model, Models, SpeechFormat, SpeechModel, SpeechRequest, SpeechStreamFormat, SpeechVoice, SpeechVoiceId,
    Voice, Voices,
};
pub use page::Page;
pub use sign_in::{
    ConfirmRequest, Confirmed, ConfirmedStatus, EmailConfirmation, ForgotRequest, Forgotten, ForgottenStatus,
    Login, LoginRequest, PasswordReset, PasswordResetStatus, RegisterRequest, Registration, ResetRequest,
    SignedOut, SignedOutStatus, TokenType,
};
pub use synthesis::{
    AudioFormat, MAX_CHARACTERS, NoTimestamps, StreamRequest, Synthesis, SynthesizeRequest, Timestamps,
    WordTimestamp,
};
pub use text_enum::UnknownName;
pub use time::Timestamp;
pub use usage::{Usage, UsageGroup, UsageSum};
pub use web::{
    AcceptRequest, Activity, ChangePasswordRequest, ConsentDocument, ConsentDocuments, DayUsage,
    DocumentKind, Invitation, InvitationRequest, LowBalance, Overview, Pack, Packs, PasswordChanged,
    PasswordChangedStatus, PasswordCheck, PasswordCheckRequest, PaymentProvider, Purchase, PurchaseBegun,
    PurchaseRequest, PurchaseStatus, Received, RegistrationPolicy, SessionRevoked, SessionStatus,
    StatementKind, StatementLine, StatementPart, StatementParts, WebLogin, WebMe, WebSession, WebSessions,
};
pub use webhook::{
    CreateWebhookRequest, Delivery, DeliveryAttempt, DeliveryDetail, DeliveryStatus, MAX_WEBHOOK_DESCRIPTION,
    NewWebhook, RotatedWebhook, UpdateWebhookRequest, Webhook, WebhookDisabledReason, WebhookPayload,
    WebhookStatus, WebhookSwitch,
};
