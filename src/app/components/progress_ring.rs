//! How much is behind the learner, as a bar and as a ring.

use yew::prelude::*;

/// Properties of [`ProgressBar`] and [`ProgressRing`].
#[derive(Properties, PartialEq)]
pub struct ProgressProps {
    /// From 0 to 1.
    pub fraction: f64,
    /// What it is about, for who does not see it.
    pub label: AttrValue,
    /// What stands inside of the ring.
    #[prop_or_default]
    pub children: Html,
}

impl ProgressProps {
    fn percent(&self) -> u32 {
        // NaN becomes 0 (H01).
        (self.fraction.clamp(0.0, 1.0) * 100.0).round() as u32
    }
}

/// A bar.
#[component]
pub fn ProgressBar(props: &ProgressProps) -> Html {
    let percent = props.percent();
    html! {
        <div class="progress-bar" role="progressbar" aria-label={props.label.clone()} aria-valuenow={percent.to_string()}
            aria-valuemin="0" aria-valuemax="100">
            <span ~style={["inline-size:", &percent.to_string(), "%"].concat()} />
        </div>
    }
}

/// A ring, with room for a few words in its middle.
#[component]
pub fn ProgressRing(props: &ProgressProps) -> Html {
    let percent = props.percent();
    // The circle is 100 long, so that dashes are percents.
    html! {
        <div class="progress-ring" role="progressbar" aria-label={props.label.clone()} aria-valuenow={percent.to_string()}
            aria-valuemin="0" aria-valuemax="100">
            <svg viewBox="0 0 36 36" aria-hidden="true">
                <circle class="progress-ring-track" cx="18" cy="18" r="15.9155" />
                <circle class="progress-ring-value" cx="18" cy="18" r="15.9155" pathLength="100"
                    stroke-dasharray={[&percent.to_string(), " 100"].concat()} />
            </svg>
            <div class="progress-ring-middle" aria-hidden="true">{ props.children.clone() }</div>
        </div>
    }
}
