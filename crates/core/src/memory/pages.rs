//! Large arrays in huge pages.
//!
//! The engines access large arrays at random. The processor caches the addresses of only a few pages, and the
//! system allocates new memory page by page. Both take little time with pages of two megabytes. With small
//! pages, they were a fifth of the time of a bit-parallel solve (`benches/NOTES.md`).

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The length of a huge page.
pub(crate) const HUGE_PAGE: usize = 1 << 21;

/// Types for which all bytes are a value, and which can be written as bytes.
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
            return Pages { memory: Memory::Mapped(map, before..before + bytes, PhantomData) };
        }
        let heap = (0..len).map(|_| T::new_zeroed()).collect();
        Pages { memory: Memory::Heap(heap) }
    }

    /// Uses huge pages for some elements only. A huge page takes memory as soon as one of its elements is touched, so an
    /// array that is used here and there would take too much.
    pub(crate) fn huge_only_for(&mut self, elements: impl Iterator<Item = Range<usize>>) {
        #[cfg(target_os = "linux")]
        if let Memory::Mapped(map, bytes, _) = &self.memory {
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
