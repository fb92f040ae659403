//! The order in which a build solves regions.

use std::collections::HashMap;

use crate::named_regions::NamedRegions;

/// These regions and all regions that they need, each after the regions that it needs.
///
/// # Panics
///
/// If a region needs itself. The message names it.
pub(crate) fn in_order(family: &dyn NamedRegions, targets: &[String]) -> Vec<String> {
    // Whether the regions seen so far are done.
    let mut seen: HashMap<String, bool> = HashMap::new();
    let mut order = Vec::new();
    // Regions to visit, the next one last. Those with `true` follow all that they need.
    let mut stack: Vec<(String, bool)> =
        targets.iter().rev().map(|target| (target.clone(), false)).collect();
    while let Some((region, is_last)) = stack.pop() {
        if is_last {
            seen.insert(region.clone(), true);
            order.push(region);
            continue;
        }
        match seen.get(&region) {
            Some(true) => {}
            Some(false) => panic!("{} needs itself: {region}", family.name()),
            None => {
                seen.insert(region.clone(), false);
                let needs = family.needs(&region);
                stack.push((region, true));
                stack.extend(needs.into_iter().rev().map(|need| (need, false)));
            }
        }
    }
    order
}
