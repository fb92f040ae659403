//! Memory of the engines: sets as bits, large arrays in huge pages, and cache lines that are loaded ahead.
//!
//! The engines access large arrays at random. The processor caches the addresses of only a few pages, and the
//! system allocates new memory page by page. Both take little time with pages of two megabytes. With small
//! pages, they were a fifth of the time of a bit-parallel solve (`benches/NOTES.md`).
//!
//! It takes as long to load a cache line from memory as to apply dozens of updates. The processor looks a few
//! hundred instructions ahead by itself. A sweep needs lines thousands of instructions ahead. All unsafe code of this crate
//! is in [`prefetch`].

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// A set of states, or of blocks: number `n` is bit `n % 64` of word `n / 64`.
pub(crate) type Bits = Vec<u64>;

/// The empty set. The system gives zeros without writing them.
pub(crate) fn zeros(bits: usize) -> Bits {
    vec![0; bits.div_ceil(64)]
}

/// Whether a number is in a set.
pub(crate) fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}

/// The positions of the ones in a word, from the lowest.
#[derive(Clone)]
pub(crate) struct Ones(pub(crate) u64);

impl Iterator for Ones {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let ones = self.0;
        self.0 &= ones.wrapping_sub(1);
        (ones != 0).then(|| u64::from(ones.trailing_zeros()))
    }
}

/// The length of a huge page.
pub(crate) const HUGE_PAGE: usize = 1 << 21;

/// Types for which all bytes are a value, and which can be written as bytes.
pub(crate) trait Element: FromBytes + IntoBytes + KnownLayout + Immutable {}

impl<T: FromBytes + IntoBytes + KnownLayout + Immutable> Element for T {}

/// An array of elements.
pub(crate) struct Pages<T> {
    memory: Backing<T>,
}

enum Backing<T> {
    /// A memory map, and the bytes of it that are elements. The first begins at a huge page.
    Mapped(MmapMut, Range<usize>, PhantomData<T>),
    /// Small arrays, and systems without memory maps.
    Heap(Vec<T>),
}

impl<T: FromBytes + IntoBytes + KnownLayout> Pages<T> {
    /// Elements whose bytes are all zero.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        // On drop, a map gives its memory back to the system. An allocator may keep it, for each thread.
        const BYTES_MIN: usize = 1 << 14;
        let bytes = len * size_of::<T>();
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        if bytes >= BYTES_MIN
            && let Ok(map) = MmapMut::map_anon(bytes + slack)
        {
            let before =
                if slack > 0 { map.as_ptr().align_offset(HUGE_PAGE).min(slack) } else { 0 };
            // Without huge pages, the memory works more slowly.
            #[cfg(target_os = "linux")]
            let _ = if bytes >= HUGE_PAGE { map.advise(memmap2::Advice::HugePage) } else { Ok(()) };
            return Pages { memory: Backing::Mapped(map, before..before + bytes, PhantomData) };
        }
        // New memory is zero: no zeros are written over it.
        let heap = T::new_vec_zeroed(len).expect("there is memory for an array");
        Pages { memory: Backing::Heap(heap) }
    }

    /// Uses huge pages for some elements only. A huge page takes memory as soon as one of its elements is touched, so an
    /// array that is used here and there would take too much.
    pub(crate) fn huge_only_for(&mut self, elements: impl Iterator<Item = Range<usize>>) {
        #[cfg(target_os = "linux")]
        if let Backing::Mapped(map, bytes, _) = &self.memory {
            // Without this advice, the elements are the same.
            let _ = map.advise(memmap2::Advice::NoHugePage);
            for elements in elements {
                let start = bytes.start + elements.start * size_of::<T>();
                let len = elements.len() * size_of::<T>();
                let _ = map.advise_range(memmap2::Advice::HugePage, start, len);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = elements;
    }

    /// The elements, also if they are atomic.
    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Backing::Mapped(map, elements, _) => {
                let bytes = &mut map[elements.clone()];
                <[T]>::mut_from_bytes(bytes).unwrap_or_else(|_| unreachable!("pages are aligned"))
            }
            Backing::Heap(heap) => heap,
        }
    }
}

impl<T: Element> Deref for Pages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            Backing::Mapped(map, elements, _) => {
                let bytes = &map[elements.clone()];
                <[T]>::ref_from_bytes(bytes).unwrap_or_else(|_| unreachable!("pages are aligned"))
            }
            Backing::Heap(heap) => heap,
        }
    }
}

impl<T: Element> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut()
    }
}

/// Prefetches the cache line of `element`, if there is one. Does not wait.
#[inline(always)]
#[allow(unsafe_code)]
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
