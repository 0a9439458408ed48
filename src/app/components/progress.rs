//! How far something has come, as a bar or a ring.

use yew::prelude::*;

/// A bar; `fraction` is from 0 to 1, and `label` says to who does not see it what it is about.
pub fn progress_bar(fraction: f64, label: &'static str) -> Html {
    let percent = percent(fraction).to_string();
    html! {
        <div class="progress-bar" role="progressbar" aria-label={label} aria-valuenow={percent.clone()} aria-valuemin="0" aria-valuemax="100">
            <span ~style={["inline-size:", &percent, "%"].concat()} />
        </div>
    }
}

/// The same as a ring, with something inside of it.
pub fn progress_ring(fraction: f64, label: &'static str, middle: Html) -> Html {
    let percent = percent(fraction).to_string();
    // The circle is 100 long, so that dashes are percents.
    let dashes = [&percent, " 100"].concat();
    html! {
        <div class="progress-ring" role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin="0" aria-valuemax="100">
            <svg viewBox="0 0 36 36" aria-hidden="true">
                <circle class="progress-ring-track" cx="18" cy="18" r="15.9155" />
                <circle class="progress-ring-value" cx="18" cy="18" r="15.9155" pathLength="100" stroke-dasharray={dashes} />
            </svg>
            <div class="progress-ring-middle" aria-hidden="true">{ middle }</div>
        </div>
    }
}

/// NaN is 0 (H01).
fn percent(fraction: f64) -> u32 {
    (fraction.clamp(0.0, 1.0) * 100.0).round() as u32
}
