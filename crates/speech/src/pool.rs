//! Model threads: not written yet.
