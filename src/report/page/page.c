#include <math.h>

#include "base/locale.h"
#include "report/json.h"
#include "report/page/assets.h"
#include "report/page/parts.h"

/* ---- Around the data ------------------------------------------------------------------------- */

/* The page is self-contained: its policy forbids every request. A page that solves may compile
 * WebAssembly, and run it in a worker.
 */
static const char POLICY[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "script-src 'unsafe-inline'%s; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'\">\n";
static const char SOLVES[] = " 'wasm-unsafe-eval'; worker-src blob:";

static const char HEAD[] =
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n"
    "<title>carom</title>\n<style>\n";

static const char BODY[] =
    "</style>\n</head>\n<body>\n"
    "<noscript><p>The charts of this page need JavaScript, which is switched off. The numbers "
    "are in the element carom-data, as JSON.</p></noscript>\n"
    "<main id=\"page\"></main>\n"
    "<script type=\"application/json\" id=\"carom-data\">{";

static void write_asset(FILE *stream, const unsigned char *asset)
{
    fputs((const char *)asset, stream);
}

void crm_page_begin(FILE *stream, const crm_page_source *source)
{
    fprintf(stream, POLICY, source->solver != NULL ? SOLVES : "");
    fputs(HEAD, stream);
    write_asset(stream, crm_asset_uPlot_min_css);
    write_asset(stream, crm_asset_page_css);
    if (source->solver != NULL) {
        write_asset(stream, crm_asset_live_css);
    }
    fputs(BODY, stream);
}

/* Any scenario may be solved there. */
static const unsigned char *const LIVE[] = {
    crm_asset_uPlot_iife_min_js, crm_asset_common_js, crm_asset_chart_js, crm_asset_scene_js,
    crm_asset_impact_js,         crm_asset_motion_js, crm_asset_live_js,  NULL};

static void write_solver(FILE *stream, const char *solver)
{
    fputs("<script type=\"text/plain\" id=\"carom-worker\">", stream);
    write_asset(stream, crm_asset_worker_js);
    fputs("</script>\n<script type=\"text/plain\" id=\"carom-solver\">", stream);
    fputs(solver, stream);
    fputs("</script>\n", stream);
}

void crm_page_end(FILE *stream, const unsigned char *const *scripts, const crm_page_source *source)
{
    fputs("}</script>\n", stream);
    if (source->solver != NULL) {
        write_solver(stream, source->solver);
        scripts = LIVE;
    }
    fputs("<script>\n", stream);
    for (size_t i = 0; scripts[i] != NULL; i++) {
        write_asset(stream, scripts[i]);
        fputc('\n', stream);
    }
    fputs("carom.begin();\n</script>\n</body>\n</html>\n", stream);
}

/* ---- The data -------------------------------------------------------------------------------- */

/* In JSON these occur only within strings. */
static int write_escaped(const char *bytes, size_t size, void *stream)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '<' || bytes[i] == '>' || bytes[i] == '&') {
            fprintf(stream, "\\u%04x", (unsigned)bytes[i]);
        } else {
            fputc(bytes[i], stream);
        }
    }
    return 0;
}

bool crm_page_members(FILE *stream, json_t *object)
{
    size_t flags = JSON_EMBED | JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17);
    crm_locale locale = crm_locale_begin();
    bool whole = object != NULL && json_dump_callback(object, write_escaped, stream, flags) == 0;
    crm_locale_end(locale);
    json_decref(object);
    return whole;
}

void crm_page_number(FILE *stream, double value, int digits)
{
    if (isfinite(value)) {
        crm_fprintf(stream, "%.*g", digits, value == 0 ? 0.0 : value);
    } else {
        fputs("null", stream);
    }
}

json_t *crm_page_units(const char *of_force, const char *of_time)
{
    return json_pack("{s: s, s: s}", "N", of_force, "s", of_time);
}

static json_t *arguments_of(const crm_page_source *source)
{
    json_t *array = json_array();
    if (source->laws != NULL) {
        crm_json_add(&array, json_string("--law"));
        crm_json_add(&array, json_string(source->laws));
    }
    for (size_t i = 0; i < source->set_count; i++) {
        crm_json_add(&array, json_string("--set"));
        crm_json_add(&array, json_string(source->sets[i]));
    }
    return array;
}

json_t *crm_page_source_object(const crm_page_source *source)
{
    json_t *object = json_object();
    crm_json_put(&object, "file", json_string(source->file));
    crm_json_put(&object, "command", json_string(source->command));
    /* A text that is no UTF-8 was refused when it was read. */
    crm_json_put(&object, "scenario",
                 source->scenario != NULL ? json_string(source->scenario) : json_null());
    if (source->solver != NULL) {
        crm_json_put(&object, "arguments", arguments_of(source));
    }
    return object;
}
