//! Large arrays in huge pages.
//!
//! A solve accesses arrays at random that are far larger than the processor's cache of page tables, and the
//! system allocates fresh memory page by page. With pages of two megabytes, both costs nearly vanish. They
//! were a fifth of the time of a bit-parallel solve (`benches/NOTES.md`).

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Types that any bytes are a value of, and that can be written as bytes.
pub(crate) trait Element: FromBytes + IntoBytes + KnownLayout + Immutable {}

impl<T: FromBytes + IntoBytes + KnownLayout + Immutable> Element for T {}

/// An array of elements.
pub(crate) struct Pages<T> {
    memory: Memory<T>,
}

enum Memory<T> {
    /// A memory map, and the bytes of it that are elements. The first begins at a huge page.
    Mapped(MmapMut, Range<usize>, PhantomData<T>),
    /// Small arrays, and systems without memory maps.
    Heap(Vec<T>),
}

impl<T: FromBytes + IntoBytes + KnownLayout> Pages<T> {
    /// Elements whose bytes are all zero.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        // A map returns to the system on drop. An allocator may keep the memory, once for each thread.
        const BYTES_MIN: usize = 1 << 14;
        const BIG: usize = 1 << 21;
        let bytes = len * size_of::<T>();
        let slack = if bytes >= BIG { BIG } else { 0 };
        if bytes >= BYTES_MIN
            && let Ok(map) = MmapMut::map_anon(bytes + slack)
        {
            let before = if slack > 0 { map.as_ptr().align_offset(BIG).min(slack) } else { 0 };
            // If there are no huge pages, the memory works too, more slowly.
            #[cfg(target_os = "linux")]
            let _ = if bytes >= BIG { map.advise(memmap2::Advice::HugePage) } else { Ok(()) };
            return Pages { memory: Memory::Mapped(map, before..before + bytes, PhantomData) };
        }
        let heap = (0..len).map(|_| T::new_zeroed()).collect();
        Pages { memory: Memory::Heap(heap) }
    }

    /// The elements. Also for those that change when shared.
    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Mapped(map, elements, _) => {
                let bytes = &mut map[elements.clone()];
                <[T]>::mut_from_bytes(bytes).unwrap_or_else(|_| unreachable!("pages are aligned"))
            }
            Memory::Heap(heap) => heap,
        }
    }
}

impl<T: Element> Deref for Pages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Mapped(map, elements, _) => {
                let bytes = &map[elements.clone()];
                <[T]>::ref_from_bytes(bytes).unwrap_or_else(|_| unreachable!("pages are aligned"))
            }
            Memory::Heap(heap) => heap,
        }
    }
}

impl<T: Element> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut()
    }
}
