//! Things in the order of a number.

use std::collections::BinaryHeap;

/// Puts `items` in the order of `key`; those with equal keys stay as they are. One sort serves every kind of item.
pub fn in_order<T>(items: Vec<T>, key: impl Fn(&T) -> f64) -> Vec<T> {
    let order = order(&items.iter().map(key).collect::<Vec<_>>());
    let mut places: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| places.get_mut(place)?.take()).collect()
}

fn order(keys: &[f64]) -> Vec<usize> {
    // A heap of whole numbers is small: the sort of the standard library would be 4 KB of the page.
    let places = keys.iter().enumerate().map(|(place, key)| (ordered(*key), place));
    places.collect::<BinaryHeap<_>>().into_sorted_vec().into_iter().map(|(_, place)| place).collect()
}

/// A whole number that lies among others as the key does among keys ([`f64::total_cmp`]).
fn ordered(key: f64) -> i64 {
    let bits = key.to_bits().cast_signed();
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_keep_their_order() {
        let sorted = in_order(vec![(2.0, 'a'), (1.0, 'b'), (2.0, 'c'), (-0.5, 'd')], |(key, _)| *key);
        assert_eq!(sorted.into_iter().map(|(_, name)| name).collect::<String>(), "dbac");
    }
}
