/* Coasting on a line: the loops of glide.c, for each width of vectors (base/loops.h). `from` says
 * which forces are those of now.
 */

static void WIDE(swing_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force[from] + at, y->force[1 - from] + at, LZB_LINEAR);
    }
}

static void WIDE(swing_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force[from] + at, y->force[1 - from] + at, LZB_HERTZ);
    }
}

static void WIDE(jump_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        jump(&y->bundle[l], y->force[from] + at, y->lack[from] + at, y->lack[1 - from] + at,
             y->ease + at, LZB_LINEAR);
    }
}

static void WIDE(jump_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        jump(&y->bundle[l], y->force[from] + at, y->lack[from] + at, y->lack[1 - from] + at,
             y->ease + at, LZB_HERTZ);
    }
}

static void WIDE(make_way_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->ease + at, y->force[1 - from] + at, LZB_LINEAR);
    }
}

static void WIDE(make_way_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->ease + at, y->force[1 - from] + at, LZB_HERTZ);
    }
}
