//! The binary `lectern`: picks the allocator and hands over to the library.

use std::process::ExitCode;

use clap::Parser as _;
use lectern_server::commands::{self, CommandLine};

/// glibc's allocator keeps freed audio buffers in many arenas; this one gives them back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    commands::run(CommandLine::parse())
}
