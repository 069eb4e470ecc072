//! The questions, in the order in which an installation is decided on.

use std::io;

use dialoguer::{Confirm, Input};
use lectern_service::services::accounts::invitations::is_address;
use lectern_types::Credits;

use super::{First, Init, USUAL_CREDITS, answers::Answers};
use crate::{admin::invite::MAX_CREDITS, error::CommandError, output};

/// A setting that is asked for as a text.
struct Question<'a> {
    key: &'static str,
    /// The answer on the command line.
    given: Option<&'a str>,
    prompt: &'static str,
    /// What an empty answer stands for; an empty default is not written to the file.
    usual: &'static str,
}

/// Asks for all settings, and for the first account.
pub(super) fn ask(init: &Init, answers: &mut Answers) -> Result<Option<First>, CommandError> {
    let asked = Asked { silent: init.yes };
    if !init.yes {
        output::progress("press Enter to take what is in brackets. Nothing is written before the end.");
    }
    asked.text(
        answers,
        &Question {
            key: "data_dir",
            given: init.data_dir.as_deref(),
            prompt: "Folder for the database, the audio and the master key",
            usual: "./data",
        },
    )?;
    asked.text(
        answers,
        &Question {
            key: "http.listen",
            given: init.listen.as_deref(),
            prompt: "Address to listen on (0.0.0.0:8080 for all networks)",
            usual: "127.0.0.1:8080",
        },
    )?;
    asked.text(
        answers,
        &Question {
            key: "http.public_url",
            given: init.public_url.as_deref(),
            prompt: "Address that people use, such as https://speech.example.com (empty: this machine only)",
            usual: "",
        },
    )?;
    let is_behind_a_proxy = answers.get("http.public_url").is_some_and(|url| url.starts_with("https:"));
    if is_behind_a_proxy || init.trusted_proxies.is_some() {
        asked.text(
            answers,
            &Question {
                key: "http.trusted_proxies",
                given: init.trusted_proxies.as_deref(),
                prompt: "Networks of the reverse proxy that does TLS, with commas between them",
                usual: "127.0.0.1/32,::1/128",
            },
        )?;
    }
    asked.text(
        answers,
        &Question {
            key: "database.url",
            given: init.database.as_deref(),
            prompt: "Database, postgres://USER:PASSWORD@HOST/DATABASE (empty: a SQLite file in the folder)",
            usual: "",
        },
    )?;
    asked.text(
        answers,
        &Question {
            key: "mail.url",
            given: init.mail.as_deref(),
            prompt: "Mail server, smtp://USER:PASSWORD@HOST:PORT (empty: mails become files in the folder)",
            usual: "",
        },
    )?;
    if answers.get("mail.url").is_some() || init.mail_from.is_some() {
        asked.text(answers, &Question {
            key: "mail.from",
            given: init.mail_from.as_deref(),
            prompt: "Sender of mails, such as Lectern <no-reply@example.com> (empty: no-reply at the address above)",
            usual: "",
        })?;
    }
    asked.open_registration(init, answers)?;
    asked.first_account(init)
}

/// How to ask.
struct Asked {
    /// Takes the options and the defaults alone.
    silent: bool,
}

impl Asked {
    /// Asks until the answer is right. One on the command line is right or ends the command.
    fn text(&self, answers: &mut Answers, question: &Question<'_>) -> Result<(), CommandError> {
        let Question { key, given, prompt, usual } = *question;
        match (given, answers.in_environment(key)) {
            (Some(_), Some(variable)) => return Err(set_twice(key, &variable)),
            (Some(given), None) => {
                return answers.set(key, given).map_err(|error| CommandError::Usage(error.to_string()));
            }
            (None, Some(_)) => return Ok(()),
            (None, None) => {}
        }
        if self.silent {
            return take_usual(answers, key, usual);
        }
        loop {
            let input = Input::<String>::new().with_prompt(prompt).allow_empty(true);
            let input = if usual.is_empty() { input } else { input.default(usual.to_owned()) };
            let answer = input.interact_text().map_err(interrupted)?;
            let answer = answer.trim();
            if answer.is_empty() {
                return take_usual(answers, key, usual);
            }
            match answers.set(key, answer) {
                Ok(()) => return Ok(()),
                Err(error) => output::progress(&error.to_string()),
            }
        }
    }

    fn open_registration(&self, init: &Init, answers: &mut Answers) -> Result<(), CommandError> {
        let key = "auth.open_registration";
        match (init.open_registration, answers.in_environment(key)) {
            (Some(_), Some(variable)) => return Err(set_twice(key, &variable)),
            (None, Some(_)) => return Ok(()),
            (_, None) => {}
        }
        let is_open = match init.open_registration {
            Some(is_open) => is_open,
            None if self.silent => false,
            None => Confirm::new()
                .with_prompt("May people register without an invitation?")
                .default(false)
                .interact()
                .map_err(interrupted)?,
        };
        let answer = if is_open { "true" } else { "false" };
        answers.set(key, answer).map_err(|error| CommandError::Usage(error.to_string()))
    }

    /// Asks for the first account.
    fn first_account(&self, init: &Init) -> Result<Option<First>, CommandError> {
        let email = match &init.email {
            Some(email) => email.clone(),
            None if self.silent => return Ok(None),
            None => Input::<String>::new()
                .with_prompt("E-mail address of the first account (empty: none now)")
                .allow_empty(true)
                .validate_with(|email: &String| {
                    let is_right = email.trim().is_empty() || is_address(email.trim());
                    if is_right { Ok(()) } else { Err("must be an e-mail address") }
                })
                .interact_text()
                .map_err(interrupted)?,
        };
        let email = email.trim().to_owned();
        if email.is_empty() {
            return Ok(None);
        }
        if !is_address(&email) {
            return Err(CommandError::Usage(format!("{email:?} is not an e-mail address")));
        }
        let credits = match init.credits {
            Some(credits) => credits,
            None if self.silent => USUAL_CREDITS,
            None => Input::<i64>::new()
                .with_prompt("Credits that it starts with")
                .default(USUAL_CREDITS)
                .validate_with(|credits: &i64| {
                    let is_right = (0..=MAX_CREDITS).contains(credits);
                    if is_right { Ok(()) } else { Err(format!("must be from 0 to {MAX_CREDITS}")) }
                })
                .interact_text()
                .map_err(interrupted)?,
        };
        Ok(Some(First { email, credits: Credits(credits) }))
    }
}

/// An option for a setting that the environment has, which would win over the file.
fn set_twice(key: &str, variable: &str) -> CommandError {
    CommandError::Usage(format!("{key} is set by {variable}: leave out the option, or unset the variable"))
}

/// Takes what an empty answer stands for.
fn take_usual(answers: &mut Answers, key: &'static str, usual: &str) -> Result<(), CommandError> {
    if usual.is_empty() {
        return Ok(());
    }
    answers.set(key, usual).map_err(|error| CommandError::Usage(error.to_string()))
}

/// A prompt that ended without an answer.
fn interrupted(error: dialoguer::Error) -> CommandError {
    let dialoguer::Error::IO(source) = error;
    if source.kind() == io::ErrorKind::Interrupted {
        return CommandError::Interrupted("nothing was written".to_owned());
    }
    CommandError::Io { what: "the terminal could not be read; nothing was written".to_owned(), source }
}
