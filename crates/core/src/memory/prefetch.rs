//! Memory asked for before it is needed, and with it all the unsafe code of this crate.
//!
//! A line of memory that no cache holds takes as long to come as dozens of visits take to make. The processor looks a
//! few hundred instructions ahead by itself; what a sweep needs lies thousands ahead.
#![allow(unsafe_code)]

/// Asks for the line of memory that holds `element`, if there is one. Nothing waits for it.
#[inline(always)]
pub(crate) fn prefetch<T>(element: Option<&T>) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(element) = element {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads nothing that the program could see and never faults, whatever the address;
        // this one belongs to a live reference besides. It gains a quarter to a third of a solve state by state.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = element;
}
