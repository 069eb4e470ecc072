//! What the web application's pages ask for: each test is a person in a browser.

mod agreeing;
mod buying;
mod owning;
mod signing_in;
mod speaking;
mod stripe;
