#include "scenario/layout.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/reader.h"

/* A packing has placed only those that are wanted. */
static crm_status choose(crm_reader *reader, const size_t *wanted, size_t count, crm_layout *layout)
{
    const crm_bodies_def *def = &reader->motion.scene.bodies;
    size_t free_bodies = 0, taken = 0;
    bool chosen = def->body_count == count;
    layout->bodies = CRM_ARENA_NEW(&layout->memory, crm_body_def, count);
    layout->fixed = CRM_ARENA_NEW(&layout->memory, crm_body_def, def->body_count);
    layout->walls = CRM_ARENA_NEW(&layout->memory, crm_wall_def, def->wall_count);
    if (layout->bodies == NULL || layout->fixed == NULL || layout->walls == NULL) {
        return crm_reader_fail_memory(reader);
    }
    for (size_t i = 0; i < def->body_count; i++) {
        if (def->bodies[i].fixed) {
            layout->fixed[layout->fixed_count++] = def->bodies[i];
        } else if (chosen || (taken < count && wanted[taken] == free_bodies++)) {
            layout->bodies[taken++] = def->bodies[i];
        }
    }
    layout->count = taken;
    layout->wall_count = def->wall_count;
    if (def->wall_count > 0) {
        memcpy(layout->walls, def->walls, def->wall_count * sizeof *layout->walls);
    }
    return CRM_OK;
}

crm_status crm_layout_make(const crm_scenario *scenario, const size_t *bodies, size_t count,
                           crm_layout *layout, crm_read_error *error)
{
    *layout = (crm_layout){0};
    if (scenario->generalized) {
        return CRM_OK;
    }
    crm_warnings warnings = {0};
    crm_scenario again = {0};
    crm_reader reader = {.tree = scenario->tree,
                         .error = error,
                         .warnings = &warnings,
                         .moves = true,
                         .drawn = bodies,
                         .drawn_count = count};
    reader.motion.scene = crm_scene_def_default();
    crm_status status = crm_scenario_read_definition(&reader, &again);
    layout->memory = reader.scratch;
    layout->dimension = reader.motion.scene.bodies.dimension;
    if (status == CRM_OK) {
        status = choose(&reader, bodies, count, layout);
    }
    free(again.velocity);
    crm_model_free(again.model);
    return status;
}

void crm_layout_free(crm_layout *layout)
{
    crm_arena_free(&layout->memory);
    *layout = (crm_layout){0};
}
