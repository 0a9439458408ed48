//! The kit alone, for pages that bring no Rust: `praxis-kit.js` loads it.

fn main() {
    // The element is defined here once it is written.
    gloo::console::debug!("praxis-kit loaded");
}
