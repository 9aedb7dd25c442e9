#include "motion_call.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

crm_motion *motion_of(const crm_lagrangian_def *def, const crm_motion_options *options)
{
    crm_motion *motion;
    crm_error error = {0};
    assert_ok(crm_motion_from_lagrangian(def, options, &motion, &error), &error);
    return motion;
}

crm_motion_stop run_to(crm_motion *motion, double time, const crm_observer *observer)
{
    crm_motion_stop stopped;
    crm_error error = {0};
    assert_ok(crm_motion_run(motion, time, observer, &stopped, &error), &error);
    if (stopped == CRM_STOP_FAILED) {
        print_error("%s\n", crm_motion_reason(motion));
    }
    assert_int_not_equal(stopped, CRM_STOP_FAILED);
    return stopped;
}

void assert_account_closes(const crm_motion *motion, double tolerance)
{
    crm_motion_account e = crm_motion_summarize(motion).energy;
    assert_near(e.error, 0, tolerance);
    assert_near(e.kinetic_before + e.potential_before + e.work + e.correction,
                e.kinetic_after + e.potential_after + e.lost, tolerance);
}

void check_met(const char *what, double got, double want, double tolerance, const char *file,
               int line)
{
    print_message("%-60s %9.1e\n", what, fabs(got - want));
    check_near(got, want, tolerance, what, file, line);
}

crm_settings *law_named(const char *name)
{
    crm_settings *settings;
    crm_error error = {0};
    assert_ok(crm_settings_create(crm_law_find(name), &settings, &error), &error);
    return settings;
}

static crm_status add_impact(void *context, const crm_impact_report *impact)
{
    impact_list *list = context;
    if (list->count < MOST_IMPACTS && impact->contacts <= MOST_CONTACTS) {
        impact_row *row = &list->row[list->count];
        *row = (impact_row){.time = impact->time,
                            .contacts = impact->contacts,
                            .lost = impact->lost,
                            .result = impact->result};
        if (impact->gap != NULL) {
            memcpy(row->gap, impact->gap, impact->contacts * sizeof row->gap[0]);
        }
        memcpy(row->closing, impact->closing_speed, impact->contacts * sizeof row->closing[0]);
        memcpy(row->impulse, impact->impulse, impact->contacts * sizeof row->impulse[0]);
    }
    list->count++;
    return CRM_OK;
}

crm_observer impact_observer(impact_list *list)
{
    list->count = 0;
    return (crm_observer){.context = list, .impact = add_impact};
}
