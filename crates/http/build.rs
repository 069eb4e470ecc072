//! Has the binary built anew when the web application was: it is carried inside.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
