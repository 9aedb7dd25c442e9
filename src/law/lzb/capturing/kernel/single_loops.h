/* Settling in single precision: the loops of single.c, for each width of vectors (base/loops.h).
 * `turn` is the number of the substep.
 */

static void WIDE(forces_linear)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        find_forces(&y->pack[l], y->guess + at, y->missing_impulse + at, y->force + at, LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(forces_hertz)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        find_forces(&y->pack[l], y->guess + at, y->missing_impulse + at, y->force + at, LZB_HERTZ);
    }
    (void)turn;
}

static void WIDE(bi_linear)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        substep_bi(&y->pack[l], y->force + at, y->missing_impulse + at, y->guess + at, LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(bi_hertz)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        substep_bi(&y->pack[l], y->force + at, y->missing_impulse + at, y->guess + at, LZB_HERTZ);
    }
    (void)turn;
}

INLINE void WIDE(mono_all)(const packed_line *y, size_t first, size_t last, unsigned turn,
                           lzb_kind kind)
{
    uint32_t *releasing = y->releasing[turn % 2] + first, count = 0;
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        substep_mono(&y->pack[l], y->force + at, y->guess + at, kind);
        releasing[count] = (uint32_t)l;
        count += has_release(&y->pack[l]);
    }
    y->releases[turn % 2][first] = count;
}

static void WIDE(mono_linear)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    WIDE(mono_all)(y, first, last, turn, LZB_LINEAR);
}

static void WIDE(mono_hertz)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    WIDE(mono_all)(y, first, last, turn, LZB_HERTZ);
}

INLINE void WIDE(find_releases)(const packed_line *y, size_t first, unsigned turn, lzb_kind kind)
{
    const uint32_t *releasing = y->releasing[turn % 2] + first,
                   count = y->releases[turn % 2][first];
    const uint32_t *before = y->releasing[1 - turn % 2] + first,
                   done = y->releases[1 - turn % 2][first];
    for (size_t n = 0; n < done; n++) {
        size_t at = before[n] * LZB_PACK;
        clear_release(y->missing_impulse + at, y->position_correction + at);
    }
    for (size_t n = 0; n < count; n++) {
        size_t l = releasing[n], at = l * LZB_PACK;
        release(&y->pack[l], y->force + at, y->missing_impulse + at, y->position_correction + at,
                kind);
    }
}

static void WIDE(release_linear)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    WIDE(find_releases)(y, first, turn, LZB_LINEAR);
    (void)last;
}

static void WIDE(release_hertz)(const packed_line *y, size_t first, size_t last, unsigned turn)
{
    WIDE(find_releases)(y, first, turn, LZB_HERTZ);
    (void)last;
}

static void WIDE(apply_release_linear)(const packed_line *y, size_t first, size_t last,
                                       unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        apply_release(&y->pack[l], y->guess + at, y->missing_impulse + at,
                      y->position_correction + at, y->force + at, LZB_LINEAR);
    }
    (void)turn;
}

static void WIDE(apply_release_hertz)(const packed_line *y, size_t first, size_t last,
                                      unsigned turn)
{
    for (size_t l = first, at = l * LZB_PACK; l < last; l++, at += LZB_PACK) {
        apply_release(&y->pack[l], y->guess + at, y->missing_impulse + at,
                      y->position_correction + at, y->force + at, LZB_HERTZ);
    }
    (void)turn;
}
