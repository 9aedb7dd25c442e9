/* Calls with whatever a definition could make must survive: ranks, complementarity, motions.
 *
 * Slow beside fuzz_definitions.c, which reads the same inputs.
 */
#include "definitions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Seconds that a complementarity problem or a motion may take. */
static const double FEED_PATIENCE = 0.1;
enum { FEED_STEPS = 50 };

static void feed_solve(feed *f, crm_lcp *lcp)
{
    crm_error error = {0};
    crm_lcp_info info;
    crm_watch watch = {.seconds = FEED_PATIENCE};
    crm_lcp_options options = crm_lcp_options_default();
    size_t size = crm_lcp_size(lcp);
    double *q = feed_block(f, size, sizeof *q), *p = feed_block(f, size, sizeof *p);
    if (q == NULL || p == NULL) {
        return;
    }
    options.tolerance = feed_number(f, options.tolerance);
    options.least_norm = !feed_yes(f);
    options.warm_start = feed_yes(f);
    options.watch = &watch;
    feed_numbers(f, size, q);
    feed_numbers(f, size, p);
    crm_status status = crm_lcp_solve(lcp, q, &options, p, NULL, &info, &error);
    feed_require(status == CRM_OK || error.message[0] != '\0');
    for (size_t j = 0; j < size && status == CRM_OK; j++) {
        feed_require(p[j] >= 0);
    }
}

static void feed_solve_model(feed *f, crm_model *model)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    size_t rank;
    if (crm_model_rank(model, &rank, &error) == CRM_OK) {
        feed_require(rank <= crm_model_contacts(model));
    }
    crm_status status = crm_lcp_create_for_model(model, &lcp, &error);
    if (feed_answered(status, lcp, &error)) {
        feed_solve(f, lcp);
    }
    crm_lcp_free(lcp);
}

/* Calls of an observer, which ends the run when there were enough. */
static crm_status feed_state(void *context, double time, const double *position,
                             const double *velocity)
{
    (void)time, (void)position, (void)velocity;
    size_t *calls = context;
    return ++*calls < FEED_STEPS ? CRM_OK : CRM_ERROR_STOPPED;
}

/* Of so many steps at the most. */
static double feed_duration(feed *f, const crm_motion_options *options)
{
    double duration = feed_number(f, 0.5);
    double most = FEED_STEPS * options->step;
    return options->scheme == CRM_TIME_STEPPING && duration > most ? most : duration;
}

static void feed_move(feed *f, crm_motion *motion, const crm_motion_options *options)
{
    crm_error error = {0};
    crm_motion_stop stopped;
    size_t calls = 0;
    double duration = feed_duration(f, options);
    crm_observer observer = {.context = &calls, .every = duration / 10, .state = feed_state};
    crm_watch watch = {.seconds = FEED_PATIENCE};
    crm_motion_watch(motion, &watch);
    crm_status status = crm_motion_run(motion, duration, &observer, &stopped, &error);
    feed_require(status == CRM_OK || error.message[0] != '\0');
    feed_require(status != CRM_OK || stopped != CRM_STOP_FAILED ||
                 crm_motion_reason(motion)[0] != '\0');
    if (status == CRM_OK) {
        feed_read_motion(f, motion);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed_one(data, size, &(feed_uses){feed_solve_model, feed_solve, feed_move});
    return 0;
}
