#include "law/lzb/extrapolation/window/partition.h"

#include <stdlib.h>

static crm_status reserve_tallies(lzb_partition *p, crm_error *error)
{
    if (p->parts <= p->tally_room) {
        return CRM_OK;
    }
    size_t room = p->parts + p->parts / 2;
    free(p->tally);
    p->tally_room = 0;
    p->tally = crm_memory_allocate_aligned(LZB_TALLY, room, LZB_TALLY);
    if (p->tally == NULL) {
        return crm_fail_memory(error);
    }
    p->tally_room = room;
    return CRM_OK;
}

crm_status lzb_partition_begin(lzb_window *w, crm_error *error)
{
    lzb_partition *p = &w->partition;
    bool large = w->count >= LZB_LARGE && p->threads != NULL && w->coupling.product != LZB_OPERATOR;
    if (!large) {
        p->parts = 1;
        p->each = w->blocks;
        p->team = NULL;
        return CRM_OK;
    }
    p->parts = (w->count + LZB_PART - 1) / LZB_PART;
    p->each = LZB_PART / LZB_BLOCK;
    p->team = crm_team_lazy_start(p->threads);
    return reserve_tallies(p, error);
}

void lzb_partition_release(lzb_partition *p)
{
    free(p->tally);
}

typedef struct job {
    const lzb_window *w;
    lzb_part_work *work;
    void *context;
} job;

static void do_part(void *context, size_t index)
{
    const job *j = context;
    j->work(j->context, lzb_part_at(j->w, index), j->w->partition.tally + index * LZB_TALLY);
}

void lzb_partition_share_out(const lzb_window *w, lzb_part_work *work, lzb_part_join *join,
                             void *context, void *total)
{
    job j = {.w = w, .work = work, .context = context};
    crm_team_run(w->partition.team, w->partition.parts, do_part, &j);
    for (size_t i = 0; join != NULL && i < w->partition.parts; i++) {
        join(total, w->partition.tally + i * LZB_TALLY);
    }
}
