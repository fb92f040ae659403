/* The C interface of Retrograde: tables, games and graphs.
 *
 * A function that can fail returns RETROGRADE_CODE_OK or another code. Then the retrograde_error that you gave has a message. You may
 * give a null pointer in its place. All threads may use one handle at once, and nothing is kept outside of handles. Free each
 * handle when no thread uses it any more. Link with -lretrograde_c.
 *
 * Written by cbindgen from crates/capi/src. */

#ifndef RETROGRADE_H
#define RETROGRADE_H

#include <stddef.h>
#include <stdint.h>

/*
 How many bytes a message may have, with the zero at its end.
 */
#define RETROGRADE_MESSAGE_BYTES 512

/*
 The plies of a draw, of an invalid state, and of a value without a known distance.
 */
#define RETROGRADE_UNKNOWN_PLIES UINT32_MAX

/*
 What a function returns.
 */
typedef enum {
  /*
   It did what it says.
   */
  RETROGRADE_CODE_OK = 0,
  /*
   An argument makes no sense: a null pointer, a text that is not UTF-8, a state or position that does not exist.
   */
  RETROGRADE_CODE_ARGUMENT = 1,
  /*
   A file cannot be read, or is no table.
   */
  RETROGRADE_CODE_FILE = 2,
  /*
   A text or graph has a mistake. The message says where.
   */
  RETROGRADE_CODE_GAME = 3,
  /*
   The memory limit is too small. The message says how much is enough.
   */
  RETROGRADE_CODE_MEMORY = 4,
  /*
   The progress callback has stopped the solve.
   */
  RETROGRADE_CODE_STOPPED = 5,
  /*
   Tables or rules contradict each other, or the library has a bug.
   */
  RETROGRADE_CODE_BROKEN = 6,
} retrograde_code;

/*
 Who wins.
 */
typedef enum {
  /*
   The player to move loses.
   */
  RETROGRADE_OUTCOME_LOSS = 0,
  /*
   Neither player can win.
   */
  RETROGRADE_OUTCOME_DRAW = 1,
  /*
   The player to move wins.
   */
  RETROGRADE_OUTCOME_WIN = 2,
  /*
   The state is no position of the game.
   */
  RETROGRADE_OUTCOME_INVALID = 3,
} retrograde_outcome;

/*
 A solved graph. All threads may use it at once.
 */
typedef struct retrograde_graph retrograde_graph;

/*
 A solved game: its positions by text. All threads may use it at once.
 */
typedef struct retrograde_oracle retrograde_oracle;

/*
 The table of one game or region. All threads may use it at once.
 */
typedef struct retrograde_table retrograde_table;

/*
 A move.
 */
typedef struct {
  /*
   The vertex before it.
   */
  uint64_t from;
  /*
   The vertex after it.
   */
  uint64_t to;
} retrograde_edge;

/*
 Is told how many states are settled, and how many there are. Stops the solve if it returns anything but 0. It may be called from
 another thread than that of the caller, but by one thread at a time.
 */
typedef int (*retrograde_progress)(void *context,
                                   uint64_t done,
                                   uint64_t states);

/*
 How to solve. All zeros are the defaults.
 */
typedef struct {
  /*
   How many threads; 0 for all.
   */
  size_t threads;
  /*
   The most bytes of memory; 0 for no limit.
   */
  uint64_t memory_max;
  /*
   What is told of the progress; may be null.
   */
  retrograde_progress progress;
  /*
   The first argument of `progress`.
   */
  void *context;
} retrograde_options;

/*
 Why a function failed. The caller owns it, and need not set it before.
 */
typedef struct {
  /*
   The returned code.
   */
  retrograde_code code;
  /*
   What is wrong, in UTF-8, with a zero at the end. A longer message is cut.
   */
  char message[RETROGRADE_MESSAGE_BYTES];
} retrograde_error;

/*
 The value of a state for the player to move.
 */
typedef struct {
  /*
   Who wins.
   */
  retrograde_outcome outcome;
  /*
   In how many plies, or `RETROGRADE_UNKNOWN_PLIES`.
   */
  uint32_t plies;
} retrograde_value;

/*
 Is told a move: its name, the position after it, and its value for the player who makes it. The texts live until it returns. Ends the
 list if it returns anything but 0.
 */
typedef int (*retrograde_move_visitor)(void *context,
                                       const char *name,
                                       const char *next,
                                       retrograde_value value);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Solves a graph of so many vertices, whose numbers begin with 0: two players in turn move along its edges. `stuck` is the
 outcome for a player who cannot move.

 # Safety

 `edges` points to `edge_count` edges. `options` is null or points to options. `graph` points to room for a pointer. `error`
 is null, or points to room for an error.
 */
retrograde_code retrograde_graph_solve(uint64_t vertices,
                                       const retrograde_edge *edges,
                                       size_t edge_count,
                                       int32_t stuck,
                                       const retrograde_options *options,
                                       retrograde_graph **graph,
                                       retrograde_error *error);

/*
 The value of a vertex.

 # Safety

 `graph` is null, or was solved and is not freed. `value` points to room for a value. `error` is null, or points to room for an error.
 */
retrograde_code retrograde_graph_value(const retrograde_graph *graph,
                                       uint64_t state,
                                       retrograde_value *value,
                                       retrograde_error *error);

/*
 Frees a graph. A null pointer is none.

 # Safety

 `graph` is null, or was solved, is used by no thread, and never again.
 */
void retrograde_graph_free(retrograde_graph *graph);

/*
 Opens what a path names: the table of a game, or a folder of tables of regions, such as chess endgames.

 # Safety

 `path` is a text with a zero at its end. `oracle` points to room for a pointer. `error` is null, or points to room for an error.
 */
retrograde_code retrograde_oracle_open(const char *path,
                                       retrograde_oracle **oracle,
                                       retrograde_error *error);

/*
 Compiles the text of a game, and solves it.

 # Safety

 `game` is a text with a zero at its end. `options` is null or points to options. `oracle` points to room for a pointer. `error` is
 null, or points to room for an error.
 */
retrograde_code retrograde_oracle_solve_text(const char *game,
                                             const retrograde_options *options,
                                             retrograde_oracle **oracle,
                                             retrograde_error *error);

/*
 Writes the text of the start position to `room`, which has `bytes` bytes, with a zero at its end. `needed`, if it is not null, is set
 to the bytes that the text takes.

 # Safety

 `oracle` is null, or was opened and is not freed. `room` points to `bytes` bytes. `needed` is null, or points to room for a number.
 `error` is null, or points to room for an error.
 */
retrograde_code retrograde_oracle_start(const retrograde_oracle *oracle,
                                        char *room,
                                        size_t bytes,
                                        size_t *needed,
                                        retrograde_error *error);

/*
 The value of a position.

 # Safety

 `oracle` is null, or was opened and is not freed. `position` is a text with a zero at its end. `value` points to room for a value.
 `error` is null, or points to room for an error.
 */
retrograde_code retrograde_oracle_value(const retrograde_oracle *oracle,
                                        const char *position,
                                        retrograde_value *value,
                                        retrograde_error *error);

/*
 Tells each move of a position, best first.

 # Safety

 `oracle` is null, or was opened and is not freed. `position` is a text with a zero at its end. `visit` may be called with `context`.
 `error` is null, or points to room for an error.
 */
retrograde_code retrograde_oracle_moves(const retrograde_oracle *oracle,
                                        const char *position,
                                        retrograde_move_visitor visit,
                                        void *context,
                                        retrograde_error *error);

/*
 Frees an oracle. A null pointer is none.

 # Safety

 `oracle` is null, or was opened, is used by no thread, and never again.
 */
void retrograde_oracle_free(retrograde_oracle *oracle);

/*
 Opens a table of which no value is left out.

 # Safety

 `path` is a text with a zero at its end. `table` points to room for a pointer. `error` is null, or points to room for an error.
 */
retrograde_code retrograde_table_open(const char *path,
                                      retrograde_table **table,
                                      retrograde_error *error);

/*
 How many states the table has; 0 for a null pointer.

 # Safety

 `table` is null, or was opened and is not closed.
 */
uint64_t retrograde_table_states(const retrograde_table *table);

/*
 The value of a state.

 # Safety

 `table` is null, or was opened and is not closed. `value` points to room for a value. `error` is null, or points to room for an error.
 */
retrograde_code retrograde_table_value(const retrograde_table *table,
                                       uint64_t state,
                                       retrograde_value *value,
                                       retrograde_error *error);

/*
 Closes a table. A null pointer is none.

 # Safety

 `table` is null, or was opened, is used by no thread, and never again.
 */
void retrograde_table_free(retrograde_table *table);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RETROGRADE_H */
