//! Rebuilds the crate when the built web application has changed, because the binary embeds it.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
