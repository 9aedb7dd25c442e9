/* Whether fits find what exact data were made of (docs/inverse.md).
 *
 *     campaign_fits [PROBLEMS [SEED]]        (default 100 1)
 *     campaign_fits --only INDEX SEED        prints the scenario as well
 *
 * Chains of 4 to 7 balls of which 2 to 5 numbers are unknown: restitutions of contacts, stiffness
 * ratios, exponents, masses; all velocities of one to three impacts are the data, as the law gives
 * them for the true numbers, with an uncertainty of 1e-4. The law is lzb with both models of the
 * loss, moreau or newton. A fit is right when it describes the data, chi2 < 1 (other minima are at
 * 100 and more), whatever the parameters are: the data may allow several. It misleads when it calls
 * a parameter determined and the true number is more than two intervals away, which are of first
 * order. Every problem that is not right or that misleads is printed. Exit status 1: more than one
 * in 50 are not right, one of these misleads, or more than one in 50 others do: of two answers that
 * are as good the other may not have been met.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/inverse.h"
#include "support.h"

enum { BALLS = 7, EXPERIMENTS = 3, UNKNOWNS = 5, TEXT = 1 << 16 };
enum { RESTITUTION, STIFFNESS, EXPONENT, MASS, FIELDS };

static const char *const field_name[FIELDS] = {"restitution", "stiffness", "exponent", "mass"};
static const double least[FIELDS] = {0.05, 0.1, 1, 0.2}, most[FIELDS] = {1, 10, 3, 5};
static const double guess[FIELDS] = {0.8, 1, 1.5, 1};
static const double UNCERTAINTY = 1e-4;

static const char *const laws[] = {"{law: lzb}", "{law: lzb, stiffness_model: mono}",
                                   "{law: moreau}", "{law: newton}"};

typedef struct puzzle {
    size_t balls, experiments, unknowns, law;
    double truth[FIELDS][BALLS], guessed[FIELDS][BALLS];
    double velocity[EXPERIMENTS][BALLS], seen[EXPERIMENTS][BALLS];
    size_t field[UNKNOWNS], entry[UNKNOWNS];
} puzzle;

/* ---- What there is to be found --------------------------------------------------------------- */

static double draw_truth(rng *r, size_t field)
{
    switch (field) {
    case RESTITUTION:
        return rng_uniform(r, 0.1, 1);
    case EXPONENT:
        return rng_uniform(r, 1.05, 2.9);
    default:
        return rng_log(r, 1.2 * least[field], most[field] / 1.2);
    }
}

/* Laws without springs know neither stiffness nor exponents, and of springs only ratios count. The
 * momentum is known: of each impact all velocities but one tell something.
 */
static void draw_unknowns(rng *r, puzzle *p)
{
    size_t wanted = 2 + rng_below(r, UNKNOWNS - 1), told = (p->balls - 1) * p->experiments;
    while (p->unknowns < wanted && p->unknowns + 1 < told) {
        size_t field = rng_below(r, 2) ? RESTITUTION : rng_below(r, FIELDS);
        size_t entry = rng_below(r, field == MASS ? p->balls : p->balls - 1);
        bool known = (p->law >= 2 && (field == STIFFNESS || field == EXPONENT)) ||
                     (field == STIFFNESS && entry == 0);
        for (size_t k = 0; k < p->unknowns; k++) {
            known = known || (p->field[k] == field && p->entry[k] == entry);
        }
        if (!known) {
            p->field[p->unknowns] = field;
            p->entry[p->unknowns++] = entry;
            p->truth[field][entry] = draw_truth(r, field);
        }
    }
}

static puzzle draw(uint64_t seed, size_t index)
{
    rng r = rng_seeded(seed + 1000003 * index);
    puzzle p = {.balls = 4 + rng_below(&r, 4), .experiments = 1 + rng_below(&r, EXPERIMENTS)};
    size_t which = rng_below(&r, 10);
    p.law = which < 5 ? 0 : which < 8 ? 1 : which - 6;
    for (size_t field = 0; field < FIELDS; field++) {
        for (size_t i = 0; i < p.balls; i++) {
            double mass = rng_uniform(&r, 0.5, 1.1);
            p.guessed[field][i] = p.truth[field][i] = field == MASS ? mass : guess[field];
        }
    }
    draw_unknowns(&r, &p);
    for (size_t k = 0; k < p.experiments; k++) {
        for (size_t i = 0; i < p.balls; i++) {
            double any = rng_below(&r, 3) == 0 ? rng_uniform(&r, -1, 1) : 0;
            p.velocity[k][i] = i == 0 ? 1 + (double)k / 2 : k == 0 ? 0 : any;
        }
    }
    return p;
}

static size_t write_list(char *text, const char *name, const double *value, size_t count)
{
    size_t used = (size_t)sprintf(text, "%s: [", name);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)sprintf(text + used, "%s%.17g", i > 0 ? ", " : "", value[i]);
    }
    return used + (size_t)sprintf(text + used, "]");
}

static size_t write_chain(char *text, const puzzle *p, double (*value)[BALLS], size_t experiment)
{
    size_t used = (size_t)sprintf(text, "laws: [%s]\nchain:\n  ", laws[p->law]);
    used += write_list(text + used, "velocity", p->velocity[experiment], p->balls);
    for (size_t field = 0; field < FIELDS; field++) {
        used += (size_t)sprintf(text + used, "\n  ");
        used += write_list(text + used, field_name[field], value[field],
                           field == MASS ? p->balls : p->balls - 1);
    }
    return used + (size_t)sprintf(text + used, "\n");
}

static void write_fit(char *text, puzzle *p)
{
    size_t used = write_chain(text, p, p->guessed, 0);
    used += (size_t)sprintf(text + used, "fit:\n  parameters:\n");
    for (size_t k = 0; k < p->unknowns; k++) {
        size_t field = p->field[k];
        used += (size_t)sprintf(text + used, "    'chain.%s[%zu]': {from: %g, to: %g}\n",
                                field_name[field], p->entry[k] + 1, least[field], most[field]);
    }
    used += (size_t)sprintf(text + used, "  measured:\n");
    for (size_t k = 0; k < p->experiments; k++) {
        for (size_t i = 0; i < p->balls; i++) {
            used += (size_t)sprintf(text + used,
                                    "    - {what: 'velocity[%zu]', value: %.17g, uncertainty: "
                                    "%g, set: ['chain.",
                                    i + 1, p->seen[k][i], UNCERTAINTY);
            char list[1024];
            write_list(list, "", p->velocity[k], p->balls);
            used += (size_t)sprintf(text + used, "velocity=%s']}\n", list + 2);
        }
    }
}

static bool look(puzzle *p, size_t experiment, char *text)
{
    crm_source source = {.text = text, .length = write_chain(text, p, p->truth, experiment)};
    crm_scenario *scenario = NULL;
    crm_outcome *outcome = NULL;
    crm_error error = {0};
    bool seen = crm_scenario_load(&source, &scenario, &error) == CRM_OK &&
                crm_solve(crm_scenario_model(scenario), crm_scenario_velocity(scenario),
                          crm_scenario_settings(scenario, 0), NULL, &outcome, &error) == CRM_OK &&
                outcome->result == CRM_SOLVED;
    if (seen) {
        memcpy(p->seen[experiment], outcome->velocity, p->balls * sizeof(double));
    }
    crm_outcome_free(outcome);
    crm_scenario_free(scenario);
    return seen;
}

/* ---- What is found --------------------------------------------------------------------------- */

typedef struct tally {
    size_t problems, wrong, misled, misled_wrong, unconfirmed, starts, evaluations;
} tally;

static bool misleads(const puzzle *p, const crm_fit *fit)
{
    for (size_t k = 0; k < p->unknowns; k++) {
        const crm_fit_parameter *found = &fit->parameters[k];
        double away = p->truth[p->field[k]][p->entry[k]] - found->value;
        double near = fmax(found->interval[1] - found->value, found->value - found->interval[0]);
        if (found->determined && !(fabs(away) <= 2 * near)) {
            return true;
        }
    }
    return false;
}

static bool is_determined(const crm_fit *fit)
{
    for (size_t k = 0; k < fit->parameter_count; k++) {
        if (fit->parameters[k].determined) {
            return true;
        }
    }
    return false;
}

static void show(const puzzle *p, const crm_fit *fit, size_t index, uint64_t seed)
{
    printf("chi2 %.4g, %zu starts, %zu minima, by %s%s: campaign_fits --only %zu %llu\n", fit->chi2,
           fit->starts, fit->minimum_count, laws[p->law], misleads(p, fit) ? ", MISLEADS" : "",
           index, (unsigned long long)seed);
    for (size_t k = 0; k < p->unknowns; k++) {
        const crm_fit_parameter *found = &fit->parameters[k];
        printf("    %s = %.6g +- %.2g, truth %.6g%s\n", found->name, found->value,
               found->uncertainty, p->truth[p->field[k]][p->entry[k]],
               found->determined ? "" : ", not determined");
    }
    for (size_t k = 0; k < fit->note_count; k++) {
        printf("    %s\n", fit->notes[k]);
    }
}

static bool try_one(uint64_t seed, size_t index, bool aloud, tally *t)
{
    static char text[TEXT];
    puzzle p = draw(seed, index);
    for (size_t k = 0; k < p.experiments; k++) {
        if (!look(&p, k, text)) {
            return true;
        }
    }
    write_fit(text, &p);
    crm_source source = {.text = text, .length = strlen(text)};
    crm_fit *fit = NULL;
    crm_error error = {0};
    if (aloud) {
        puts(text);
    }
    if (crm_fit_solve(&source, NULL, &fit, &error) != CRM_OK) {
        printf("%s: campaign_fits --only %zu %llu\n", error.message, index,
               (unsigned long long)seed);
        return false;
    }
    bool wrong = !(fit->chi2 < 1), misled = misleads(&p, fit);
    t->problems++;
    t->wrong += wrong;
    t->misled += misled && !wrong;
    t->misled_wrong += misled && wrong;
    t->unconfirmed += !is_determined(fit);
    t->starts += fit->starts;
    t->evaluations += fit->evaluations;
    if (wrong || misled || aloud) {
        show(&p, fit, index, seed);
    }
    crm_fit_free(fit);
    return true;
}

int main(int count, char **argument)
{
    bool only = count > 1 && strcmp(argument[1], "--only") == 0;
    size_t problems = count > 1 && !only ? strtoul(argument[1], NULL, 10) : 100;
    uint64_t seed = count > 2 + only ? strtoull(argument[2 + only], NULL, 10) : 1;
    size_t first = only && count > 2 ? strtoul(argument[2], NULL, 10) : 0;
    tally t = {0};
    bool good = true;
    clock_t begin = clock();
    for (size_t k = first; only ? k == first : t.problems < problems && k < 2 * problems; k++) {
        good = try_one(seed, k, only, &t) && good;
        fflush(stdout);
    }
    printf("%zu problems: %zu end in a wrong minimum, %zu of them mislead, and %zu others; nothing "
           "is determined in %zu; %.1f starts and %.0f evaluations each, %.0f s\n",
           t.problems, t.wrong, t.misled_wrong, t.misled, t.unconfirmed,
           (double)t.starts / (double)t.problems, (double)t.evaluations / (double)t.problems,
           (double)(clock() - begin) / CLOCKS_PER_SEC);
    bool few = 50 * t.wrong <= t.problems && 50 * t.misled <= t.problems;
    return good && few && t.misled_wrong == 0 ? 0 : 1;
}
