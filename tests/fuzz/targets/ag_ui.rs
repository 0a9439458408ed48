#![no_main]
#![doc = "Answers of a server that speaks what the name says."]

mod answer;

use libfuzzer_sys::fuzz_target;
use praxis::service::model::ag_ui::Settings;
use praxis::service::model::run::Endpoint;

fuzz_target!(|answer: &[u8]| {
    let size = answer.first().map_or(1, |byte| usize::from(*byte).max(1));
    answer::check(&Endpoint::AgUi(Settings::default()), answer, size);
});
