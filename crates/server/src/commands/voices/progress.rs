//! Progress of fetching a pack: a bar on a terminal, a line for each step elsewhere.
//!
//! The package clients tell nothing before an archive is whole, so the bar moves on with each of them.

use std::{io::IsTerminal as _, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lectern_speech::pack::Step;

use crate::commands::output;

const FETCHING: &str = "{spinner} {wide_bar} {bytes} of {total_bytes}, {elapsed}  {msg}";
const MAKING: &str = "{spinner} {elapsed}  {msg}";

/// How often the time on the bar goes on.
const TICK: Duration = Duration::from_millis(200);

/// What is told of an installation.
#[derive(Default)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Tells of a step.
    pub(super) fn tell(&mut self, step: Step<'_>) {
        match step {
            Step::Sources(sources) if std::io::stderr().is_terminal() => {
                let bytes = sources.iter().map(|source| source.bytes).sum();
                let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
                self.bar = Some(styled(bar, FETCHING));
            }
            Step::Sources(_) => {}
            Step::Fetching(source) => self.say(format!("fetching {source}")),
            Step::Fetched(source) => {
                if let Some(bar) = &self.bar {
                    bar.inc(source.bytes);
                }
            }
            Step::Making(name) => {
                self.bar = self.bar.take().map(|bar| styled(bar, MAKING));
                self.say(format!("making {name}"));
            }
        }
    }

    fn say(&self, what: String) {
        match &self.bar {
            Some(bar) => bar.set_message(what),
            None => output::progress(&what),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        // A template that does not parse costs only the bar's layout.
        Err(_) => bar,
    }
}
