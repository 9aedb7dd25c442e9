/* Vector lanes, as the law offers them to batches. */
#include "law/lzb/batch/batch.h"

static crm_status create(const crm_settings *settings, void **lane_state, crm_error *error)
{
    lzb_batch *batch;
    crm_status status = lzb_batch_create(settings, &batch, error);
    *lane_state = batch;
    return status;
}

static void free_lanes(void *lane_state)
{
    lzb_batch_free(lane_state);
}

static bool add(void *lane_state, const crm_model *model, const double *u, size_t tag)
{
    return lzb_batch_take(lane_state, model, u, tag);
}

static size_t active(const void *lane_state)
{
    return lzb_batch_busy(lane_state);
}

static size_t advance(void *lane_state, crm_lane_end *ends)
{
    return lzb_batch_advance(lane_state, ends);
}

static double impulse(const void *lane_state, unsigned lane, size_t contact)
{
    return lzb_batch_impulse(lane_state, lane, contact);
}

const struct crm_law_lanes lzb_batch_of_law = {.lanes = LZB_LANES,
                                               .contacts = LZB_BATCH_CONTACTS,
                                               .supports = lzb_batch_serve,
                                               .fits = lzb_batch_fit,
                                               .create = create,
                                               .free = free_lanes,
                                               .add = add,
                                               .active = active,
                                               .advance = advance,
                                               .impulse = impulse};
