/* The contacts at work while no mode changes, side by side. */
#include <stdlib.h>
#include <string.h>

#include "law/lzb/path/path.h"

crm_status lzb_band_create(lzb_band *band, const crm_model *model, crm_pool *room, crm_error *error)
{
    *band = (lzb_band){.model = model, .place = CRM_TAKE(room, uint32_t, model->contacts)};
    if (band->place == NULL) {
        return crm_fail_memory(error);
    }
    for (size_t j = 0; j < model->contacts; j++) {
        band->place[j] = LZB_NOWHERE;
    }
    return CRM_OK;
}

void lzb_band_release(lzb_band *band)
{
    free(band->block);
    free(band->member);
    free(band->row_start);
    free(band->d);
    free(band->entry);
    free(band->column);
}

/* Doubles of the block for each contact of the band: three that describe it, seven of a step, four
 * at each kick, and the ends of the columns and as much again to work in.
 */
enum {
    OF_STEP = 10,
    OF_KICKS = 4 * LZB_PATH_KICKS,
    OF_ENDS = 2 * LZB_PATH_ENDS * LZB_PATH_COLUMNS
};

static void lay_out(lzb_band *band, size_t room)
{
    double *next = band->block;
    double **single[OF_STEP] = {&band->stiffness, &band->exponent, &band->rate, &band->x0,
                                &band->c0,        &band->a0,       &band->x1,   &band->c1,
                                &band->a1,        &band->impulse};
    for (size_t i = 0; i < OF_STEP; i++, next += room) {
        *single[i] = next;
    }
    double **at_kicks[4] = {&band->x, &band->force, &band->slope, &band->c};
    for (size_t i = 0; i < 4; i++, next += LZB_PATH_KICKS * room) {
        *at_kicks[i] = next;
    }
    band->ends = next;
    band->work = next + OF_ENDS / 2 * room;
}

static crm_status make_room(lzb_band *band, size_t count, crm_error *error)
{
    if (count <= band->count_room) {
        return CRM_OK;
    }
    size_t room = count + count / 2 + 16;
    free(band->block);
    band->block = crm_memory_allocate(room, (OF_STEP + OF_KICKS + OF_ENDS) * sizeof(double));
    uint32_t *member = crm_memory_resize(band->member, room, sizeof *member + sizeof *band->kind);
    band->member = member != NULL ? member : band->member;
    size_t *row_start = crm_memory_resize(band->row_start, room + 1, sizeof *row_start);
    band->row_start = row_start != NULL ? row_start : band->row_start;
    if (band->block == NULL || member == NULL || row_start == NULL) {
        band->count_room = 0;
        return crm_fail_memory(error);
    }
    band->kind = (uint8_t *)(band->member + room);
    band->count_room = room;
    lay_out(band, room);
    return CRM_OK;
}

static crm_status make_entry_room(lzb_band *band, size_t entries, crm_error *error)
{
    if (entries <= band->entry_room) {
        return CRM_OK;
    }
    size_t room = entries + entries / 2 + 64;
    double *d = crm_memory_resize(band->d, room, sizeof *d);
    band->d = d != NULL ? d : band->d;
    size_t *entry = crm_memory_resize(band->entry, room, sizeof *entry);
    band->entry = entry != NULL ? entry : band->entry;
    uint32_t *column = crm_memory_resize(band->column, room, sizeof *column);
    band->column = column != NULL ? column : band->column;
    if (d == NULL || entry == NULL || column == NULL) {
        return crm_fail_memory(error);
    }
    band->entry_room = room;
    return CRM_OK;
}

static void fill_rows(lzb_band *band)
{
    const crm_model *model = band->model;
    size_t filled = 0;
    for (size_t k = 0; k < band->active; k++) {
        size_t j = band->member[k];
        band->row_start[k] = filled;
        for (size_t e = model->d_start[j]; e < model->d_start[j + 1]; e++) {
            uint32_t place = band->place[model->d_column[e]];
            if (place != LZB_NOWHERE) {
                band->column[filled] = place;
                band->entry[filled] = e;
                band->d[filled++] = model->d_value[e];
            }
        }
    }
    band->row_start[band->active] = band->entries = filled;
}

crm_status lzb_band_fill(lzb_band *band, const uint32_t *members, const uint8_t *modes,
                         size_t count, size_t active, lzb_stiffness stiffness, crm_error *error)
{
    const crm_model *model = band->model;
    for (size_t i = 0; i < band->count; i++) {
        band->place[band->member[i]] = LZB_NOWHERE;
    }
    band->count = band->active = 0;
    size_t entries = 0;
    for (size_t i = 0; i < active; i++) {
        entries += model->d_start[members[i] + 1] - model->d_start[members[i]];
    }
    crm_status status = make_room(band, count, error);
    if (status == CRM_OK) {
        status = make_entry_room(band, entries, error);
    }
    if (status != CRM_OK) {
        return status;
    }
    band->count = count;
    band->active = active;
    for (size_t i = 0; i < count; i++) {
        uint32_t j = members[i];
        band->member[i] = j;
        band->place[j] = (uint32_t)i;
        band->kind[i] = (uint8_t)lzb_contact_kind(model->exponent[j]);
        band->stiffness[i] = model->stiffness[j];
        band->exponent[i] = model->exponent[j];
        band->rate[i] = lzb_contact_rate(stiffness, (lzb_mode)modes[i], model->restitution[j]);
    }
    fill_rows(band);
    return CRM_OK;
}
