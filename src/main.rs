//! The lesson player.
fn main() {}
