//! The data types of Lectern: ids, credits, times, error codes, and the bodies of requests,
//! responses and events. Everything is plain data with serde and `OpenAPI` schemas; nothing here
//! needs a clock, randomness, a database or a network.

mod account;
mod audio;
mod billing;
mod book;
mod cast;
mod chapter;
mod credits;
pub mod elevenlabs;
mod envelope;
mod ereader;
mod error_code;
mod event;
mod ids;
mod key;
pub mod language;
mod ledger;
mod lexicon;
mod library;
mod material;
mod openai;
mod page;
mod place;
mod quote;
pub mod request;
mod share;
mod sign_in;
mod synthesis;
mod text_enum;
mod time;
mod usage;
mod web;
mod webhook;

pub use account::{Consent, Environment, KeySummary, Me, Profile, Scope, Tier};
pub use audio::{
    AudioFormat, AudioParams, Bitrate, Loudness, Pitch, SampleRate, Seed, StreamLoudness, UnknownAudioFormat,
};
pub use billing::{
    BillingDetails, BillingDetailsRequest, CardPage, CreditPrice, CustomAmounts, PageLanguage, Positive,
    PostalAddress, Preferences, PreferencesRequest, TopUp, TopUpRequest,
};
pub use book::{
    Assembling, AssemblingStatus, BookFeed, BookFile, BookFormat, BookLoudness, BookName, Description,
    Granularity, Isbn, NotesMode, SeriesIndex, Year,
};
pub use cast::{Cast, CastRequest, CastSpeaker, CastSpeakers, MAX_CAST};
pub use chapter::{Chapter, ChapterRole, ChapterTitle, Chapters, UpdateChapterRequest};
pub use credits::Credits;
pub use envelope::{ErrorBody, ErrorDetail, ErrorEnvelope};
pub use ereader::{Ereader, Grade, WebEreader};
pub use error_code::{ErrorCode, Retry};
pub use event::{
    ChunkCompleted, ChunkFailed, CreditsLow, Event, EventType, MaterialChanged, StreamedEvent, WebhookTest,
};
pub use ids::{
    AccountId, BookmarkId, DeliveryId, EreaderId, EventId, JobId, KeyId, LexiconId, MailId, MaterialId,
    PurchaseId, RequestId, SessionId, ShareId, SynthesisId, TransactionId, WebhookId,
};
pub use ids::{Id, IdError, Kind, Named, kinds};
pub use key::{
    ApiKey, CreateKeyRequest, GraceSeconds, KeyStatus, NewApiKey, RollKeyRequest, RolledApiKey, ScopeSet,
    UpdateKeyRequest,
};
pub use language::LanguageTag;
pub use ledger::{Balance, Transaction, TransactionKind};
pub use lexicon::{
    Lexicon, LexiconEntries, LexiconEntry, LexiconIds, LexiconRequest, MAX_LEXICON_ENTRIES,
    MAX_LEXICON_ENTRY, MAX_LEXICONS,
};
pub use library::{
    LibraryBook, LibraryPage, LibraryShow, LibrarySort, MAX_TAG, MAX_TAGS, MaterialTags, TagCount, Tags,
    TagsRequest,
};
pub use material::{
    AudioUrl, CaptionFormat, ChapterSet, Chunk, ChunkSet, ChunkStatus, ChunkText, ChunkTimestamps,
    Conversion, ConvertRequest, CreateMaterialRequest, LanguageSource, Material, MaterialFailure,
    MaterialOcr, MaterialSource, MaterialStatus, MaterialText, MaterialUrl, MaterialWarning,
    MaterialWarningCode, Title, UpdateMaterialRequest, UploadMaterialForm,
};
pub use openai::{
    Instructions, Model, Models, SpeechFormat, SpeechModel, SpeechRequest, SpeechStreamFormat, SpeechVoice,
    SpeechVoiceId, Voice, Voices,
};
pub use page::Page;
pub use place::{
    Bookmark, BookmarkNoteRequest, BookmarkRequest, Bookmarks, ChunkIndex, Count, Note, Place, PlaceRequest,
    Places, PositionMs, Share,
};
pub use quote::{MAX_QUOTES, Quote, QuoteSpeaker, QuoteSpeakers, Quotes, QuotesRequest};
pub use request::{EmailAddress, Field, FieldErrors, Fields, Name, OrNull, Request, Wrong};
pub use share::{
    MAX_SHARE_PASSWORD, MIN_SHARE_PASSWORD, OpenShareRequest, ShareLink, ShareLinks, SharePassword,
    ShareRequest, SharedChapter, SharedMaterial, SharedPart,
};
pub use sign_in::{
    ConfirmRequest, Confirmed, ConfirmedStatus, EmailConfirmation, ForgotRequest, Forgotten, ForgottenStatus,
    Login, LoginRequest, MAX_PASSWORD, MIN_PASSWORD, NewPassword, Password, PasswordReset,
    PasswordResetStatus, RegisterRequest, Registration, ResetRequest, SignedOut, SignedOutStatus, TokenType,
};
pub use synthesis::{
    MAX_CHARACTERS, MAX_SPEAKERS, MAX_SSML_CHARACTERS, MarkTimestamp, NoTimestamps, Speakers, SpeechParams,
    Speed, SpokenLanguage, SpokenText, SpokenTimestamp, StreamLine, StreamRequest, Synthesis,
    SynthesizeRequest, TextType, Timestamps, WordTimestamp,
};
pub use text_enum::UnknownName;
pub use time::Timestamp;
pub use usage::{Usage, UsageGroup, UsageSum};
pub use web::{
    AcceptRequest, Activity, ChangePasswordRequest, ConsentDocument, ConsentDocuments, DayUsage,
    DocumentKind, HistoryEntry, Invitation, InvitationRequest, LowBalance, Overview, Pack, Packs,
    PasswordChanged, PasswordChangedStatus, PasswordCheck, PasswordCheckRequest, PaymentProvider, Purchase,
    PurchaseBegun, PurchaseRequest, PurchaseStatus, Received, RegistrationPolicy, SessionRevoked,
    SessionStatus, StatementKind, StatementLine, StatementPart, StatementParts, Threshold, WebLogin, WebMe,
    WebSession, WebSessions,
};
pub use webhook::{
    CreateWebhookRequest, Delivery, DeliveryAttempt, DeliveryDetail, DeliveryStatus, EventNames, NewWebhook,
    RotatedWebhook, UpdateWebhookRequest, Webhook, WebhookDisabledReason, WebhookNote, WebhookPayload,
    WebhookStatus, WebhookSwitch, WebhookUrl,
};
