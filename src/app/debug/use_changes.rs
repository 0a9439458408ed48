use yew::prelude::*;

use crate::binding::{PraxisContext, use_praxis_context};

/// The context, rendering again after each of its changes; an empty one where there is no provider.
#[hook]
pub(super) fn use_changes() -> PraxisContext {
    let context = use_praxis_context();
    let update = use_force_update();
    use_effect_with(context.clone(), move |context| {
        // What changed between the render and this moment.
        update.force_update();
        let observation = context.as_ref().map(|context| context.observe(move |_| update.force_update()));
        move || drop(observation)
    });
    context.unwrap_or_default()
}
