//! What a model gave back, as the codecs' tests read it.

use super::ModelOutput;

pub(super) fn text(output: &[ModelOutput]) -> String {
    let text = |output: &ModelOutput| match output {
        ModelOutput::Text(text) => text.clone(),
        _ => String::new(),
    };
    output.iter().map(text).collect()
}

pub(super) fn calls(output: &[ModelOutput]) -> Vec<[&str; 3]> {
    fn call(output: &ModelOutput) -> Option<[&str; 3]> {
        let ModelOutput::Call(call) = output else { return None };
        Some([&call.id, &call.name, &call.arguments])
    }
    output.iter().filter_map(call).collect()
}
