#include "made_up.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

int make_up(void **state)
{
    made_up_impact *f = calloc(1, sizeof *f);
    assert_non_null(f);
    crm_chain_def def = crm_chain_def_default();
    def.count = 3;
    assert_int_equal(crm_model_from_chain(&def, &f->model, NULL), CRM_OK);
    f->velocity[0] = 1;
    memcpy(f->after, (double[]){-ODD, 0, 1e-7}, sizeof f->after);
    memcpy(f->impulse, (double[]){1.25, 1e-7}, sizeof f->impulse);
    memcpy(f->gap, (double[]){ODD, -0.125}, sizeof f->gap);
    memcpy(f->loss, (double[]){0.25, 0}, sizeof f->loss);
    memcpy(f->force, (double[]){123.5, 7}, sizeof f->force);
    f->compressions[0] = 3;
    f->outcome = (crm_outcome){.law = crm_law_find("lzb"),
                               .result = CRM_SOLVED,
                               .note = "a note, with a comma",
                               .coordinates = 3,
                               .contacts = 2,
                               .velocity = f->after,
                               .impulse = f->impulse,
                               .gap_velocity = f->gap,
                               .loss = f->loss,
                               .peak_force = f->force,
                               .compressions = f->compressions,
                               .energy_before = 0.5,
                               .energy_after = 0.25,
                               .energy_error = NAN,
                               .kinematic = false,
                               .kinetic = true,
                               .energetic = true,
                               .unique = true,
                               .duration = 2.5,
                               .error_estimate = NAN,
                               .steps = 42};
    f->entries[0] = (crm_report_entry){"one, \"quoted\"", f->outcome.law, &f->outcome, "", NULL};
    f->entries[1] = (crm_report_entry){"two", f->outcome.law, NULL, "it broke down", NULL};
    f->report = (crm_report){.title = "T",
                             .model = f->model,
                             .velocity = f->velocity,
                             .count = 2,
                             .entries = f->entries};
    *state = f;
    return 0;
}

int drop_made_up(void **state)
{
    made_up_impact *f = *state;
    crm_model_free(f->model);
    free(f);
    return 0;
}

char *written(writer write, const crm_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(write(report, stream, NULL), CRM_OK);
    assert_int_equal(fclose(stream), 0);
    char *copy = crm_memory_copy_text(text);
    free(text);
    return copy;
}

size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}
