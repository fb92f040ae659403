//! The order in which a build solves regions.

use std::collections::HashMap;

use crate::named_regions::NamedRegions;

/// These regions and all regions that they need, each after the regions that it needs.
///
/// # Panics
///
/// If a region needs itself. The message names it.
pub(crate) fn in_order(family: &dyn NamedRegions, targets: &[String]) -> Vec<String> {
    #[derive(PartialEq)]
    enum Mark {
        Entered,
        Left,
    }
    let mut marks: HashMap<String, Mark> = HashMap::new();
    let mut order = Vec::new();
    // The regions on the current path, each with the needs that were not visited yet.
    let mut path: Vec<(String, std::vec::IntoIter<String>)> = Vec::new();
    for target in targets {
        let mut next = Some(target.clone());
        loop {
            if let Some(region) = next.take() {
                match marks.get(&region) {
                    Some(Mark::Left) => {}
                    Some(Mark::Entered) => panic!("{} needs itself: {region}", family.name()),
                    None => {
                        marks.insert(region.clone(), Mark::Entered);
                        let needs = family.needs(&region).into_iter();
                        path.push((region, needs));
                    }
                }
            }
            let Some((_, needs)) = path.last_mut() else { break };
            next = needs.next();
            if next.is_none() {
                let (region, _) = path.pop().expect("the path was not empty");
                marks.insert(region.clone(), Mark::Left);
                order.push(region);
            }
        }
    }
    order
}
