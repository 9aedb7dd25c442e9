/* Coasting on a line: the loops of glide.c, for each width of vectors (base/loops.h). `from` says
 * which impulses are those of the substep before.
 */

static void WIDE(place_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        place(&y->bundle[l], y->guess + at, y->force + at, LZB_LINEAR);
    }
    (void)from;
}

static void WIDE(place_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        place(&y->bundle[l], y->guess + at, y->force + at, LZB_HERTZ);
    }
    (void)from;
}

static void WIDE(swing_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force + at, y->lack[from] + at, y->lack[1 - from] + at,
              y->guess + at, LZB_LINEAR);
    }
}

static void WIDE(swing_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force + at, y->lack[from] + at, y->lack[1 - from] + at,
              y->guess + at, LZB_HERTZ);
    }
}

static void WIDE(jumps)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        y->leaves[l] = jump(&y->bundle[l], y->force + at, y->lack[from] + at,
                            y->lack[1 - from] + at, y->ease + at, y->gone + at);
    }
}

static void WIDE(let_go_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    uint32_t *leaving = y->leaving + first;
    size_t count = list_leaving(y, first, last);
    for (size_t n = 0; n < count; n++) {
        size_t l = leaving[n], at = l * LZB_BUNDLE;
        let_go(&y->bundle[l], y->force + at, y->gone + at, y->lack[1 - from] + at, y->ease + at,
               LZB_LINEAR);
    }
}

static void WIDE(let_go_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    uint32_t *leaving = y->leaving + first;
    size_t count = list_leaving(y, first, last);
    for (size_t n = 0; n < count; n++) {
        size_t l = leaving[n], at = l * LZB_BUNDLE;
        let_go(&y->bundle[l], y->force + at, y->gone + at, y->lack[1 - from] + at, y->ease + at,
               LZB_HERTZ);
    }
}

static void WIDE(make_way_linear)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->ease + at, y->guess + at, LZB_LINEAR);
    }
    (void)from;
}

static void WIDE(make_way_hertz)(const glide *y, size_t first, size_t last, unsigned from)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->ease + at, y->guess + at, LZB_HERTZ);
    }
    (void)from;
}
