/* Plays from a position to the end, best moves on both sides:
 *
 *   play endgames '8/8/8/8/8/2k5/8/KQ6 w - - 0 1'
 *
 * The first argument is a table, or a folder of tables that `retrograde build` has written. */
#include <retrograde.h>

#include <stdio.h>

struct move {
    char name[64];
    char next[256];
    retrograde_value value;
};

static const char *const WORDS[] = {"loss", "draw", "win", "invalid"};

/* The best move comes first, and one is enough. */
static int take(void *context, const char *name, const char *next, retrograde_value value) {
    struct move *move = context;
    snprintf(move->name, sizeof move->name, "%s", name);
    snprintf(move->next, sizeof move->next, "%s", next);
    move->value = value;
    return 1;
}

int main(int count, char **arguments) {
    retrograde_error error;
    retrograde_oracle *oracle;
    char position[256];
    if (count != 3) {
        fputs("play TABLES POSITION\n", stderr);
        return 2;
    }
    if (retrograde_oracle_open(arguments[1], &oracle, &error) != RETROGRADE_CODE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    snprintf(position, sizeof position, "%s", arguments[2]);
    for (int ply = 1; ply <= 1000; ply++) {
        struct move move = {"", "", {RETROGRADE_OUTCOME_INVALID, 0}};
        if (retrograde_oracle_moves(oracle, position, take, &move, &error) != RETROGRADE_CODE_OK) {
            fprintf(stderr, "%s\n", error.message);
            break;
        }
        if (move.name[0] == '\0') {
            break;
        }
        printf("%d. %s\t%s", ply, move.name, WORDS[move.value.outcome]);
        if (move.value.plies != RETROGRADE_UNKNOWN_PLIES) {
            printf(" in %u", move.value.plies);
        }
        putchar('\n');
        snprintf(position, sizeof position, "%s", move.next);
    }
    retrograde_oracle_free(oracle);
    return 0;
}
