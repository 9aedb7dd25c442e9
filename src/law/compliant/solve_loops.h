/* What goes through the nodes: the loops of solve.c, for each width of vectors (base/loops.h). */
#include "law/lzb/nodes/apply_loops.h"

INLINE void WIDE(power)(lzb_kind kind, double exponent, bool less, lzb_nodal *x)
{
    double shape[LZB_NODES];
    *x = (lzb_nodal)((compliant_bits)*x & (*x > 0.0));
    memcpy(shape, x, sizeof shape);
    if (kind == LZB_HERTZ) {
        for (unsigned l = 0; l < LZB_NODES; l++) {
            double root = __builtin_sqrt(shape[l]);
            shape[l] = less ? root : shape[l] * root;
        }
    } else {
        double power = less ? exponent - 1.0 : exponent;
        for (unsigned l = 0; l < LZB_NODES; l++) {
            shape[l] = lzb_power(shape[l], power);
        }
    }
    memcpy(x, shape, sizeof shape);
}

/* Linear contacts go on below x = 0, and all pull where they would be released: there events are
 * looked for.
 */
INLINE void WIDE(force_at)(const compliant_site *site, const lzb_nodal *x, const lzb_nodal *c,
                           const lzb_nodal *z, lzb_nodal *force)
{
    const compliant_contact *of = &site->of;
    lzb_nodal shape = *x, pull = of->stiffness * *x;
    bool less = true;
    switch (of->model) {
    case COMPLIANT_KELVIN_VOIGT:
        pull += of->damping * *c;
        break;
    case COMPLIANT_ZENER:
        pull += of->arm * *z;
        break;
    case COMPLIANT_HUNT_CROSSLEY:
        less = false;
        pull = of->stiffness * (1.0 + of->damping * *c);
        break;
    default:
        less = false;
        pull = (lzb_nodal){0} + of->stiffness;
    }
    if (of->kind != LZB_LINEAR) {
        WIDE(power)(of->kind, of->exponent, less, &shape);
    }
    *force = less && of->kind == LZB_LINEAR ? pull : shape * pull;
}

/* D f at the nodes. */
INLINE void WIDE(pull_on)(const compliant_step *step, size_t place, lzb_nodal *pull)
{
    const compliant_active *active = step->active;
    if (step->pull != NULL) {
        *pull = step->pull[place];
        return;
    }
    lzb_nodal sum = {0};
    for (size_t l = active->start[place]; l < active->start[place + 1]; l++) {
        sum += active->value[l] * step->force[active->by[l]];
    }
    *pull = sum;
}

static void WIDE(pull_of)(const compliant_step *step, size_t place, lzb_nodal *pull)
{
    WIDE(pull_on)(step, place, pull);
}

/* The first guess: the forces at the indentations foreseen at the start of the step. */
static void WIDE(guess)(compliant_step *step)
{
    lzb_nodal t = step->trial.length * compliant_step_table(step)->time;
    for (size_t i = 0; i < step->active->pressing; i++) {
        const compliant_site *site = &step->site[i];
        double back = site->yield * site->force;
        lzb_nodal way = t * (site->c + t * (0.5 * site->accel + t * (site->jerk / 6)));
        lzb_nodal x = site->x + site->rate * way - back * t;
        lzb_nodal c = site->c + t * (site->accel + t * (0.5 * site->jerk));
        step->arm[i] = site->z + (x - site->x) - compliant_yield(&site->of, site->x) * site->z * t;
        WIDE(force_at)(site, &x, &c, &step->arm[i], &step->force[i]);
    }
}

/* z and force of one contact from the new pull and the previous z. */
INLINE void WIDE(follow)(const compliant_step *step, const compliant_site *site,
                         const lzb_nodal *pull, lzb_nodal *arm, lzb_nodal *force)
{
    const lzb_table *table = compliant_step_table(step);
    double h = step->trial.length;
    lzb_nodal c = {0}, twice, once;
    WIDE(apply)(table->twice, pull, &twice);
    lzb_nodal x = site->x + site->rate * (h * table->time * site->c - h * h * twice);
    if (site->yield > 0) {
        WIDE(apply)(table->once, force, &once);
        x -= site->yield * h * once;
    } else if (compliant_can_release(&site->of)) {
        WIDE(apply)(table->once, pull, &once);
        c = site->c - h * once;
    }
    if (site->of.model == COMPLIANT_ZENER) {
        WIDE(apply)(table->once, arm, &once);
        *arm = site->z + (x - site->x) - compliant_yield(&site->of, 0) * h * once;
    }
    WIDE(force_at)(site, &x, &c, arm, force);
}

/* Each contact in turn: x from the forces as they are now, and its force from x. Returns the
 * largest change of a force, by what it does to its own contact.
 */
static double WIDE(sweep)(compliant_step *step)
{
    lzb_nodal worst = {0};
    double largest = 0;
    for (size_t i = 0; i < step->active->pressing; i++) {
        const compliant_site *site = &step->site[i];
        lzb_nodal pull, force = step->force[i];
        WIDE(pull_on)(step, i, &pull);
        WIDE(follow)(step, site, &pull, &step->arm[i], &force);
        lzb_nodal change = site->own * (force - step->force[i]);
        change = (lzb_nodal)((compliant_bits)change & INT64_MAX);
        compliant_bits higher = ~(change <= worst) & (worst == worst); /* NaN stays */
        worst = (lzb_nodal)(((compliant_bits)change & higher) | ((compliant_bits)worst & ~higher));
        step->force[i] = force;
    }
    for (unsigned l = 0; l < LZB_NODES && largest == largest; l++) {
        largest = worst[l] > largest || worst[l] != worst[l] ? worst[l] : largest;
    }
    return largest;
}

/* z of a released contact, which has no force. */
static void WIDE(relax)(const compliant_step *step, size_t place)
{
    enum { ROUNDS = 24 };
    lzb_nodal pull, force = {0};
    WIDE(pull_on)(step, place, &pull);
    step->arm[place] = (lzb_nodal){0} + step->site[place].z;
    for (int round = 0; round < ROUNDS; round++) {
        WIDE(follow)(step, &step->site[place], &pull, &step->arm[place], &force);
    }
}
