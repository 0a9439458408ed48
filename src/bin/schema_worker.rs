//! The schema worker.
fn main() {}
