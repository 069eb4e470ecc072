"""The client with `async`. `sdk/generate` makes the one without from it."""
