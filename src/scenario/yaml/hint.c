/* What people write who know YAML by its looks. */
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "scenario/yaml/tree.h"

enum { LINE_MOST = 256 };

/* Letters, digits and underscores at its beginning. */
static size_t name_length(const char *text)
{
    size_t length = 0;
    while (crm_isalnum(text[length]) || text[length] == '_') {
        length++;
    }
    return crm_isalpha(text[0]) ? length : 0;
}

/* The value without what is around it. */
static void trim(const char *from, char *value, size_t size)
{
    from += strspn(from, " \t");
    snprintf(value, size, "%.*s", (int)strcspn(from, "#,}\n"), from);
    for (size_t end = strlen(value); end > 0 && crm_isspace(value[end - 1]); end--) {
        value[end - 1] = '\0';
    }
}

bool crm_yaml_hint(const char *text, char *hint, size_t size)
{
    size_t name = name_length(text), gap = strspn(text + name, " ");
    char value[40];
    if (name == 0) {
        return false;
    }
    if (text[name] == ':' && text[name + 1] != '\0' && !crm_isspace(text[name + 1])) {
        trim(text + name + 1, value, sizeof value);
        snprintf(hint, size, "write a space after the colon: '%.*s: %s'", (int)name, text, value);
        return true;
    }
    if (text[name + gap] == '=') {
        trim(text + name + gap + 1, value, sizeof value);
        snprintf(hint, size, "write a colon instead of '=': '%.*s: %s'", (int)name, text, value);
        return true;
    }
    return false;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* Line `number`, from 0, cut if it is long; false: there is none. */
static bool copy_line(const char *text, size_t length, size_t number, char line[LINE_MOST])
{
    size_t at = 0;
    for (; number > 0 && at < length; at++) {
        number -= text[at] == '\n';
    }
    const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
    size_t size = end != NULL ? (size_t)(end - (text + at)) : length - at;
    size = size < LINE_MOST ? size : LINE_MOST - 1;
    memcpy(line, text + at, size);
    line[size] = '\0';
    return number == 0;
}

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

/* A field that has its value already, after a colon and a space. */
static bool has_value(const char *line)
{
    const char *colon = strstr(line, ": ");
    return colon != NULL && colon[2 + strspn(colon + 2, " ")] != '\0' &&
           colon[2 + strspn(colon + 2, " ")] != '#';
}

/* What the last line above with something in it makes of this one. */
static bool hint_above(const char *text, size_t length, size_t line, const char *here, char *hint,
                       size_t size)
{
    char above[LINE_MOST], words[160];
    for (size_t i = line; i-- > 0 && copy_line(text, length, i, above);) {
        const char *bare = above + strspn(above, " -{");
        if (bare[0] == '\0' || bare[0] == '#') {
            continue;
        }
        if (crm_yaml_hint(bare, words, sizeof words)) {
            snprintf(hint, size, "in line %zu %s", i + 1, words);
            return true;
        }
        size_t name = name_length(bare);
        if (name > 0 && bare[name + strspn(bare + name, " ")] == '\0') {
            snprintf(hint, size, "in line %zu write a colon after '%.*s'", i + 1, (int)name, bare);
            return true;
        }
        if (has_value(above) && indent_of(here) > indent_of(above)) {
            snprintf(hint, size, "it is indented further than line %zu, which has a value already",
                     i + 1);
            return true;
        }
        return false;
    }
    return false;
}

/* A word such as velocity[1] without quotes, within a mapping or list in brackets; or NULL. */
static const char *bracketed_word(const char *line)
{
    const char *brace = strpbrk(line, "{[");
    for (const char *at = brace; at != NULL && (at = strchr(at + 1, '[')) != NULL;) {
        const char *word = at;
        while (word > brace && (crm_isalnum(word[-1]) || strchr("_.", word[-1]) != NULL)) {
            word--;
        }
        if (crm_isalpha(*word) && strchr("\"'", word[-1]) == NULL) {
            return word;
        }
    }
    return NULL;
}

bool crm_yaml_hint_at(const char *text, size_t length, size_t line, char *hint, size_t size)
{
    char here[LINE_MOST], words[160];
    if (!copy_line(text, length, line, here)) {
        return false;
    }
    if (here[strspn(here, " ")] == '\t') {
        snprintf(hint, size, "there is a tab before it; indent with spaces");
        return true;
    }
    if (crm_yaml_hint(here + strspn(here, " -{"), words, sizeof words)) {
        snprintf(hint, size, "%s", words);
        return true;
    }
    const char *bare = bracketed_word(here);
    if (bare != NULL) {
        snprintf(hint, size, "write quotes around '%.*s'", (int)(strcspn(bare, "]") + 1), bare);
        return true;
    }
    return hint_above(text, length, line, here, hint, size);
}
