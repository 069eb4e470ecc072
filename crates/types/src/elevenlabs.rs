//! Requests and responses of the supported part of ElevenLabs' API: text to speech, voices, models
//! and the subscription.

mod output_format;
mod request;
mod response;

pub use output_format::OutputFormat;
pub use request::{
    ContextText, LanguageCode, LexiconLocator, LexiconLocators, ModelId, StitchedRequests, TextNormalization,
    TextToSpeechRequest, VoiceLevel, VoiceSettings,
};
pub use response::{
    CharacterAlignment, LabelledVoice, LabelledVoices, LabelledVoicesPage, ModelLanguage, ModelList,
    NoOverage, SpeechAndAlignment, Subscriber, Subscription, SubscriptionStatus, TextToSpeechModel,
    VerifiedLanguage, VoiceLabels,
};
