//! The requests of the web application's pages: each test is a person in a browser.

mod agreeing;
mod buying;
mod history;
mod library;
mod listening;
mod owning;
mod sharing;
mod signing_in;
mod speaking;
mod stripe;
