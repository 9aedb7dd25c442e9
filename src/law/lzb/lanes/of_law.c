/* The lanes as the law describes them to batches. */
#include "law/lzb/lanes/lanes.h"

static crm_status create(const crm_settings *settings, void **lane_state, crm_error *error)
{
    lzb_lanes *lanes;
    crm_status status = lzb_lanes_create(settings, &lanes, error);
    *lane_state = lanes;
    return status;
}

static void free_lanes(void *lane_state)
{
    lzb_lanes_free(lane_state);
}

static bool add(void *lane_state, const crm_model *model, const double *u, size_t tag)
{
    return lzb_lanes_take(lane_state, model, u, tag);
}

static size_t active(const void *lane_state)
{
    return lzb_lanes_busy(lane_state);
}

static size_t advance(void *lane_state, crm_lane_end *ends)
{
    return lzb_lanes_advance(lane_state, ends);
}

static double impulse(const void *lane_state, unsigned lane, size_t contact)
{
    return lzb_lanes_impulse(lane_state, lane, contact);
}

const struct crm_law_lanes lzb_lanes_of_law = {.lanes = LZB_LANES,
                                               .contacts = LZB_LANES_CONTACTS,
                                               .supports = lzb_lanes_serve,
                                               .fits = lzb_lanes_fit,
                                               .create = create,
                                               .free = free_lanes,
                                               .add = add,
                                               .active = active,
                                               .advance = advance,
                                               .impulse = impulse};
