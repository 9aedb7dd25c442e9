/* The bits of the examples, see bits.h. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits.h"
#include "scenario/scenario.h"
#include "support.h"

enum { MOST_EXAMPLES = 100, LONGEST_PATH = 512 };

typedef struct examples {
    char names[MOST_EXAMPLES][BITS_NAME];
    size_t count;
} examples;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static examples list_examples(void)
{
    examples list = {0};
    DIR *folder = opendir(CAROM_SOURCE_DIR "/examples");
    assert_non_null(folder);
    for (const struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".yaml") == 0) {
            assert_true(list.count < MOST_EXAMPLES);
            snprintf(list.names[list.count++], BITS_NAME, "%s", e->d_name);
        }
    }
    closedir(folder);
    assert_true(list.count > 0);
    qsort(list.names, list.count, sizeof list.names[0], by_name);
    return list;
}

typedef crm_status scenario_reader(const char *path, const char *const *overrides, size_t count,
                                   const crm_yaml_limits *limits, crm_scenario **scenario,
                                   crm_read_error *error);

/* NULL: it is none of that kind. */
static crm_scenario *read_example(scenario_reader *read, const char *name)
{
    char path[LONGEST_PATH];
    crm_read_error error;
    crm_scenario *scenario = NULL;
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/examples/%s", name);
    crm_yaml_limits limits = crm_yaml_limits_default();
    return read(path, NULL, 0, &limits, &scenario, &error) == CRM_OK ? scenario : NULL;
}

void bits_solve_examples(bits_group *group)
{
    examples list = list_examples();
    for (size_t k = 0; k < list.count; k++) {
        crm_scenario *s = read_example(crm_scenario_read, list.names[k]);
        if (s != NULL) {
            bits_system(group, "%s", list.names[k]);
        }
        for (size_t i = 0; s != NULL && i < s->law_count; i++) {
            bits_solve(group, s->model, s->velocity, s->laws[i].settings);
        }
        crm_scenario_free(s);
    }
}

static crm_motion *begin(const void *scene)
{
    const crm_scenario *s = scene;
    crm_motion *motion = NULL;
    crm_error error = {0};
    assert_ok(crm_scenario_begin_motion(s, crm_scenario_motion_law(s), &motion, &error), &error);
    return motion;
}

/* The duration to run; only a part of an example that takes long. */
static double duration_of(const crm_scenario *s, const char *name)
{
    return s->motion->duration * (strcmp(name, "pouring.yaml") == 0 ? 0.01 : 1);
}

void bits_move_examples(bits_group *group)
{
    examples list = list_examples();
    for (size_t k = 0; k < list.count; k++) {
        crm_scenario *s = read_example(crm_scenario_motion_read, list.names[k]);
        if (s != NULL) {
            bits_system(group, "%s", list.names[k]);
            bits_move(group, begin, s, duration_of(s, list.names[k]),
                      crm_scenario_motion_law(s)->settings);
        }
        crm_scenario_free(s);
    }
}
