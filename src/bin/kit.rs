//! The kit alone, for pages that bring no Rust: `praxis-kit.js` loads it.

use praxis::{backends, kit};

fn main() {
    kit::element::tell_of_panics();
    kit::element::define_element(backends::backend);
}
