/* The lanes as the law describes them to batches. */
#include "law/lzb/lanes/lanes.h"

static crm_status create(const crm_settings *settings, void **company, crm_error *error)
{
    lzb_lanes *lanes;
    crm_status status = lzb_lanes_create(settings, &lanes, error);
    *company = lanes;
    return status;
}

static void free_lanes(void *company)
{
    lzb_lanes_free(company);
}

static bool take(void *company, const crm_model *model, const double *u, size_t tag)
{
    return lzb_lanes_take(company, model, u, tag);
}

static size_t busy(const void *company)
{
    return lzb_lanes_busy(company);
}

static size_t advance(void *company, crm_lane_end *ends)
{
    return lzb_lanes_advance(company, ends);
}

static double impulse(const void *company, unsigned lane, size_t contact)
{
    return lzb_lanes_impulse(company, lane, contact);
}

const struct crm_law_lanes lzb_lanes_of_law = {.lanes = LZB_LANES,
                                               .contacts = LZB_LANES_CONTACTS,
                                               .serve = lzb_lanes_serve,
                                               .fit = lzb_lanes_fit,
                                               .create = create,
                                               .free = free_lanes,
                                               .take = take,
                                               .busy = busy,
                                               .advance = advance,
                                               .impulse = impulse};
