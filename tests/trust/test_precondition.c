/* What the caller answers for, in builds that look at it (src/base/precondition.h): each neglect
 * ends the program, and says which. Others do not look, and there is nothing to see.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"

#ifdef CAROM_PRECONDITIONS
enum { LOOKED_AT = 1 };
#else
enum { LOOKED_AT = 0 };
#endif

/* Two balls: two coordinates, one contact. */
static crm_model *model;
static const double velocity[2] = {1, 0};

#define NEGLECT(name, call)                                                                        \
    static void name(void)                                                                         \
    {                                                                                              \
        call;                                                                                      \
    }

static char text[8];
static size_t count;
static const uint32_t *column;
static const double *value;

NEGLECT(coordinates, crm_model_coordinates(NULL))
NEGLECT(body_start, crm_model_body_start(model, 4))
NEGLECT(is_angle, crm_model_is_angle(model, 2))
NEGLECT(party_contact, crm_model_party(model, 1, 0))
NEGLECT(party, crm_model_party(model, 0, 2))
NEGLECT(party_name, crm_model_party_name(model, SIZE_MAX, 0, text, sizeof text))
NEGLECT(body_name, crm_model_body_name(model, 9, text, sizeof text))
NEGLECT(no_room, crm_model_body_name(model, 0, NULL, sizeof text))
NEGLECT(body_energy, crm_model_body_energy(model, 2, velocity))
NEGLECT(no_velocity, crm_model_kinetic_energy(model, NULL))
NEGLECT(row, crm_model_delassus_row(model, 1, &count, &column, &value))
NEGLECT(entry, crm_model_delassus(model, 0, 1))
NEGLECT(angle, crm_model_kinetic_angle(model, 1, 0))
NEGLECT(no_motion, crm_motion_time(NULL))
NEGLECT(no_summary, crm_motion_summarize(NULL))
NEGLECT(no_problem, crm_lcp_size(NULL))
NEGLECT(measure, crm_measure_forward(model, NULL))
NEGLECT(settings, crm_settings_law(NULL))

/* In a child: how it ended, and what it said. */
static int end_of(void (*neglect)(void), char *said, size_t size)
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka has its own */
        dup2(ends[1], STDERR_FILENO);
        neglect();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length + 1 < size; length += got > 0 ? (size_t)got : 0) {
        got = read(ends[0], said + length, size - 1 - length);
    }
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void what_is_neglected_is_seen(void **state)
{
    (void)state;
    static const struct {
        void (*neglect)(void);
        const char *words;
    } cases[] = {
        {coordinates, "crm_model_coordinates: precondition violated: model != NULL"},
        {body_start, "crm_model_body_start: precondition violated: body"},
        {is_angle, "crm_model_is_angle: precondition violated: coordinate"},
        {party_contact, "crm_model_party: precondition violated: contact"},
        {party, "crm_model_party: precondition violated: party"},
        {party_name, "crm_model_party_name: precondition violated: contact"},
        {body_name, "crm_model_body_name: precondition violated: body"},
        {no_room, "crm_model_body_name: precondition violated: text"},
        {body_energy, "crm_model_body_energy: precondition violated: body"},
        {no_velocity, "crm_model_kinetic_energy: precondition violated: velocity"},
        {row, "crm_model_delassus_row: precondition violated: contact"},
        {entry, "crm_model_delassus: precondition violated: column"},
        {angle, "crm_model_kinetic_angle: precondition violated: i"},
        {no_motion, "crm_motion_time: precondition violated: motion"},
        {no_summary, "crm_motion_summarize: precondition violated: motion"},
        {no_problem, "crm_lcp_size: precondition violated: lcp"},
        {measure, "crm_measure_forward: precondition violated: velocity"},
        {settings, "crm_settings_law: precondition violated: settings"},
    };
    if (!LOOKED_AT) {
        skip();
    }
    crm_chain_def def = crm_chain_def_default();
    def.count = 2;
    model = chain_model(&def);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char said[4096];
        int end = end_of(cases[k].neglect, said, sizeof said);
        if (end != SIGABRT || strstr(said, cases[k].words) == NULL) {
            fail_msg("%s: ended by signal %d, said '%s'", cases[k].words, end, said);
        }
    }
    crm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_neglected_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
