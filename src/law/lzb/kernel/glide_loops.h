/* Coasting on a line: the loops of glide.c, for each width of vectors (base/loops.h). `turn` is the
 * number of the substep.
 */

static void WIDE(place_linear)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        place(&y->bundle[l], y->guess + at, y->lack + at, y->force + at, LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(place_hertz)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        place(&y->bundle[l], y->guess + at, y->lack + at, y->force + at, LZB_HERTZ);
    }
    (void)turn;
}

static void WIDE(swing_linear)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force + at, y->lack + at, y->guess + at, LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(swing_hertz)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        swing(&y->bundle[l], y->force + at, y->lack + at, y->guess + at, LZB_HERTZ);
    }
    (void)turn;
}

INLINE void WIDE(jump_all)(const glide *y, size_t first, size_t last, unsigned turn, lzb_kind kind)
{
    uint32_t *leaving = y->leaving[turn % 2] + first, count = 0;
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        jump(&y->bundle[l], y->force + at, y->guess + at, kind);
        leaving[count] = (uint32_t)l;
        count += has_leaving(&y->bundle[l]);
    }
    y->left[turn % 2][first] = count;
}

static void WIDE(jump_linear)(const glide *y, size_t first, size_t last, unsigned turn)
{
    WIDE(jump_all)(y, first, last, turn, LZB_LINEAR);
}

static void WIDE(jump_hertz)(const glide *y, size_t first, size_t last, unsigned turn)
{
    WIDE(jump_all)(y, first, last, turn, LZB_HERTZ);
}

INLINE void WIDE(let_all_go)(const glide *y, size_t first, unsigned turn, lzb_kind kind)
{
    const uint32_t *leaving = y->leaving[turn % 2] + first, count = y->left[turn % 2][first];
    const uint32_t *before = y->leaving[1 - turn % 2] + first, done = y->left[1 - turn % 2][first];
    for (size_t n = 0; n < done; n++) {
        size_t at = before[n] * LZB_BUNDLE;
        stay(y->lack + at, y->ease + at);
    }
    for (size_t n = 0; n < count; n++) {
        size_t l = leaving[n], at = l * LZB_BUNDLE;
        let_go(&y->bundle[l], y->force + at, y->lack + at, y->ease + at, kind);
    }
}

static void WIDE(let_go_linear)(const glide *y, size_t first, size_t last, unsigned turn)
{
    WIDE(let_all_go)(y, first, turn, LZB_LINEAR);
    (void)last;
}

static void WIDE(let_go_hertz)(const glide *y, size_t first, size_t last, unsigned turn)
{
    WIDE(let_all_go)(y, first, turn, LZB_HERTZ);
    (void)last;
}

static void WIDE(make_way_linear)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->guess + at, y->lack + at, y->ease + at, y->force + at,
                 LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(make_way_hertz)(const glide *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_BUNDLE; l < last; l++, at += LZB_BUNDLE) {
        make_way(&y->bundle[l], y->guess + at, y->lack + at, y->ease + at, y->force + at,
                 LZB_HERTZ);
    }
    (void)turn;
}
