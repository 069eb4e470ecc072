//! The requests of the web application's pages: each test is a person in a browser.

mod agreeing;
mod billing;
mod buying;
mod history;
mod library;
mod listening;
mod owning;
mod sharing;
mod signing_in;
mod speaking;
mod streaming;
mod stripe;
mod top_up;
