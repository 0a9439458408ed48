//! The kit alone.
fn main() {}
