//! A step: the work of one part at a level, and the updates that come of it.

use std::sync::Mutex;

use retrograde::parts::{Outboxes, Tally};

use crate::inboxes::{Inboxes, read_updates};
use crate::on_disk::Resident;
use crate::pass::{Broken, Pass, lock};

impl Pass<'_> {
    /// Ends the level that this part and all its neighbours have swept, and sweeps the next level. Before the first
    /// pass, a step seeds the part instead. Returns what has settled, and neighbours that were unknown.
    pub(crate) fn step(
        &self,
        inboxes: &Mutex<Inboxes>,
        number: usize,
        completed: u32,
        resident: &mut Resident,
        outboxes: &mut Outboxes,
    ) -> Result<(Tally, Vec<(usize, usize)>), Broken> {
        let Pass { game, links, files, .. } = *self;
        let Resident { part, pending, changed } = resident;
        let tally = if completed == 0 {
            let tally = game.seed(part, pending);
            pending.sort();
            tally
        } else {
            if part.level() < completed {
                part.begin(completed);
            }
            *changed |= pending.next() == Some(completed);
            let mut updates = Vec::new();
            loop {
                lock(inboxes).take(number, completed, &mut updates);
                if updates.is_empty() {
                    break;
                }
                *changed = true;
                part.deliver(updates.iter().copied());
            }
            let extents = lock(inboxes).take_extents(number, completed);
            *changed |= !extents.is_empty();
            for extent in extents {
                part.deliver(read_updates(&files.folder, extent, number)?);
            }
            let tally = part.end(pending);
            pending.remove(completed);
            tally
        };
        *changed |= tally.total() > 0;
        let level = completed.checked_add(1).expect("distances end at 2^32 plies");
        part.begin(level);
        let mut found = Vec::new();
        loop {
            let done = game.sweep(part, outboxes);
            if !outboxes.is_empty() {
                let mut inboxes = lock(inboxes);
                let mut sent = Ok(());
                outboxes.drain(|to, updates| {
                    if sent.is_err() {
                        return;
                    }
                    if !links.has(number, to) {
                        // While parts are still being seeded, no part has continued without these updates.
                        if completed > 0 {
                            sent = Err(Broken::Surprise(number, to));
                            return;
                        }
                        found.push((number, to));
                    }
                    sent = inboxes.send(to, level, updates).map_err(Broken::from);
                });
                sent?;
            }
            if done {
                return Ok((tally, found));
            }
        }
    }
}
