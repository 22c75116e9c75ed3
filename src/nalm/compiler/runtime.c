/* What all compiled loops share: random numbers of LANES seeds at once, and the loop over iterations. */
#define ROTATE(x, r) (((x) << (r)) | ((x) >> (32 - (r))))
#define UNIFORM(x) (v_real((whole)((x) >> 8)) * 0x1p-24f)

/* Threefry-2x32 with 20 rounds (Salmon et al., SC 2011) of the counter (iteration, j), keyed by (seed, stream). */
#define ROUND(r) x0 += x1; x1 = ROTATE(x1, r) ^ x0;
#define EVEN ROUND(13) ROUND(15) ROUND(26) ROUND(6)
#define ODD ROUND(17) ROUND(29) ROUND(16) ROUND(24)
#define INJECT(a, b, n) x0 += a; x1 += b + n;
#define WORDS(j) \
    word x0 = first, x1 = (word){0} + (uint32_t)(j) + k1; \
    EVEN INJECT(k1, k2, 1u) ODD INJECT(k2, k0, 2u) EVEN INJECT(k0, k1, 3u) ODD INJECT(k1, k2, 4u) EVEN INJECT(k2, k0, 5u)
/* Rows of more numbers come from sixteen xoshiro128++ generators, which Threefry starts. */
#define LONGEST_SHORT 2048
#define GENERATORS 16

/* A row may be a matrix [rows, columns] that is kept by columns: where its numbers go, one after the other. */
struct cursor { long place, row; };
INLINE struct cursor at(long j, long rows, long columns)
{
    return (struct cursor){j % columns * rows + j / columns, j / columns};
}
INLINE real *next(struct cursor *c, long rows, long columns, real *out)
{
    real *here = out + c->place;
    c->place += rows;
    if (c->place >= rows * columns)
        c->place = ++c->row;
    return here;
}

struct generator { word s0, s1, s2, s3; };
INLINE real draw(struct generator *g)
{
    const word sum = g->s0 + g->s3, w = ROTATE(sum, 7) + g->s0, shifted = g->s1 << 9;
    g->s2 ^= g->s0;
    g->s3 ^= g->s1;
    g->s1 ^= g->s2;
    g->s0 ^= g->s3;
    g->s2 ^= shifted;
    g->s3 = ROTATE(g->s3, 11);
    return UNIFORM(w);
}

static void uniform_row(const int32_t *seeds, uint32_t stream, uint32_t iteration, long rows, long columns, real *out)
{
    word k0;
    __builtin_memcpy(&k0, seeds, sizeof k0);
    const word k1 = (word){0} + stream, k2 = k0 ^ k1 ^ 0x1BD11BDAu, first = k0 + iteration;
    const long count = rows * columns;
    if (count <= LONGEST_SHORT) {
        /* Words 0 of the counters are the first half of a row, words 1 the second. */
        const long pairs = count / 2, half = count - pairs;
        struct cursor a = at(0, rows, columns), b = at(half, rows, columns);
        for (long j = 0; j < pairs; j++) {
            WORDS(j)
            *next(&a, rows, columns, out) = UNIFORM(x0);
            *next(&b, rows, columns, out) = UNIFORM(x1);
        }
        if (half > pairs) {
            WORDS(pairs)
            *next(&a, rows, columns, out) = UNIFORM(x0);
        }
        return;
    }
    struct generator g[GENERATORS];
    for (int k = 0; k < GENERATORS; k++) {
        { WORDS(k) g[k].s0 = x0; g[k].s2 = x1; }
        { WORDS(GENERATORS + k) g[k].s1 = x0; g[k].s3 = x1; }
    }
    if (columns % GENERATORS) {
        struct cursor c = at(0, rows, columns);
        for (long j = 0; j < count; j++)
            *next(&c, rows, columns, out) = draw(g + j % GENERATORS);
        return;
    }
    /* A generator makes every sixteenth column; two at a time, so that neither waits for itself. */
    for (int k = 0; k < GENERATORS; k += 2) {
        struct generator a = g[k], b = g[k + 1];
        for (long i = 0; i < rows; i++)
            for (long column = k; column < columns; column += GENERATORS) {
                out[column * rows + i] = draw(&a);
                out[(column + 1) * rows + i] = draw(&b);
            }
    }
}

/* Standard normals by the Box-Muller transform of the row's first and second half. */
static void normal_row(const int32_t *seeds, uint32_t stream, uint32_t iteration, long rows, long columns, real *out, real *scratch)
{
    const long count = rows * columns;
    struct cursor c = at(0, rows, columns);
    uniform_row(seeds, stream, iteration, 1, 2 * count, scratch);
    for (long j = 0; j < count; j++) {
        const real radius = v_sqrt(-2.0f * o_log1p(-scratch[j]));
        *next(&c, rows, columns, out) = radius * o_cos(6.283185307179586f * scratch[count + j]);
    }
}

/* out[t][s][j] of any number of seeds; `lanes` holds three rows. */
void nalm_numbers(const int32_t *seeds, long n_seeds, uint32_t stream, uint32_t start, long iterations, long count,
                  int normal, real *lanes, float *out)
{
    for (long s = 0; s < n_seeds; s += LANES) {
        int32_t own[LANES];
        for (int l = 0; l < LANES; l++)
            own[l] = seeds[s + l < n_seeds ? s + l : s];
        for (long t = 0; t < iterations; t++) {
            if (normal)
                normal_row(own, stream, start + t, 1, count, lanes, lanes + count);
            else
                uniform_row(own, stream, start + t, 1, count, lanes);
            for (int l = 0; l < LANES && s + l < n_seeds; l++)
                for (long j = 0; j < count; j++)
                    out[(t * n_seeds + s + l) * count + j] = ((float *)lanes)[j * LANES + l];
        }
    }
}

typedef void kernel(void *const *pointers, void *work);
struct draw { long stream, normal, rows, columns, place; };
/* What an iteration reads besides state and settings: numbers at `place` among those drawn (kind 0), a row of a
 * table that all lanes share (kind 1), or rows of a table, one for each lane (kind 2) or the same for all (kind 3),
 * put together at `place`. */
struct entry { long kind, pointer, place, stride, count; const char *table; const long *rows; };
/* A job that makes a batch has no state, and its result goes to `made` among the numbers drawn; other jobs have -1. */
struct job { kernel *run; void *states[2]; const void *settings; long made, entries; const struct entry *entry; };
/* Jobs whose lanes have the same seeds. If `lanes` is given, a lane's numbers are those drawn in that lane. */
struct block { const int32_t *lanes; long n_jobs; const struct job *jobs; };
#define MOST_POINTERS 64

/* One iteration of a job, whose random numbers are at `drawn`. */
static void run_job(const struct job *job, long t, real *drawn, int32_t *packed, void *work)
{
    void *pointers[MOST_POINTERS] = {job->states[t % 2], job->states[(t + 1) % 2], (void *)job->settings};
    if (job->made >= 0)
        pointers[1] = drawn + job->made;
    for (long e = 0; e < job->entries; e++) {
        const struct entry *own = job->entry + e;
        if (own->kind == 0) {
            pointers[own->pointer] = drawn + own->place;
            continue;
        }
        const int32_t *row = (const int32_t *)(own->table + t * own->stride);
        if (own->kind == 1) {
            pointers[own->pointer] = (void *)row;
            continue;
        }
        int32_t *to = pointers[own->pointer] = packed + own->place * LANES;
        for (long i = 0; i < own->count; i++)
            if (own->kind == 3)
                ((whole *)to)[i] = SPLAT_WHOLE(row[own->rows[0] * own->count + i]);
            else
                for (int l = 0; l < LANES; l++)
                    to[i * LANES + l] = row[own->rows[l] * own->count + i];
    }
    job->run(pointers, work);
}

/* Iterations `first` to `first + count` of blocks whose random numbers are drawn at once: each has those of `tile`
 * iterations, `drawn_size` numbers each, and after them is room for those of one. */
void nalm_drive(const int32_t *seeds, long first, long count, long tile, long n_draws, const struct draw *draws,
                real *drawn, long drawn_size, real *scratch, long n_blocks, const struct block *blocks,
                int32_t *packed, void *work)
{
    real *const one = drawn + n_blocks * tile * drawn_size;
    for (long t = 0; t < count; t += tile) {
        const long here = count - t < tile ? count - t : tile;
        for (long k = 0; k < here; k++)
            for (long d = 0; d < n_draws; d++) {
                const struct draw *own = draws + d;
                real *out = (blocks->lanes ? one : drawn + k * drawn_size) + own->place;
                if (own->normal)
                    normal_row(seeds, own->stream, first + t + k, own->rows, own->columns, out, scratch);
                else
                    uniform_row(seeds, own->stream, first + t + k, own->rows, own->columns, out);
                for (long b = 0; b < n_blocks && blocks->lanes; b++) {
                    real *to = drawn + (b * tile + k) * drawn_size + own->place;
                    whole from;
                    __builtin_memcpy(&from, blocks[b].lanes, sizeof from);
                    for (long i = 0; i < own->rows * own->columns; i++)
                        to[i] = v_from_lanes(out[i], from);
                }
            }
        for (long b = 0; b < n_blocks; b++)
            for (long j = 0; j < blocks[b].n_jobs; j++)
                for (long k = 0; k < here; k++)
                    run_job(blocks[b].jobs + j, t + k, drawn + (b * tile + k) * drawn_size, packed, work);
    }
}

/* A kernel on several sets of pointers. */
void nalm_each(kernel *run, long times, long n_pointers, void *const *pointers, void *work)
{
    for (long k = 0; k < times; k++)
        run(pointers + k * n_pointers, work);
}
