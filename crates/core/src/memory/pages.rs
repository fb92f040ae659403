//! Big arrays in big pages.
//!
//! A solve walks at random through arrays far larger than what the processor remembers of page tables, and
//! the system hands out fresh memory a page at a time. Where it has pages of two megabytes both costs
//! all but vanish: a fifth of the time of a solve in words (`benches/NOTES.md`).

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What any bytes may be read as, and written as bytes.
pub(crate) trait Element: FromBytes + IntoBytes + KnownLayout + Immutable {}

impl<T: FromBytes + IntoBytes + KnownLayout + Immutable> Element for T {}

/// An array of so many elements.
pub(crate) struct Pages<T> {
    memory: Memory<T>,
}

enum Memory<T> {
    /// A map, and which of its bytes are the elements: the first lies where a big page begins.
    Mapped(MmapMut, Range<usize>, PhantomData<T>),
    /// A few pages, and where the system maps no memory.
    Heap(Vec<T>),
}

impl<T: FromBytes + IntoBytes + KnownLayout> Pages<T> {
    /// Elements whose bytes are all zero.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        // What is mapped goes back to the system when it is dropped; an allocator may keep it, once for each thread.
        const BYTES_MIN: usize = 1 << 14;
        const BIG: usize = 1 << 21;
        let bytes = len * size_of::<T>();
        let slack = if bytes >= BIG { BIG } else { 0 };
        if bytes >= BYTES_MIN
            && let Ok(map) = MmapMut::map_anon(bytes + slack)
        {
            let before = if slack > 0 { map.as_ptr().align_offset(BIG).min(slack) } else { 0 };
            // Without big pages the memory is as good, and slower.
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
