//! An S3 server that checks signatures, for tests in other languages and for trying the service.
//! `s3_server FOLDER BUCKET…` creates the buckets in FOLDER and serves them. It prints the settings
//! of a service that uses the first bucket as one line of JSON, and ends when its standard input
//! ends.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a tool of the tests")]

use std::{collections::BTreeMap, io::Read as _, path::PathBuf};

use lectern_testkit::S3Server;

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the first argument is a folder"));
    let buckets: Vec<String> = arguments.filter_map(|bucket| bucket.into_string().ok()).collect();
    let server = S3Server::start(&folder);
    for bucket in &buckets {
        server.make_bucket(bucket);
    }
    let settings = server.settings(buckets.first().expect("the second argument is a bucket"), "");
    let settings: BTreeMap<String, String> = settings.into_iter().collect();
    println!("{}", serde_json::to_string(&settings).expect("texts are JSON"));
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
