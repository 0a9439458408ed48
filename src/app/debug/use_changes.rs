use yew::prelude::*;

use crate::binding::{ContextChange, PraxisContext, use_praxis_context};

/// The context, rendering again after each of its changes that `matters`.
#[hook]
pub(super) fn use_changes(matters: fn(&ContextChange) -> bool) -> Option<PraxisContext> {
    let context = use_praxis_context();
    let update = use_force_update();
    use_effect_with(context.clone(), move |context| {
        // What changed between the render and this moment.
        update.force_update();
        let observation = context.as_ref().map(|context| {
            context.observe(move |change| {
                if matters(change) {
                    update.force_update();
                }
            })
        });
        move || drop(observation)
    });
    context
}
