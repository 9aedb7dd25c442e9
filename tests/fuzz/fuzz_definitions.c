/* The C interface must survive any definition: a status with a message, or what was asked for.
 *
 * What was made is read, and nothing is solved or moved (fuzz_calls.c does), so that very many
 * definitions can be tried.
 */
#include "definitions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_lcp(feed *f, crm_lcp *lcp)
{
    (void)f;
    feed_require(crm_lcp_size(lcp) <= FEED_MOST);
}

/* The complementarity problem that a model poses is made, too. */
static void read_model(feed *f, crm_model *model)
{
    crm_error error = {0};
    crm_lcp *lcp = NULL;
    crm_status status = crm_lcp_create_for_model(model, &lcp, &error);
    if (feed_answered(status, lcp, &error)) {
        read_lcp(f, lcp);
    }
    crm_lcp_free(lcp);
}

static void read_motion(feed *f, crm_motion *motion, const crm_motion_options *options)
{
    (void)f, (void)options;
    feed_require(crm_motion_time(motion) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed_one(data, size, &(feed_uses){read_model, read_lcp, read_motion});
    return 0;
}
