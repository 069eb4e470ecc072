//! The HTTP surface: routing, extraction, the error envelope and the shapes of responses. The
//! services decide what requests mean; this module only parses, calls and renders.

pub mod base64_stream;
pub mod bff;
pub mod blob;
pub mod connections;
mod disposition;
pub mod edge;
pub mod elevenlabs;
pub mod envelope;
pub mod extract;
pub mod feeds;
mod guide;
pub mod listening;
pub mod management;
pub mod media;
pub mod openai;
pub mod openapi;
pub mod pages;
pub mod payments;
mod reference;
pub mod request;
pub mod router;
pub mod saas;
pub mod shapes;
mod speech_socket;
