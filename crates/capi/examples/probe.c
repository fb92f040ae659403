/* Looks states of a table up at random, on some threads: how many a second.
 *
 *   probe KQvKR.table 8 */
#include <retrograde.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EACH = 2000000 };

struct work {
    const retrograde_table *table;
    uint64_t seed;
    uint64_t sum;
};

static void *look(void *context) {
    struct work *work = context;
    const uint64_t states = retrograde_table_states(work->table);
    /* A sum of its own: threads that write side by side would wait for each other. */
    uint64_t at = work->seed, sum = 0;
    for (int i = 0; i < EACH; i++) {
        retrograde_value value;
        at = at * 6364136223846793005u + 1442695040888963407u;
        if (retrograde_table_value(work->table, (at >> 20) % states, &value, NULL) != RETROGRADE_CODE_OK) {
            abort();
        }
        sum += value.outcome;
    }
    work->sum = sum;
    return NULL;
}

int main(int count, char **arguments) {
    retrograde_error error;
    retrograde_table *table;
    if (count != 3) {
        fputs("probe TABLE THREADS\n", stderr);
        return 2;
    }
    if (retrograde_table_open(arguments[1], &table, &error) != RETROGRADE_CODE_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    enum { MOST = 64 };
    pthread_t threads[MOST];
    struct work works[MOST];
    int each = atoi(arguments[2]);
    each = each < 1 ? 1 : each > MOST ? MOST : each;
    struct timespec begun, ended;
    uint64_t sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int i = 0; i < each; i++) {
        works[i] = (struct work){table, (uint64_t)i + 1, 0};
        pthread_create(&threads[i], NULL, look, &works[i]);
    }
    for (int i = 0; i < each; i++) {
        pthread_join(threads[i], NULL);
        sum += works[i].sum;
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds = (double)(ended.tv_sec - begun.tv_sec) + 1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    printf("%.0f probes a second, sum %llu\n", each * (double)EACH / seconds, (unsigned long long)sum);
    retrograde_table_free(table);
    return 0;
}
