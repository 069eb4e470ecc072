//! Prints the estimated duration of the text on standard input, and how long the estimate took. For
//! `bench/estimate`.

use std::{io::Read as _, time::Instant};

use lectern_speech::estimate::estimate_ms;

/// The fastest of this many runs counts, because the others were interrupted.
const RUNS: usize = 5;

#[expect(clippy::print_stdout, reason = "the answer is what it is for")]
fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let run = || {
        let begun = Instant::now();
        (estimate_ms(&text, None), begun.elapsed())
    };
    let (estimate_ms, spent) = (0..RUNS).map(|_| run()).min_by_key(|(_, spent)| *spent).unwrap_or_default();
    println!("{{\"estimate_ms\": {estimate_ms}, \"spent_us\": {}}}", spent.as_micros());
    Ok(())
}
