/* How long Coulomb's law on impulses takes, beside Siconos where it is found: CPU seconds of the
 * solution from r = 0, the least of several, with the residual (natural map, relative to |q|,
 * computed here). Problems in space: NSGS and NSN_AC, the latter with D sparse and with D full; in
 * the plane NSGS and Lemke. Ours with its default tolerance of 1e-12, Siconos with 1e-10; at most
 * 10 000 sweeps, 1000 steps. A peer whose residual is above 1e-10 is marked with *.
 *
 *     bench_coulomb [FILE.txt ...]     problems as text: a line "dim contacts entries", mu, q, then
 *                                      "row column value" of D, from 0
 *     bench_coulomb                    random problems (tests/support/system/coulomb_case.h)
 *     bench_coulomb --sparse           heaps in space with up to 10 000 contacts, ours alone
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "coulomb_case.h"
#include "siconos_coulomb.h"

enum { ROUNDS = 7 };

static const double LONG = 0.5; /* seconds: once is enough */

static double ours(const coulomb_data *data, crm_coulomb_info *info, double *making, double *r)
{
    coulomb_columns columns = coulomb_columns_of(data);
    crm_sparse_view view = coulomb_view(&columns);
    crm_coulomb *coulomb = NULL;
    crm_error error = {0};
    double least = INFINITY, start = cpu_seconds();
    check(crm_coulomb_create(data->contacts, data->dim, &view, &coulomb, &error), &error);
    *making = cpu_seconds() - start;
    for (int round = 0; round < ROUNDS && (round == 0 || least < LONG); round++) {
        start = cpu_seconds();
        check(crm_coulomb_solve(coulomb, data->q, data->mu, NULL, r, NULL, info, &error), &error);
        least = fmin(least, cpu_seconds() - start);
    }
    crm_coulomb_free(coulomb);
    coulomb_columns_free(&columns);
    return least;
}

static void peer(siconos_coulomb_solver solver, const coulomb_data *data, double *r)
{
    const double ENOUGH = 1e-10;
    double least = INFINITY, seconds = 0;
    bool there = false;
    for (int round = 0; round < ROUNDS && (round == 0 || least < LONG); round++) {
        seconds = -1;
        siconos_coulomb(solver, data, ENOUGH, solver == SICONOS_NSGS ? 10000 : 1000, r, &seconds);
        there = seconds >= 0;
        least = there ? fmin(least, seconds) : INFINITY;
        if (!there) {
            return;
        }
    }
    double residual = coulomb_residual(data, r);
    printf("  %s %.1e s %.0e%s", siconos_coulomb_name(solver), least, residual,
           residual <= ENOUGH ? "" : "*");
}

static void measure(const char *name, const coulomb_data *data)
{
    double *r = calloc(data->size + 1, sizeof *r), making;
    crm_coulomb_info info;
    double seconds = ours(data, &info, &making, r);
    printf("%-38.38s %zu %5zu  %-14s %.1e s %.0e (made in %.0e s)", name, data->dim, data->contacts,
           crm_coulomb_result_text(info.result), seconds, coulomb_residual(data, r), making);
    for (int solver = 0; solver < SICONOS_COULOMB_SOLVERS; solver++) {
        peer((siconos_coulomb_solver)solver, data, r);
    }
    printf("\n");
    fflush(stdout);
    free(r);
}

/* ---- Problems ------------------------------------------------------------------------------ */

static bool read_numbers(FILE *file, double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fscanf(file, "%lf", &x[i]) != 1) {
            return false;
        }
    }
    return true;
}

static bool read_problem(FILE *file, coulomb_data *data)
{
    size_t dim, contacts, entries, i, j;
    double value;
    if (fscanf(file, "%zu %zu %zu", &dim, &contacts, &entries) != 3 || dim < 2 || dim > 3 ||
        contacts > 20000) {
        return false;
    }
    *data = coulomb_allocate(contacts, dim);
    if (!read_numbers(file, data->mu, contacts) || !read_numbers(file, data->q, data->size)) {
        return false;
    }
    for (size_t k = 0; k < entries; k++) {
        if (fscanf(file, "%zu %zu %lf", &i, &j, &value) != 3 || i >= data->size ||
            j >= data->size) {
            return false;
        }
        data->d[i * data->size + j] = value;
    }
    return true;
}

static int measure_file(const char *path)
{
    const char *name = strrchr(path, '/');
    FILE *file = fopen(path, "r");
    coulomb_data data = {0};
    bool read = file != NULL && read_problem(file, &data);
    if (read) {
        measure(name != NULL ? name + 1 : path, &data);
    } else {
        fprintf(stderr, "%s: cannot be read as a problem\n", path);
    }
    coulomb_data_free(&data);
    if (file != NULL) {
        fclose(file);
    }
    return read ? 0 : 1;
}

static void measure_random(void)
{
    static const size_t sizes[] = {4, 30, 200};
    rng random = rng_seeded(1);
    for (int kind = 0; kind < COULOMB_KINDS; kind++) {
        for (size_t k = 0; k < 2 * sizeof sizes / sizeof sizes[0]; k++) {
            coulomb_data data =
                coulomb_random(&random, (coulomb_kind)kind, 2 + k % 2, sizes[k / 2]);
            measure(coulomb_kind_name((coulomb_kind)kind), &data);
            coulomb_data_free(&data);
        }
    }
}

static void measure_sparse(void)
{
    rng random = rng_seeded(1);
    for (size_t contacts = 100; contacts <= 3200; contacts *= 2) {
        coulomb_data data = coulomb_random(&random, COULOMB_CAPSULES, 3, contacts);
        double *r = calloc(data.size, sizeof *r), making;
        crm_coulomb_info info;
        double seconds = ours(&data, &info, &making, r);
        printf("%6zu contacts: %-14s made in %.1e s, solved in %.1e s, residual %.0e\n", contacts,
               crm_coulomb_result_text(info.result), making, seconds, info.residual);
        fflush(stdout);
        free(r);
        coulomb_data_free(&data);
    }
}

int main(int count, char **words)
{
    int failed = 0;
    if (count == 1) {
        measure_random();
    }
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "--sparse") == 0) {
            measure_sparse();
        } else {
            failed |= measure_file(words[k]);
        }
    }
    return failed;
}
