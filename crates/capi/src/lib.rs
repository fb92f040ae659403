//! The C interface. `include/retrograde.h` has what a C program sees, and says how to use it.
//!
//! Each function checks its pointers, and returns a code. With a code other than `RETROGRADE_CODE_OK`, the caller's `retrograde_error` has
//! the message. A panic becomes a code, too. Nothing is kept outside the handles, so different handles never touch each other.

mod errors;
mod graph;
mod options;
mod oracle;
mod pointers;
mod table;
mod value;

pub use errors::{Code, Error, MESSAGE_BYTES};
pub use graph::{
    Edge, Graph, retrograde_graph_free, retrograde_graph_solve, retrograde_graph_value,
};
pub use options::{Options, Progress};
pub use oracle::{
    MoveVisitor, Oracle, retrograde_oracle_free, retrograde_oracle_moves, retrograde_oracle_open,
    retrograde_oracle_solve_text, retrograde_oracle_start, retrograde_oracle_value,
};
pub use table::{
    Table, retrograde_table_free, retrograde_table_open, retrograde_table_states,
    retrograde_table_value,
};
pub use value::{Outcome, UNKNOWN_PLIES, Value};
