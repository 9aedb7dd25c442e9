#include "expressions.h"

#include <stdio.h>

static size_t draw(rng *r, size_t depth, char *text, size_t size);

static size_t draw_number(rng *r, char *text, size_t size)
{
    size_t whole = rng_below(r, 100), part = rng_below(r, 1000000);
    int length = 0;
    switch (rng_below(r, 5)) {
    case 0:
        length = snprintf(text, size, "pi");
        break;
    case 1:
        length = snprintf(text, size, "%zu", 1 + whole / 10);
        break;
    case 2:
        length = snprintf(text, size, "%zu.%06zu", whole, part);
        break;
    case 3:
        length = snprintf(text, size, "0.%zu", 1 + part % 99);
        break;
    default:
        length = snprintf(text, size, "%zu.%zue%d", 1 + whole / 10, part, (int)(part % 41) - 20);
    }
    return (size_t)length;
}

/* The operands go where the form has #. */
static size_t draw_form(rng *r, size_t depth, const char *form, char *text, size_t size)
{
    size_t length = 0;
    for (; *form != '\0' && length + 1 < size; form++) {
        if (*form == '#') {
            length += draw(r, depth, text + length, size - length);
        } else {
            text[length++] = *form;
        }
    }
    text[length] = '\0';
    return length;
}

static size_t draw(rng *r, size_t depth, char *text, size_t size)
{
    static const char *const forms[] = {
        "(#+#)",
        "(#-#)",
        "(#*#)",
        "(#/#)",
        "(-#)",
        "(#^2)",
        "(#^(-3))",
        "(abs(#)^0.3)",
        "(abs(#)^atan(#))",
        "sqrt(abs(#))",
        "cbrt(#)",
        "abs(#)",
        "sin((3.7*atan(#)))",
        "cos((8.7*atan(#)))",
        "tan((1.9*atan(#)))",
        "asin(sin((0.9*atan(#))))",
        "acos((0.9*cos(atan(#))))",
        "atan(#)",
        "exp((5*atan(#)))",
        "log(abs(#))",
    };
    enum { FORMS = sizeof forms / sizeof forms[0], ARITHMETIC = 5 };
    if (depth == 0 || rng_below(r, 5) == 0) {
        return draw_number(r, text, size);
    }
    size_t which = rng_below(r, rng_below(r, 2) == 0 ? ARITHMETIC : FORMS);
    return draw_form(r, depth - 1, forms[which], text, size);
}

void expression_draw(rng *r, char text[EXPRESSION_LONGEST])
{
    draw(r, 1 + rng_below(r, 4), text, EXPRESSION_LONGEST);
}
