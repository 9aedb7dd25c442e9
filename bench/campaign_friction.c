/* How good LZB with friction is: random systems of 2 to 12 contacts, in the plane and in space,
 * wedging ones included, judged by an independent integrator
 * (tests/support/judge/friction/friction_judge.h).
 *
 *     campaign_friction [SYSTEMS] [SEED] [TOLERANCE] [FIRST] [CONTACTS] [DIM] [JUDGE]
 *                                                                  (default 2000 1 1e-8 0 6 0 1)
 *
 * DIM 1 or 2: the plane, or space, alone; 0: both. JUDGE 0: only what the outcomes say themselves;
 * the judge is slow for many contacts that depend on each other. Prints the systems that were not
 * solved though the judge ended, whose error is above the tolerance or ten estimates, whose energy
 * account or losses are off, and those that fail u >= 0 or the cones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "friction_judge.h"
#include "friction_model.h"
#include "friction_random.h"

typedef struct tally {
    size_t tried, solved, unsolved, unjudged, doubtful, above_tolerance, above_estimate, wrong_loss,
        wrong_verdict, held;
    double worst, worst_of_estimate, ours, theirs;
} tally;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void print(const char *what, size_t index, const friction_case *c, friction_draw draw,
                  const crm_outcome *o, double error)
{
    printf("%zu %s: %s, %s, %zu contacts; %s %s error %.2g estimate %.2g, %llu steps\n", index,
           what, friction_kind_name(draw.kind), c->dim == 1 ? "plane" : "space", c->s,
           crm_result_text(o->result), o->reason, error, o->error_estimate,
           (unsigned long long)o->steps);
}

static double difference(const friction_case *c, const crm_outcome *o, const friction_answer *judge)
{
    double most = 0;
    for (size_t i = 0; i < c->n; i++) {
        most = fmax(most, fabs(o->velocity[i] - judge->velocity[i]));
    }
    return most;
}

/* Without a judge. */
static void check(tally *t, size_t index, const friction_case *c, friction_draw draw,
                  const crm_outcome *o)
{
    t->solved += o->result == CRM_SOLVED;
    t->held += o->energy_held > 0;
    if (o->result != CRM_SOLVED && !(o->energy_held > 0)) {
        t->unsolved++;
        print("unsolved", index, c, draw, o, NAN);
    } else if (!o->kinetic || !o->energetic || !(o->kinematic || o->energy_held > 0)) {
        t->wrong_verdict++;
        print("verdicts", index, c, draw, o, NAN);
    }
}

/* Velocities of coordinates of any unit are compared as they are: masses are near 1 in most. */
static void compare(tally *t, size_t index, const friction_case *c, friction_draw draw,
                    const crm_outcome *o, double tolerance)
{
    friction_answer judge;
    double start = seconds();
    bool judged = friction_judge_solve(c, &judge);
    t->theirs += seconds() - start;
    bool held = o->energy_held > 0;
    bool ended = judged && judge.status == FRICTION_ENDED;
    bool locked = judged && (judge.status == FRICTION_LOCKED || judge.status == FRICTION_BOUND);
    t->held += locked;
    if (!judged || (!ended && !locked)) {
        t->unjudged++;
        return;
    }
    if (locked && o->result != CRM_SOLVED) {
        return;
    }
    if (o->result != CRM_SOLVED || locked || held) {
        t->unsolved++;
        print(locked ? "solved but held by the judge" : "unsolved", index, c, draw, o, judge.error);
        return;
    }
    double scale = friction_speed(c), error = difference(c, o, &judge) / scale;
    double least = 3 * judge.error + 1e-13;
    if (!(judge.error <= 0.3 * tolerance)) {
        t->doubtful++;
        return;
    }
    t->solved++;
    t->worst = fmax(t->worst, error);
    if (error > least) {
        t->worst_of_estimate = fmax(t->worst_of_estimate, error / o->error_estimate);
    }
    if (error > tolerance + least) {
        t->above_tolerance++;
        print("above the tolerance", index, c, draw, o, error);
    }
    if (error > 10 * o->error_estimate + least) {
        t->above_estimate++;
        print("above ten estimates", index, c, draw, o, error);
    }
    double energy = friction_energy(c, c->velocity), loss = 0;
    for (size_t j = 0; j < c->s; j++) {
        double rubbed = o->loss_friction == NULL ? 0 : o->loss_friction[j]; /* none has friction */
        loss = fmax(loss, fabs(rubbed - judge.loss_tangential[j]));
        loss = fmax(loss, fabs(o->loss[j] - rubbed - judge.loss_normal[j]));
    }
    if (loss > (100 * tolerance + least) * energy) {
        t->wrong_loss++;
        print("losses off", index, c, draw, o, loss / energy);
    }
    if (!o->kinematic || !o->kinetic || !o->energetic) {
        t->wrong_verdict++;
        print("verdicts", index, c, draw, o, error);
    }
}

int main(int argc, char **argv)
{
    size_t systems = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    double tolerance = argc > 3 ? strtod(argv[3], NULL) : 1e-8;
    size_t first = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    size_t contacts = argc > 5 ? strtoul(argv[5], NULL, 10) : 6;
    size_t dim = argc > 6 ? strtoul(argv[6], NULL, 10) : 0;
    bool judged = argc <= 7 || strtoul(argv[7], NULL, 10) > 0;
    crm_settings *settings;
    crm_error error;
    tally t = {0};
    if (crm_settings_create(crm_law_find("lzb"), &settings, &error) != CRM_OK ||
        crm_settings_set_number(settings, "tolerance", tolerance, &error) != CRM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (size_t i = first; i < first + systems; i++) {
        friction_draw draw;
        friction_case c = friction_random_of(seed, i, contacts, &draw);
        if (dim > 0 && c.dim != dim) {
            continue;
        }
        t.tried++;
        crm_model *model = friction_make_model(&c, &error);
        crm_outcome *o = NULL;
        double start = seconds();
        if (model == NULL || crm_solve(model, c.velocity, settings, NULL, &o, &error) != CRM_OK) {
            printf("%zu: %s: %s\n", i, error.place, error.message);
            t.unsolved++;
        } else {
            double took = seconds() - start;
            t.ours += took;
            if (took > 1) {
                print("slow", i, &c, draw, o, took);
            }
            if (judged) {
                compare(&t, i, &c, draw, o, tolerance);
            } else {
                check(&t, i, &c, draw, o);
            }
        }
        crm_outcome_free(o);
        crm_model_free(model);
    }
    printf(
        "%zu systems at %g: %zu compared, %zu not solved, %zu the judge left, %zu it doubts, %zu "
        "held, %zu above the tolerance, %zu above ten estimates, %zu losses off, %zu verdicts; "
        "worst %.2g, %.2g of the estimate; %.3g s, the judge %.3g s\n",
        t.tried, tolerance, t.solved, t.unsolved, t.unjudged, t.doubtful, t.held, t.above_tolerance,
        t.above_estimate, t.wrong_loss, t.wrong_verdict, t.worst, t.worst_of_estimate, t.ours,
        t.theirs);
    crm_settings_free(settings);
    return t.unsolved + t.above_estimate + t.wrong_loss + t.wrong_verdict > 0;
}
