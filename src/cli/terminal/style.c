/* How output looks on a terminal. */
#define _XOPEN_SOURCE 700 /* isatty */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

enum { WIDTH_LEAST = 60, WIDTH_MOST = 240 };

static bool is_given(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* The first of these that is set says which characters the terminal takes. */
static bool takes_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (is_given(value)) {
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                   strstr(value, "UTF8") != NULL || strstr(value, "utf-8") != NULL;
        }
    }
    return false;
}

static int terminal_width(int terminal, int standard)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = is_given(columns) ? strtol(columns, NULL, 10) : 0;
    if (width <= 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    if (width <= 0) {
        return standard;
    }
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (int)width;
}

static int terminal_height(int terminal)
{
    struct winsize size;
    const char *lines = getenv("LINES");
    long height = is_given(lines) ? strtol(lines, NULL, 10) : 0;
    if (height <= 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0) {
        height = size.ws_row;
    }
    return height > 0 && height < INT_MAX ? (int)height : 0;
}

bool crm_terminal_shows(FILE *stream)
{
    return (stream == stdout && isatty(STDOUT_FILENO)) ||
           (stream == stderr && isatty(STDERR_FILENO));
}

static crm_style stream_style(FILE *stream)
{
    crm_style style = crm_report_style_plain();
    const char *terminal = getenv("TERM");
    bool dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
    if (crm_terminal_shows(stream)) {
        style.colour = !is_given(getenv("NO_COLOR")) && !dumb;
        style.bars = takes_utf8() && !dumb;
        style.width = terminal_width(fileno(stream), style.width);
    }
    return style;
}

crm_style crm_style_of_output(const crm_output *output)
{
    return stream_style(output->stream);
}

int crm_terminal_height(FILE *stream)
{
    return crm_terminal_shows(stream) ? terminal_height(fileno(stream)) : 0;
}

int crm_terminal_width(FILE *stream)
{
    return stream_style(stream).width;
}
