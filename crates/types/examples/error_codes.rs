//! Prints docs/ERRORS.md: `cargo run -q -p lectern-types --example error_codes > docs/ERRORS.md`.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

use lectern_types::ErrorCode;

const HEAD: &str = "\
# Errors

Every response with a 4xx or 5xx status, whatever the path and the method, has this body:

```json
{
  \"error\": {
    \"code\": \"validation_failed\",
    \"message\": \"The request has fields that are not valid.\",
    \"details\": { \"fields\": { \"speed\": \"must be a number from 0.5 to 2\" } },
    \"request_id\": \"req_019aa4f6c0de7000800000000000c001\"
  }
}
```

- Match on `code`. Codes are never renamed; new ones may come. `message` is for people and may change.
- `request_id` equals the header `X-Request-Id`: quote it when you ask for help.
- `details` is absent where the table names nothing.
- Every 401 carries `WWW-Authenticate: Bearer`, every 405 `Allow`, every 429 and 503 `Retry-After` in whole seconds.

This page is made from the code: `cargo run -q -p lectern-types --example error_codes > docs/ERRORS.md`.

| Code | HTTP | Meaning | `error.details` | Same request again? |
|---|---|---|---|---|
";

fn main() {
    print!("{HEAD}");
    for code in ErrorCode::ALL {
        println!(
            "| `{code}` | {} | {} | {} | {} |",
            code.http_status(),
            code.default_message(),
            code.details().unwrap_or_default(),
            code.retry().as_str()
        );
    }
}
