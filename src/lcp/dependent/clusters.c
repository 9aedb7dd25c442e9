/* Contacts are in one cluster when D couples them, directly or through others: when they touch the
 * same coordinates, or coordinates that M couples.
 */
#include "lcp/dependent/clusters.h"

#include <stdlib.h>

#include "base/disjoint.h"

/* *first: for each contact, the first contact of its cluster; false: interrupted. */
static bool label(const crm_model *model, crm_watching *watching, uint32_t *first)
{
    crm_disjoint_begin(first, model->contacts);
    for (uint32_t j = 0; j < model->contacts; j++) {
        for (size_t k = model->d_start[j]; k < model->d_start[j + 1]; k++) {
            crm_disjoint_join(first, j, model->d_column[k]);
        }
        if (crm_watch_interrupts(watching, 1)) {
            return false;
        }
    }
    for (uint32_t j = 0; j < model->contacts; j++) {
        first[j] = crm_disjoint_find(first, j);
    }
    return true;
}

/* ---- One cluster ----------------------------------------------------------------------------- */

typedef struct gathering {
    crm_pool *pool;
    crm_width width;
    const crm_model *model;
    size_t most;
    bool *seen; /* by coordinate: in some cluster already */
    crm_watching *watching;
} gathering;

/* A coordinate with all that M couples with it; false: too many. */
static bool add_coordinate(gathering *work, uint32_t i, uint32_t *list, size_t *count)
{
    const crm_mass *mass = &work->model->mass;
    size_t block = mass->form == CRM_MASS_BLOCKS ? mass->block_of[i] : 0;
    size_t begin = mass->form == CRM_MASS_BLOCKS ? mass->block_start[block] : 0;
    size_t end = mass->form == CRM_MASS_BLOCKS ? mass->block_start[block + 1] : 1;
    if (work->seen[i]) {
        return true;
    }
    if (*count + (end - begin) > work->most) {
        return false;
    }
    for (size_t k = begin; k < end; k++) {
        uint32_t member = mass->form == CRM_MASS_BLOCKS ? mass->member[k] : i;
        work->seen[member] = true;
        list[(*count)++] = member;
    }
    return true;
}

/* *fits is false, and there is no cluster, when it would be too large. */
static crm_status gather(gathering *work, const uint32_t *contact, size_t contacts,
                         crm_cluster *cluster, bool *fits, crm_error *error)
{
    const crm_model *model = work->model;
    uint32_t *coordinate = CRM_TAKE(work->pool, uint32_t, work->most);
    size_t count = 0;
    if (coordinate == NULL) {
        return crm_fail_memory(error);
    }
    *fits = contacts <= work->most;
    for (size_t j = 0; j < contacts && *fits; j++) {
        for (size_t k = model->w_start[contact[j]]; k < model->w_start[contact[j] + 1] && *fits;
             k++) {
            *fits = add_coordinate(work, model->w_row[k], coordinate, &count);
        }
    }
    if (!*fits) {
        return CRM_OK;
    }
    qsort(coordinate, count, sizeof *coordinate, crm_compare_uint32);
    crm_status status = crm_cluster_create(work->pool, work->width, model, count, coordinate,
                                           contacts, contact, cluster, error);
    cluster->problem.watching = work->watching;
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* order: contacts with equal labels beside each other, by the first of them. */
static void sort_by_label(size_t count, const uint32_t *first, uint32_t *start, uint32_t *order)
{
    for (size_t j = 0; j < count; j++) {
        start[first[j] + 1]++;
    }
    for (size_t j = 0; j < count; j++) {
        start[j + 1] += start[j];
    }
    for (size_t j = count; j-- > 0;) { /* start[k + 1] walks from the end of k to its beginning */
        order[--start[first[j] + 1]] = (uint32_t)j;
    }
}

static crm_status gather_all(gathering *work, const uint32_t *first, const uint32_t *order,
                             crm_clusters *clusters, crm_error *error)
{
    size_t count = work->model->contacts;
    crm_status status = CRM_OK;
    for (size_t begin = 0, end = 0; begin < count && status == CRM_OK; begin = end) {
        bool fits = false;
        while (end < count && first[order[end]] == first[order[begin]]) {
            end++;
        }
        status = gather(work, order + begin, end - begin, &clusters->cluster[clusters->count],
                        &fits, error);
        clusters->count += fits;
        clusters->left += fits ? 0 : end - begin;
        if (crm_watch_interrupts(work->watching, end - begin)) {
            clusters->left += count - end;
            return status;
        }
    }
    return status;
}

crm_status crm_clusters_create(crm_pool *pool, crm_width width, const crm_model *model, size_t most,
                               crm_watching *watching, crm_clusters *clusters, crm_error *error)
{
    size_t s = model->contacts;
    *clusters = (crm_clusters){.left = s};
    if (model->mass.form == CRM_MASS_FACTOR || model->d_start == NULL) {
        return CRM_OK;
    }
    gathering work = {pool, width, model, most, CRM_TAKE(pool, bool, model->coordinates), watching};
    uint32_t *first = CRM_TAKE(pool, uint32_t, s), *order = CRM_TAKE(pool, uint32_t, s);
    uint32_t *start = CRM_TAKE(pool, uint32_t, s + 1);
    clusters->cluster = CRM_TAKE(pool, crm_cluster, s);
    if (work.seen == NULL || first == NULL || order == NULL || start == NULL ||
        clusters->cluster == NULL) {
        return crm_fail_memory(error);
    }
    if (!label(model, watching, first)) {
        return CRM_OK;
    }
    sort_by_label(s, first, start, order);
    clusters->left = 0;
    return gather_all(&work, first, order, clusters, error);
}
