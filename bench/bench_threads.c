/* Threads within one impact: hexagonal packings of elastic and lossy discs in which all contacts
 * are at work, and packings of several sizes struck by one disc.
 *
 *     bench_threads [--full] [--most N] [--threads N] [--csv FOLDER]
 *
 * Wall clock, least of several runs that take turns. An impact is followed for a number of steps
 * and for twice as many: the difference is what the later steps take, without set-up and finish
 * (and without the first steps, which are of low order). --full: up to 10^6 discs with all at work
 * (some minutes); --most: the largest packing that is struck (discs, default 1000000). Whether the
 * bits are the same is looked at, too.
 */
#include <carom/carom.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "lzb/report.h"

typedef struct options {
    size_t squeezed, struck; /* the largest packings, discs */
    size_t threads;
    const char *folder;
} options;

/* Runs, of which the quickest counts; fewer for large packings. */
enum { RUNS = 5, LARGE_RUNS = 3, LARGE_SIDE = 1000 };

/* ---- The impacts ---------------------------------------------------------------------------- */

typedef struct impact {
    crm_model *model;
    crm_settings *settings;
    double *velocity;
} impact;

static double uniform(uint64_t *state) /* xorshift, [-1, 1) */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* All move towards one corner, the faster the farther from it, and a little at random. */
static void squeeze(size_t side, double *velocity)
{
    uint64_t state = UINT64_C(88172645463325252);
    double *v = velocity;
    for (size_t level = 0; level < side; level++) {
        for (size_t column = 0; column < side - level % 2; column++, v += 2) {
            v[0] = 0.3 * uniform(&state) - ((double)column + 0.5 * (double)(level % 2));
            v[1] = 0.3 * uniform(&state) - 0.5 * sqrt(3.0) * (double)level;
        }
    }
}

static impact make(size_t side, bool struck, double restitution, double tolerance, double steps)
{
    const crm_projectile_def disc = crm_projectile_def_default();
    crm_packing_def def = crm_packing_def_default();
    def.columns = def.rows = side;
    def.stiffness.all = 1;
    def.exponent.all = 1.5;
    def.restitution.all = restitution;
    def.projectile = struck ? &disc : NULL;
    impact it = {0};
    crm_error error = {0};
    check(crm_model_from_packing(&def, &it.model, &error), &error);
    check(crm_settings_create(crm_law_find("lzb"), &it.settings, &error), &error);
    check(crm_settings_set_number(it.settings, "tolerance", tolerance, &error), &error);
    check(crm_settings_set_number(it.settings, "max_steps", steps, &error), &error);
    size_t n = crm_model_coordinates(it.model);
    it.velocity = calloc(n, sizeof *it.velocity);
    if (it.velocity == NULL) {
        exit(1);
    }
    if (struck) {
        it.velocity[n - 1] = -1;
    } else {
        squeeze(side, it.velocity);
    }
    return it;
}

static void release(impact *it)
{
    crm_model_free(it->model);
    crm_settings_free(it->settings);
    free(it->velocity);
}

/* ---- Measuring ------------------------------------------------------------------------------ */

typedef struct measured {
    double seconds;
    uint64_t steps, bits; /* of the impulses, all mixed up */
    double duration;
} measured;

static crm_workspace *workspace_with(size_t threads)
{
    crm_workspace *workspace = NULL;
    crm_error error = {0};
    check(crm_workspace_create(&workspace, &error), &error);
    crm_workspace_use_threads(workspace, threads);
    return workspace;
}

static void run(crm_workspace *workspace, const impact *it, measured *m)
{
    const crm_outcome *outcome;
    crm_error error = {0};
    double start = wall_seconds();
    check(crm_solve_with(workspace, it->model, it->velocity, it->settings, NULL, &outcome, &error),
          &error);
    m->seconds = fmin(m->seconds, wall_seconds() - start);
    m->steps = outcome->steps;
    m->duration = outcome->duration;
    m->bits = 0;
    for (size_t j = 0; j < outcome->contacts; j++) {
        uint64_t bits;
        memcpy(&bits, &outcome->impulse[j], sizeof bits);
        m->bits = m->bits * UINT64_C(6364136223846793005) + bits;
    }
}

static void write_row(FILE *csv, const char *what, const impact *it, size_t threads,
                      const measured *m, double one)
{
    size_t discs = crm_model_bodies(it->model), contacts = crm_model_contacts(it->model);
    printf("%-24s %8zu discs %8zu contacts  %zu thread%s %9.4f s  %5.2f x  (%llu steps, to t = "
           "%.3g)\n",
           what, discs, contacts, threads, threads == 1 ? " " : "s", m->seconds, one / m->seconds,
           (unsigned long long)m->steps, m->duration);
    fflush(stdout);
    if (csv != NULL) {
        fprintf(csv, "\"%s\",%zu,%zu,%zu,%llu,%.4g,%.3f\n", what, discs, contacts, threads,
                (unsigned long long)m->steps, m->seconds, one / m->seconds);
    }
}

static void set_steps(impact *it, double steps)
{
    crm_error error = {0};
    check(crm_settings_set_number(it->settings, "max_steps", steps, &error), &error);
}

/* The steps by which the longer run is longer. */
static measured later_steps(const measured *half, const measured *all)
{
    return (measured){.seconds = all->seconds - half->seconds,
                      .steps = all->steps - half->steps,
                      .duration = all->duration};
}

static void write_rows(FILE *csv, const char *what, const impact *it, size_t threads,
                       const measured *with_one, const measured *with_several)
{
    write_row(csv, what, it, 1, with_one, with_one->seconds);
    write_row(csv, what, it, threads, with_several, with_one->seconds);
}

static void all_at_work(const char *what, size_t side, double restitution, double steps,
                        size_t threads, FILE *csv)
{
    enum { HALF, ALL };
    impact it = make(side, false, restitution, 1e-8, steps);
    crm_workspace *one = workspace_with(1), *several = workspace_with(threads);
    measured with_one[2], with_several[2];
    for (int i = 0; i < (side < LARGE_SIDE ? RUNS : LARGE_RUNS); i++) {
        for (int k = HALF; k <= ALL; k++) {
            set_steps(&it, k == HALF ? 0.5 * steps : steps);
            if (i == 0) {
                with_one[k] = with_several[k] = (measured){.seconds = INFINITY};
            }
            run(one, &it, &with_one[k]);
            run(several, &it, &with_several[k]);
            if (with_one[k].bits != with_several[k].bits) {
                printf("THE BITS DIFFER\n");
                exit(1);
            }
        }
    }
    write_rows(csv, what, &it, threads, &with_one[ALL], &with_several[ALL]);
    measured later_one = later_steps(&with_one[HALF], &with_one[ALL]);
    measured later_several = later_steps(&with_several[HALF], &with_several[ALL]);
    write_rows(csv, "its second half", &it, threads, &later_one, &later_several);
    crm_workspace_free(one);
    crm_workspace_free(several);
    release(&it);
}

/* The same strike on larger and larger packings: what is at work is the same. */
static void struck(size_t most, FILE *csv)
{
    for (size_t side = 100; side * side <= most + most / 10; side = side == 100 ? 320 : 1000) {
        impact it = make(side, true, 1, 1e-6, 1100); /* about ten times a contact's duration */
        crm_workspace *workspace = workspace_with(1);
        measured m = {.seconds = INFINITY};
        for (int i = 0; i < LARGE_RUNS; i++) {
            run(workspace, &it, &m);
        }
        write_row(csv, "struck by one disc", &it, 1, &m, m.seconds);
        crm_workspace_free(workspace);
        release(&it);
        if (side == 1000) {
            break;
        }
    }
}

static options read_options(int count, char **values)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    options o = {
        .squeezed = 100000, .struck = 1000000, .threads = processors > 1 ? (size_t)processors : 2};
    for (int i = 1; i < count; i++) {
        bool more = i + 1 < count;
        if (strcmp(values[i], "--full") == 0) {
            o.squeezed = 1000000;
        } else if (strcmp(values[i], "--most") == 0 && more) {
            o.struck = strtoul(values[++i], NULL, 10);
        } else if (strcmp(values[i], "--threads") == 0 && more) {
            o.threads = strtoul(values[++i], NULL, 10);
        } else if (strcmp(values[i], "--csv") == 0 && more) {
            o.folder = values[++i];
        } else {
            fprintf(stderr, "bench_threads [--full] [--most N] [--threads N] [--csv FOLDER]\n");
            exit(2);
        }
    }
    return o;
}

int main(int count, char **values)
{
    options o = read_options(count, values);
    FILE *csv = report_file(o.folder, "threads.csv",
                            "case,discs,contacts,threads,steps,seconds,times_faster");
    all_at_work("all at work, e = 1", 100, 1, 100, o.threads, csv);
    all_at_work("all at work, e = 0.8", 100, 0.8, 100, o.threads, csv);
    all_at_work("all at work, e = 1", 320, 1, 40, o.threads, csv);
    if (o.squeezed >= 1000000) {
        all_at_work("all at work, e = 1", 1000, 1, 20, o.threads, csv);
    }
    struck(o.struck, csv);
    if (csv != NULL) {
        fclose(csv);
    }
    return 0;
}
