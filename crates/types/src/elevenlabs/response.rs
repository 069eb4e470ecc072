//! What the routes answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AccountId, EreaderId, Models, text_enum};

/// Audio, and when each character of the text is spoken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpeechAndAlignment {
    /// The audio, or the next piece of it, in Base64.
    pub audio_base64: String,
    /// When each character is spoken: of the whole text, or in a stream, of the piece.
    pub alignment: Option<CharacterAlignment>,
    /// Null: the text as it was spoken is not told.
    pub normalized_alignment: Option<CharacterAlignment>,
}

/// When each character of the text as sent is spoken: three lists of the same length. The times follow from
/// those of the words; within a word they are evenly spread.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CharacterAlignment {
    /// The characters, Unicode scalar values.
    pub characters: Vec<String>,
    /// When each begins, in seconds.
    pub character_start_times_seconds: Vec<f64>,
    /// When each ends, in seconds.
    pub character_end_times_seconds: Vec<f64>,
}

/// An e-reader as ElevenLabs describes a voice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelledVoice {
    /// The e-reader's id.
    pub voice_id: EreaderId,
    /// A display name.
    #[schema(example = "Heart")]
    pub name: String,
    /// `premade`.
    #[schema(example = "premade")]
    pub category: String,
    /// A description of the voice.
    pub description: String,
    /// What is known of the voice.
    pub labels: VoiceLabels,
    /// Null: samples need a key.
    pub preview_url: Option<String>,
    /// The levels of account that may use it.
    #[schema(example = json!(["free", "standard", "premium"]))]
    pub available_for_tiers: Vec<String>,
    /// Empty: no voice has recordings to show.
    pub samples: Vec<BTreeMap<String, String>>,
    /// The languages it reads.
    pub verified_languages: Vec<VerifiedLanguage>,
    /// The models that it speaks with.
    #[schema(example = json!(["lectern"]))]
    pub high_quality_base_model_ids: Vec<String>,
    /// Always false: a voice belongs to the service.
    pub is_owner: bool,
    /// When it was made, in seconds since 1970.
    pub created_at_unix: i64,
}

/// The labels of a voice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoiceLabels {
    /// Its first language, BCP 47.
    #[schema(example = "en-US")]
    pub language: String,
    /// The gender that it sounds like; absent if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub gender: Option<String>,
    /// The e-reader's slug.
    #[schema(example = "heart")]
    pub slug: String,
    /// The price per character in credits.
    #[schema(example = "1")]
    pub price_per_character: String,
}

/// A language that a model speaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct ModelLanguage {
    /// Its code, which `language_code` takes.
    #[schema(example = "en")]
    pub language_id: String,
    /// A name: the tag, BCP 47.
    #[schema(example = "en-US")]
    pub name: String,
}

/// A language that a voice reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VerifiedLanguage {
    /// Its code, which `language_code` takes.
    #[schema(example = "en")]
    pub language: String,
    /// The model that speaks it.
    #[schema(example = "lectern")]
    pub model_id: String,
    /// The tag, BCP 47.
    #[schema(example = "en-US")]
    pub locale: String,
}

/// All voices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelledVoices {
    /// The voices, newest first.
    pub voices: Vec<LabelledVoice>,
}

/// A page of voices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelledVoicesPage {
    /// The voices, newest first.
    pub voices: Vec<LabelledVoice>,
    /// Whether another page follows.
    pub has_more: bool,
    /// How many voices were found.
    pub total_count: u32,
    /// The `next_page_token` of the next page; null on the last page.
    pub next_page_token: Option<String>,
}

/// A model. All are the same engine.
#[expect(clippy::struct_excessive_bools, reason = "the fields are those of ElevenLabs")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TextToSpeechModel {
    /// The name that `model_id` takes.
    #[schema(example = "lectern")]
    pub model_id: String,
    /// A display name.
    pub name: String,
    /// A description.
    pub description: String,
    /// Always true.
    pub can_do_text_to_speech: bool,
    /// Always false.
    pub can_do_voice_conversion: bool,
    /// Always false.
    pub can_be_finetuned: bool,
    /// Always false.
    pub can_use_style: bool,
    /// Always false.
    pub can_use_speaker_boost: bool,
    /// Always false.
    pub serves_pro_voices: bool,
    /// Always false.
    pub requires_alpha_access: bool,
    /// Always 1: prices are those of the voices.
    pub token_cost_factor: f64,
    /// The most characters of a text.
    pub maximum_text_length_per_request: u32,
    /// The languages of all voices together.
    pub languages: Vec<ModelLanguage>,
}

/// The models: in OpenAI's form, or in ElevenLabs' when the key came as `xi-api-key`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ModelList {
    /// In OpenAI's form.
    OpenAi(Models),
    /// In ElevenLabs' form.
    ElevenLabs(Vec<TextToSpeechModel>),
}

text_enum! {
    /// The state of an account, as ElevenLabs names it.
    #[derive(ToSchema)]
    SubscriptionStatus {
        /// The account never bought credits.
        Free "free",
        /// It did.
        Active "active",
    }
}

/// An account's credits, in the form of ElevenLabs' subscription. What can be spent is
/// `character_limit` less `character_count`.
#[expect(clippy::struct_excessive_bools, reason = "the fields are those of ElevenLabs")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subscription {
    /// The account's level.
    #[schema(example = "free")]
    pub tier: String,
    /// The credits that are held for work in progress.
    pub character_count: i64,
    /// The account's credits, with those that are held.
    pub character_limit: i64,
    /// Always 0: nothing is spent beyond the balance.
    pub max_credit_limit_extension: i64,
    /// Always false.
    pub can_extend_character_limit: bool,
    /// Always false.
    pub allowed_to_extend_character_limit: bool,
    /// Null: credits do not come again by themselves.
    pub next_character_count_reset_unix: Option<i64>,
    /// Always 0.
    pub voice_slots_used: u32,
    /// Always 0.
    pub professional_voice_slots_used: u32,
    /// Always 0.
    pub professional_voice_slots_used_in_workspace: u32,
    /// Always 0: voices cannot be added.
    pub voice_limit: u32,
    /// Always 0.
    pub voice_add_edit_counter: u32,
    /// Always 0.
    pub professional_voice_limit: u32,
    /// Always false.
    pub can_extend_voice_limit: bool,
    /// Always false.
    pub can_use_instant_voice_cloning: bool,
    /// Always false.
    pub can_use_professional_voice_cloning: bool,
    /// Always 0.
    pub current_overage: NoOverage,
    /// Whether the account ever bought credits.
    pub status: SubscriptionStatus,
    /// Always empty.
    pub open_invoices: Vec<BTreeMap<String, String>>,
    /// Always false.
    pub has_open_invoices: bool,
}

/// An amount of nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NoOverage {
    /// `0`.
    #[schema(example = "0")]
    pub amount: String,
    /// `usd`.
    #[schema(example = "usd")]
    pub currency: String,
}

/// The account behind the key, in ElevenLabs' form.
#[expect(clippy::struct_excessive_bools, reason = "the fields are those of ElevenLabs")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subscriber {
    /// The account's id.
    pub user_id: AccountId,
    /// The same.
    pub workspace_id: AccountId,
    /// The account's credits.
    pub subscription: Subscription,
    /// Always false.
    pub is_new_user: bool,
    /// Always false.
    pub can_use_delayed_payment_methods: bool,
    /// Always true.
    pub is_onboarding_completed: bool,
    /// Always true.
    pub is_onboarding_checklist_completed: bool,
    /// `workspace_admin`.
    #[schema(example = "workspace_admin")]
    pub seat_type: String,
    /// When the account was made, in seconds since 1970.
    pub created_at: i64,
}
