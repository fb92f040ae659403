/* Uses every function of the interface, also with wrong arguments. Compiled as C and as C++. */
#include "retrograde.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what, int line) {
    if (!holds) {
        fprintf(stderr, "line %d: %s\n", line, what);
        exit(1);
    }
}
#define CHECK(holds) check((holds) != 0, #holds, __LINE__)

static int hear(void *context, uint64_t done, uint64_t states) {
    (void)done;
    (void)states;
    *(uint64_t *)context += 1;
    return 0;
}

static int stop(void *context, uint64_t done, uint64_t states) {
    (void)context;
    (void)done;
    (void)states;
    return 1;
}

struct best {
    int moves;
    retrograde_value first;
    char next[64];
};

static int first_move(void *context, const char *name, const char *next, retrograde_value value) {
    struct best *best = (struct best *)context;
    CHECK(strlen(name) > 0);
    if (best->moves++ == 0) {
        best->first = value;
        snprintf(best->next, sizeof best->next, "%s", next);
    }
    return 0;
}

static int only_one(void *context, const char *name, const char *next, retrograde_value value) {
    (void)name;
    (void)next;
    (void)value;
    ++*(int *)context;
    return 1;
}

static void graphs(void) {
    retrograde_error error;
    retrograde_graph *graph = NULL;
    retrograde_value value;
    /* 0 and 1 go round for ever; 2 loses, so 1 wins, so 0 loses unless it has 3, where the mover is stuck. */
    const retrograde_edge edges[] = {{0, 1}, {1, 0}, {1, 2}, {3, 0}, {4, 4}};
    uint64_t told = 0;
    retrograde_options options = {1, 0, hear, NULL};
    options.context = &told;
    CHECK(retrograde_graph_solve(5, edges, 5, RETROGRADE_OUTCOME_LOSS, &options, &graph, &error) == RETROGRADE_CODE_OK);
    CHECK(told > 0);
    CHECK(retrograde_graph_value(graph, 2, &value, &error) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_LOSS && value.plies == 0);
    CHECK(retrograde_graph_value(graph, 1, &value, NULL) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_WIN && value.plies == 1);
    CHECK(retrograde_graph_value(graph, 0, &value, NULL) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_LOSS && value.plies == 2);
    CHECK(retrograde_graph_value(graph, 3, &value, NULL) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_WIN && value.plies == 3);
    CHECK(retrograde_graph_value(graph, 4, &value, NULL) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_DRAW && value.plies == RETROGRADE_UNKNOWN_PLIES);
    CHECK(retrograde_graph_value(graph, 5, &value, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(error.code == RETROGRADE_CODE_ARGUMENT && strstr(error.message, "no vertex 5"));
    retrograde_graph_free(graph);

    options.progress = stop;
    CHECK(retrograde_graph_solve(5, edges, 5, RETROGRADE_OUTCOME_LOSS, &options, &graph, &error) == RETROGRADE_CODE_STOPPED);
    CHECK(graph == NULL);
    options.progress = NULL;
    options.memory_max = 1;
    CHECK(retrograde_graph_solve(5, edges, 5, RETROGRADE_OUTCOME_LOSS, &options, &graph, &error) == RETROGRADE_CODE_MEMORY);
    CHECK(retrograde_graph_solve(2, edges, 5, RETROGRADE_OUTCOME_LOSS, NULL, &graph, &error) == RETROGRADE_CODE_GAME);
    CHECK(strstr(error.message, "edge from"));
    CHECK(retrograde_graph_solve(5, edges, 5, 7, NULL, &graph, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(retrograde_graph_solve(5, NULL, 5, RETROGRADE_OUTCOME_LOSS, NULL, &graph, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(retrograde_graph_solve(5, edges, 5, RETROGRADE_OUTCOME_LOSS, NULL, NULL, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(retrograde_graph_value(NULL, 0, &value, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(strstr(error.message, "null"));
    retrograde_graph_free(NULL);
}

static void texts(const char *text) {
    retrograde_error error;
    retrograde_oracle *oracle = NULL;
    retrograde_value value;
    struct best best = {0, {RETROGRADE_OUTCOME_INVALID, 0}, ""};
    char start[64], small[4];
    size_t needed = 0;
    int calls = 0;
    CHECK(retrograde_oracle_solve_text(text, NULL, &oracle, &error) == RETROGRADE_CODE_OK);
    CHECK(retrograde_oracle_start(oracle, small, sizeof small, &needed, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(needed > sizeof small && needed <= sizeof start);
    CHECK(retrograde_oracle_start(oracle, start, sizeof start, NULL, &error) == RETROGRADE_CODE_OK);
    CHECK(strlen(start) + 1 == needed);
    CHECK(retrograde_oracle_value(oracle, start, &value, &error) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_DRAW);
    CHECK(retrograde_oracle_moves(oracle, start, first_move, &best, &error) == RETROGRADE_CODE_OK);
    CHECK(best.moves > 4 && best.first.outcome == RETROGRADE_OUTCOME_DRAW);
    CHECK(retrograde_oracle_value(oracle, best.next, &value, &error) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_DRAW);
    CHECK(retrograde_oracle_moves(oracle, start, only_one, &calls, &error) == RETROGRADE_CODE_OK);
    CHECK(calls == 1);
    CHECK(retrograde_oracle_moves(oracle, start, NULL, NULL, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(retrograde_oracle_value(oracle, "no position", &value, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(retrograde_oracle_value(oracle, "\xff", &value, &error) == RETROGRADE_CODE_ARGUMENT);
    CHECK(strstr(error.message, "UTF-8"));
    retrograde_oracle_free(oracle);
    CHECK(retrograde_oracle_solve_text("game one\nbord grid 3 3\n", NULL, &oracle, &error) == RETROGRADE_CODE_GAME);
    CHECK(oracle == NULL && strstr(error.message, "2") && strstr(error.message, "board"));
    retrograde_oracle_free(NULL);
}

static void tables(const char *path, const char *folder) {
    retrograde_error error;
    retrograde_table *table = NULL;
    retrograde_oracle *oracle = NULL;
    retrograde_value value, same;
    struct best best = {0, {RETROGRADE_OUTCOME_INVALID, 0}, ""};
    CHECK(retrograde_table_open(path, &table, &error) == RETROGRADE_CODE_OK);
    CHECK(retrograde_table_states(table) == 24);
    CHECK(retrograde_table_value(table, 23, &value, &error) == RETROGRADE_CODE_OK);
    CHECK(retrograde_table_value(table, 24, &same, &error) == RETROGRADE_CODE_ARGUMENT);
    retrograde_table_free(table);
    CHECK(retrograde_oracle_open(path, &oracle, &error) == RETROGRADE_CODE_OK);
    CHECK(retrograde_oracle_value(oracle, "3,5", &same, &error) == RETROGRADE_CODE_OK);
    CHECK(same.outcome == RETROGRADE_OUTCOME_WIN && same.plies == 7);
    retrograde_oracle_free(oracle);
    CHECK(retrograde_oracle_open(folder, &oracle, &error) == RETROGRADE_CODE_OK);
    CHECK(retrograde_oracle_value(oracle, "8/8/8/8/8/2k5/8/K1r5 w - - 0 1", &value, &error) == RETROGRADE_CODE_OK);
    CHECK(value.outcome == RETROGRADE_OUTCOME_LOSS);
    CHECK(retrograde_oracle_moves(oracle, "8/8/8/8/8/2k5/1r6/K7 b - - 0 1", first_move, &best, &error) == RETROGRADE_CODE_OK);
    CHECK(best.first.outcome == RETROGRADE_OUTCOME_WIN);
    retrograde_oracle_free(oracle);
    CHECK(retrograde_table_open("there is none", &table, &error) == RETROGRADE_CODE_FILE);
    CHECK(table == NULL && strstr(error.message, "there is none"));
    CHECK(retrograde_oracle_open("there is none", &oracle, &error) == RETROGRADE_CODE_FILE);
    CHECK(retrograde_table_states(NULL) == 0);
    retrograde_table_free(NULL);
}

int main(int count, char **arguments) {
    CHECK(count == 4);
    graphs();
    texts(arguments[1]);
    tables(arguments[2], arguments[3]);
    puts("OK");
    return 0;
}
