/* Coulomb's law on impulses, by random problems of every kind
 * (tests/support/system/coulomb_case.h), in the plane and in space, with 3 to 120 contacts: how
 * many are not solved, the residuals (natural map relative to |q|, computed by the judge in long
 * double), and the steps of Newton's method.
 *
 *     campaign_coulomb PROBLEMS SEED     PROBLEMS of 3 contacts for each kind, fewer of more
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "coulomb_case.h"

typedef struct tally {
    size_t tried, unsolved, infeasible, dishonest, most_steps;
    double worst, seconds, longest;
} tally;

static void try_one(const coulomb_data *data, tally *found)
{
    /* Beside the judge's, the residual told may differ by what rounding makes of it. */
    const double HONEST = 2, ROUNDING = 1e-13;
    coulomb_columns columns = coulomb_columns_of(data);
    crm_sparse_view view = coulomb_view(&columns);
    crm_coulomb *coulomb = NULL;
    crm_error error = {0};
    crm_coulomb_info info;
    double *r = calloc(data->size + 1, sizeof *r), start = cpu_seconds();
    check(crm_coulomb_create(data->contacts, data->dim, &view, &coulomb, &error), &error);
    check(crm_coulomb_solve(coulomb, data->q, data->mu, NULL, r, NULL, &info, &error), &error);
    double seconds = cpu_seconds() - start, residual = coulomb_residual(data, r);
    found->tried++;
    found->seconds += seconds;
    found->longest = fmax(found->longest, seconds);
    found->infeasible += info.result == CRM_COULOMB_INFEASIBLE;
    found->unsolved += info.result == CRM_COULOMB_NOT_TERMINATED;
    found->most_steps = info.iterations > found->most_steps ? info.iterations : found->most_steps;
    if (info.result == CRM_COULOMB_SOLVED) {
        found->worst = fmax(found->worst, residual);
        found->dishonest += residual > HONEST * info.residual + ROUNDING;
    }
    free(r);
    crm_coulomb_free(coulomb);
    coulomb_columns_free(&columns);
}

int main(int count, char **words)
{
    static const size_t sizes[] = {3, 10, 40, 120}, fewer[] = {1, 2, 8, 40};
    size_t problems = count > 1 ? strtoul(words[1], NULL, 10) : 200;
    rng random = rng_seeded(count > 2 ? strtoull(words[2], NULL, 10) : 1);
    printf("%-10s %3s %8s %8s %10s %11s %10s %10s %10s %10s %8s\n", "kind", "dim", "contacts",
           "tried", "unsolved", "infeasible", "dishonest", "worst", "mean s", "longest s", "steps");
    for (int kind = 0; kind < COULOMB_KINDS; kind++) {
        for (size_t k = 0; k < 8; k++) {
            size_t dim = 2 + k / 4, size = sizes[k % 4], times = problems / fewer[k % 4] + 1;
            tally found = {0};
            for (size_t i = 0; i < times; i++) {
                coulomb_data data = coulomb_random(&random, (coulomb_kind)kind, dim, size);
                try_one(&data, &found);
                coulomb_data_free(&data);
            }
            printf("%-10s %3zu %8zu %8zu %10zu %11zu %10zu %10.1e %10.1e %10.1e %8zu\n",
                   coulomb_kind_name((coulomb_kind)kind), dim, size, found.tried, found.unsolved,
                   found.infeasible, found.dishonest, found.worst,
                   found.seconds / (double)found.tried, found.longest, found.most_steps);
            fflush(stdout);
        }
    }
    return 0;
}
