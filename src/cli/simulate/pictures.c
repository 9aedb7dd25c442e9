/* --report and --plot of a motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/picture/live.h"
#include "cli/picture/picture.h"
#include "cli/simulate/simulate.h"
#include "report/page/motion/motion_page.h"

/* Bodies that a page shows, and frames over the duration; at first frames are up to FINER_MOST
 * times denser, as the motion may end early. In addition there is a frame after every so many
 * impacts, at first after each.
 */
enum { BODIES_MOST = 1024, INSTANTS = 1000 };
static const double FINER_MOST = 16;
/* To read the state of very many bodies takes as long as to move them: numbers that may be read for
 * denser frames, and coordinates for each impact between frames.
 */
static const double READ_MOST = 1e8;
enum { READ_EACH = 100 };

/* ---- Before --------------------------------------------------------------------------------- */

static int choose_plot(const crm_options *options, crm_simulate_pictures *p)
{
    for (size_t i = 0; i < CRM_MOTION_FIGURE_COUNT; i++) {
        const char *name = crm_motion_figure_name((crm_motion_figure)i);
        if (options->plot_of == NULL || strcmp(options->plot_of, name) == 0) {
            p->plot = (crm_motion_figure)i;
            return CRM_EXIT_DONE;
        }
    }
    return crm_message(CRM_EXIT_USAGE,
                       "--plot-of is '%s'; must be energy, positions, angles or velocities",
                       options->plot_of);
}

static int open_files(crm_simulate_pictures *p, const crm_options *options)
{
    const crm_canvas_tools *tools; /* checked before anything is computed */
    int status = choose_plot(options, p);
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = crm_output_open(&p->page, options->report);
    }
    status = status == CRM_EXIT_DONE ? crm_live_load(options, &p->solver) : status;
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = crm_figure_tools(options->plot, &tools);
    }
    if (status == CRM_EXIT_DONE && options->plot != NULL) {
        status = crm_output_open(&p->figure, options->plot);
    }
    return status;
}

/* In time-stepping whole steps. */
static double whole_steps(const crm_scenario_motion *motion, double every)
{
    double step = motion->options.step;
    return motion->options.scheme == CRM_TIME_STEPPING ? step * ceil(every / step) : every;
}

static void plan(crm_simulate_pictures *p, const crm_scenario_motion *motion, double time)
{
    size_t numbers =
        crm_scene_coordinates(&motion->scene, false) + crm_scene_coordinates(&motion->scene, true);
    size_t instants = p->frames.capacity / 2 < INSTANTS ? p->frames.capacity / 2 : INSTANTS;
    double longest = (motion->duration - time) / (double)instants;
    double finer = READ_MOST / ((double)instants * (double)numbers + 1);
    p->longest = whole_steps(motion, longest);
    p->every = whole_steps(motion, longest / fmax(1, fmin(finer, FINER_MOST)));
    p->stride = p->subset.whole ? 1 : 1 + numbers / READ_EACH;
    p->next = time;
    p->steps = motion->options.scheme == CRM_TIME_STEPPING;
}

int crm_pictures_plan(crm_simulate_pictures *p, const crm_options *options,
                      const crm_scenario_motion *motion, double time)
{
    crm_error error = {0};
    p->next = INFINITY;
    p->wanted = options->report != NULL || options->plot != NULL;
    if (!p->wanted) {
        return CRM_EXIT_DONE;
    }
    if (crm_scene_subset_make(&motion->scene, BODIES_MOST, &p->subset, &error) != CRM_OK ||
        crm_potential_create(&motion->scene, &p->potential, &error) != CRM_OK ||
        crm_motion_frames_create(&p->subset, &p->frames, &error) != CRM_OK ||
        crm_kept_impacts_create(&p->impacts, &error) != CRM_OK) {
        return crm_message_memory();
    }
    plan(p, motion, time);
    return options->plot == NULL || crm_motion_figure_is_available(p->plot, &p->subset)
               ? CRM_EXIT_DONE
               : crm_message(CRM_EXIT_USAGE, "--plot-of is %s; the scene has none",
                             crm_motion_figure_name(p->plot));
}

int crm_pictures_open(crm_simulate_pictures *p, const crm_options *options,
                      const crm_scenario_motion *motion, double time)
{
    int status = open_files(p, options);
    return status == CRM_EXIT_DONE ? crm_pictures_plan(p, options, motion, time) : status;
}

/* ---- During the run ------------------------------------------------------------------------- */

bool crm_pictures_add_impact(crm_simulate_pictures *p, const crm_impact_report *impact)
{
    if (p->wanted) {
        crm_kept_impacts_add(&p->impacts, impact);
        p->first_impact = p->impact_count == 0 ? impact->time : p->first_impact;
        p->impact_count++;
    }
    return p->wanted && p->impact_count >= p->stride;
}

/* Since the last instant. Steps of time-stepping know no smooth course. */
static crm_frames_join join_since(const crm_simulate_pictures *p, double time)
{
    if (p->steps || (p->impact_count > 0 && p->first_impact < time)) {
        return CRM_FRAMES_LINE;
    }
    return p->impact_count > 0 ? CRM_FRAMES_IMPACT : CRM_FRAMES_CURVE;
}

/* Multiples of what is between them, so that they do not depend on where the run was left. */
void crm_pictures_add_state(crm_simulate_pictures *p, const crm_motion *motion, double *state)
{
    double time = crm_motion_time(motion);
    size_t rows = p->frames.count, positions = crm_motion_positions(motion);
    if (!p->wanted) {
        return;
    }
    const crm_motion_summary summary = crm_motion_summarize(motion);
    crm_motion_read(motion, state, state + positions);
    const crm_motion_frame frame = {.time = time,
                                    .position = state,
                                    .velocity = state + positions,
                                    .energy = summary.energy,
                                    .potential_rate =
                                        crm_potential_rate(&p->potential, state, state + positions),
                                    .join = join_since(p, time)};
    crm_motion_frames_add(&p->frames, &p->subset, &frame);
    if (p->frames.count < rows) {
        p->every = fmin(2 * p->every, p->longest);
        p->stride *= 2;
    }
    p->impact_count = 0;
    if (time >= p->next) {
        p->next = p->every * (floor(time / p->every) + 1);
        p->next += p->next > time ? 0 : p->every;
    }
}

/* ---- Afterwards ----------------------------------------------------------------------------- */

static int write_page(crm_simulate_pictures *p, const crm_options *options,
                      const crm_motion_report *of, const char *scenario,
                      const crm_simulate_beside *beside)
{
    crm_error error = {0};
    crm_motion_report report = *of, other;
    crm_motion_page second = {0};
    report.subset = &p->subset;
    if (beside != NULL) {
        other = *beside->report;
        other.subset = &beside->pictures->subset;
        second = (crm_motion_page){.report = &other,
                                   .frames = &beside->pictures->frames,
                                   .impacts = &beside->pictures->impacts};
    }
    char *command = crm_picture_command_line("simulate", options);
    const crm_motion_page page = {.report = &report,
                                  .frames = &p->frames,
                                  .impacts = &p->impacts,
                                  .source =
                                      crm_picture_source(options, scenario, command, p->solver),
                                  .beside = beside != NULL ? &second : NULL};
    bool good = command != NULL && crm_motion_page_write(&page, p->page.stream, &error) == CRM_OK;
    free(command);
    return good ? crm_output_commit(&p->page) : crm_message_memory();
}

static int write_figure(crm_simulate_pictures *p, const char *path, const crm_motion_report *report)
{
    char problem[256];
    crm_figure_target target = {
        .format = crm_figure_format(path), .sink = crm_figure_sink, .context = p->figure.stream};
    int status = crm_figure_tools(path, &target.tools);
    if (status != CRM_EXIT_DONE) {
        return status;
    }
    return crm_motion_figure_draw(p->plot, report->moved.scene, &p->subset, &p->frames, &target,
                                  problem, sizeof problem)
               ? crm_output_commit(&p->figure)
               : crm_output_refuse_for(path, problem);
}

int crm_pictures_write(crm_simulate_pictures *p, const crm_options *options,
                       const crm_motion_report *report, const char *scenario,
                       const crm_simulate_beside *beside)
{
    int status = options->plot != NULL ? write_figure(p, options->plot, report) : CRM_EXIT_DONE;
    if (status == CRM_EXIT_DONE && options->report != NULL) {
        status = write_page(p, options, report, scenario, beside);
    }
    return status;
}

void crm_pictures_abandon(crm_simulate_pictures *p)
{
    crm_output_abandon(&p->page);
    crm_output_abandon(&p->figure);
    crm_scene_subset_free(&p->subset);
    crm_potential_free(&p->potential);
    crm_frames_free(&p->frames);
    crm_kept_impacts_free(&p->impacts);
    free(p->solver);
}
