//! Prints how long the text on standard input is estimated to last, in milliseconds. `bench/estimate` holds it against
//! what the voice makes of the text.

use std::io::Read as _;

#[expect(clippy::print_stdout, reason = "the answer is what it is for")]
fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    println!("{}", lectern_speech::estimate::estimate_ms(&text));
    Ok(())
}
