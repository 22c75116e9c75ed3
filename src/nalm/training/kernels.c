/* The engine's random numbers on [0, 1), samples made of them, and weighted sums over many inputs.
 *
 * Plain loops, so that the compiler vectorises them; sums keep several vectors at work at once. */
#include <stdint.h>

#define ROTATE(x, r) (((x) << (r)) | ((x) >> (32 - (r))))
#define UNIFORM(x) ((float)(int32_t)((x) >> 8) * 0x1p-24f)

/* Threefry-2x32 with 20 rounds (Salmon et al., SC 2011) of the counter (first - k0, j). */
#define ROUND(r) x0 += x1; x1 = ROTATE(x1, r) ^ x0;
#define EVEN ROUND(13) ROUND(15) ROUND(26) ROUND(6)
#define ODD ROUND(17) ROUND(29) ROUND(16) ROUND(24)
#define INJECT(a, b, n) x0 += a; x1 += b + n;
#define WORDS(j) \
    uint32_t x0 = first, x1 = (uint32_t)(j) + k1; \
    EVEN INJECT(k1, k2, 1u) ODD INJECT(k2, k0, 2u) EVEN INJECT(k0, k1, 3u) ODD INJECT(k1, k2, 4u) EVEN INJECT(k2, k0, 5u)

/* Words 0 of the counters fill the first half of a row, words 1 the second. */
static void short_row(uint32_t k0, uint32_t k1, uint32_t iteration, int64_t count, float *restrict row)
{
    const uint32_t k2 = k0 ^ k1 ^ 0x1BD11BDAu, first = iteration + k0;
    const int64_t pairs = count / 2, half = count - pairs;
    for (int64_t j = 0; j < pairs; j++) {
        WORDS(j)
        row[j] = UNIFORM(x0);
        row[half + j] = UNIFORM(x1);
    }
    if (half > pairs) {
        WORDS(pairs)
        row[pairs] = UNIFORM(x0);
    }
}

/* xoshiro128++ (Blackman & Vigna, TOMS 2021) in lanes side by side, each started by Threefry. */
#define LANES 16
#define WIDTH 8
typedef uint32_t words __attribute__((vector_size(4 * WIDTH)));
typedef int32_t integers __attribute__((vector_size(4 * WIDTH)));
typedef float floats __attribute__((vector_size(4 * WIDTH), aligned(4)));
typedef struct { words s0[LANES / WIDTH], s1[LANES / WIDTH], s2[LANES / WIDTH], s3[LANES / WIDTH]; } generator;

static void start(generator *g, uint32_t k0, uint32_t k1, uint32_t iteration)
{
    const uint32_t k2 = k0 ^ k1 ^ 0x1BD11BDAu, first = iteration + k0;
    for (int l = 0; l < LANES; l++) {
        { WORDS(l) g->s0[l / WIDTH][l % WIDTH] = x0; g->s2[l / WIDTH][l % WIDTH] = x1; }
        { WORDS(LANES + l) g->s1[l / WIDTH][l % WIDTH] = x0; g->s3[l / WIDTH][l % WIDTH] = x1; }
    }
}

#define STEP(s0, s1, s2, s3, out) { \
        const words sum = s0 + s3, word = ROTATE(sum, 7) + s0, shifted = s1 << 9; \
        s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; \
        s2 ^= shifted; s3 = ROTATE(s3, 11); \
        *(floats *)(out) = __builtin_convertvector((integers)(word >> 8), floats) * 0x1p-24f; \
    }

/* The next `count` numbers, a multiple of LANES. The state is in registers: twice as fast as arrays of lanes. */
static void next(generator *g, int64_t count, float *restrict out)
{
    words a0 = g->s0[0], a1 = g->s1[0], a2 = g->s2[0], a3 = g->s3[0];
    words b0 = g->s0[1], b1 = g->s1[1], b2 = g->s2[1], b3 = g->s3[1];
    for (int64_t k = 0; k < count; k += LANES) {
        STEP(a0, a1, a2, a3, out + k)
        STEP(b0, b1, b2, b3, out + k + WIDTH)
    }
    *g = (generator){{a0, b0}, {a1, b1}, {a2, b2}, {a3, b3}};
}

/* The last numbers of a row, or a part of it that is a multiple of LANES long. */
static void take(generator *g, int64_t count, float *restrict out)
{
    const int64_t full = count / LANES * LANES;
    next(g, full, out);
    if (full < count) {
        float last[LANES];
        next(g, LANES, last);
        for (int64_t k = full; k < count; k++)
            out[k] = last[k - full];
    }
}

static void long_row(uint32_t k0, uint32_t k1, uint32_t iteration, int64_t count, float *restrict row)
{
    generator g;
    start(&g, k0, k1, iteration);
    take(&g, count, row);
}

/* out[t][s][j], t < iterations, s < seeds, j < count. */
void nalm_uniforms(const int32_t *seeds, int64_t n_seeds, uint32_t stream, uint32_t start, int64_t iterations,
                   int64_t count, int64_t longest_short, float *restrict out)
{
    void (*fill)(uint32_t, uint32_t, uint32_t, int64_t, float *) = count > longest_short ? long_row : short_row;
    for (int64_t t = 0; t < iterations; t++)
        for (int64_t s = 0; s < n_seeds; s++)
            fill((uint32_t)seeds[s], stream, start + (uint32_t)t, count, out + (t * n_seeds + s) * count);
}

static void add(float factor, const float *restrict x, int64_t batch, float *restrict sum)
{
    if (factor != 0)
        for (int64_t b = 0; b < batch; b++)
            sum[b] += factor * x[b];
}

/* x[i][b] becomes low[i] + width[i] x[i][b]; the sums over either operand gain it. */
static void scale_and_sum(float *restrict x, int64_t inputs, int64_t batch, const float *low, const float *width,
                          float for_zero, const float *operand_1, const float *operand_2, float *restrict sum_1,
                          float *restrict sum_2)
{
    for (int64_t i = 0; i < inputs; i++, x += batch) {
        for (int64_t b = 0; b < batch; b++) {
            const float scaled = low[i] + width[i] * x[b];
            x[b] = scaled == 0 ? for_zero : scaled;
        }
        add(operand_1[i], x, batch, sum_1);
        add(operand_2[i], x, batch, sum_2);
    }
}

/* Samples x[r][i][b] of the busy runs and their operands sums[k][r][b]. Long rows are made in parts that stay in
 * the innermost cache until they are summed up. */
void nalm_samples(const int32_t *seeds, int64_t runs, uint32_t stream, uint32_t iteration, int64_t busy,
                  int64_t inputs, int64_t batch, int64_t longest_short, const float *low, const float *width,
                  const float *for_zero, const float *operands, float *x, float *sums)
{
    const int64_t is_long = inputs * batch > longest_short, part = is_long ? LANES : inputs;
    for (int64_t r = 0; r < busy; r++) {
        float *row = x + r * inputs * batch, *sum_1 = sums + r * batch, *sum_2 = sum_1 + runs * batch;
        const uint32_t seed = (uint32_t)seeds[r];
        generator g;
        if (is_long)
            start(&g, seed, stream, iteration);
        else
            short_row(seed, stream, iteration, inputs * batch, row);
        for (int64_t b = 0; b < batch; b++)
            sum_1[b] = sum_2[b] = 0;
        for (int64_t i = 0; i < inputs; i += part) {
            const int64_t rows = inputs - i < part ? inputs - i : part, own = r * inputs + i;
            const float *operand_1 = operands + r * inputs + own;
            if (is_long)
                take(&g, rows * batch, row + i * batch);
            scale_and_sum(row + i * batch, rows, batch, low + own, width + own, for_zero[r], operand_1,
                          operand_1 + inputs, sum_1, sum_2);
        }
    }
}

#define INLINE static inline __attribute__((always_inline))
#define VECTORS 4
#define TILE (VECTORS * WIDTH)

/* For `outputs` neurons, a constant in every call, and samples b from `start` to `stop` of one run:
 * sums[o][b] = sum over i of weight[o][i] x[i][b]. */
INLINE void sum_up(const int64_t outputs, int64_t inputs, int64_t batch, int64_t start, int64_t stop, const float *x,
                   const float *weight, float *restrict sums)
{
    if (stop - start == TILE) {
        floats total[2][VECTORS] = {{{0}}};
        for (int64_t i = 0; i < inputs; i++)
            for (int64_t v = 0; v < VECTORS; v++) {
                const floats value = *(const floats *)(x + i * batch + start + v * WIDTH);
                for (int64_t o = 0; o < outputs; o++)
                    total[o][v] += value * weight[o * inputs + i];
            }
        for (int64_t o = 0; o < outputs; o++)
            for (int64_t v = 0; v < VECTORS; v++)
                *(floats *)(sums + o * batch + start + v * WIDTH) = total[o][v];
    } else
        for (int64_t o = 0; o < outputs; o++)
            for (int64_t b = start; b < stop; b++) {
                float total = 0;
                for (int64_t i = 0; i < inputs; i++)
                    total += x[i * batch + b] * weight[o * inputs + i];
                sums[o * batch + b] = total;
            }
}

/* sums[r][o][b] = sum over i of weight[r][o][i] x[r][i][b]. A tile of samples stays in the cache for all outputs. */
void nalm_weighted_sums(int64_t runs, int64_t outputs, int64_t inputs, int64_t batch, const float *x,
                        const float *weight, float *restrict sums)
{
    const int64_t pairs = outputs / 2 * 2;
    for (int64_t r = 0; r < runs; r++, x += inputs * batch, weight += outputs * inputs, sums += outputs * batch)
        for (int64_t b = 0; b < batch; b += TILE) {
            const int64_t stop = batch - b < TILE ? batch : b + TILE;
            for (int64_t o = 0; o < pairs; o += 2)
                sum_up(2, inputs, batch, b, stop, x, weight + o * inputs, sums + o * batch);
            if (pairs < outputs)
                sum_up(1, inputs, batch, b, stop, x, weight + pairs * inputs, sums + pairs * batch);
        }
}

/* For `outputs` neurons and `rows` inputs, constants in every call: gradient[o][i] = sum over b of
 * upstream[o][b] x[i][b]. */
INLINE void multiply_out(const int64_t outputs, const int64_t rows, int64_t inputs, int64_t batch, const float *x,
                         const float *upstream, float *restrict gradient)
{
    const int64_t full = batch / WIDTH * WIDTH;
    floats total[2][VECTORS] = {{{0}}};
    for (int64_t b = 0; b < full; b += WIDTH)
        for (int64_t o = 0; o < outputs; o++) {
            const floats factor = *(const floats *)(upstream + o * batch + b);
            for (int64_t i = 0; i < rows; i++)
                total[o][i] += factor * *(const floats *)(x + i * batch + b);
        }
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t i = 0; i < rows; i++) {
            float sum = 0;
            for (int64_t l = 0; l < WIDTH; l++)
                sum += total[o][i][l];
            for (int64_t b = full; b < batch; b++)
                sum += upstream[o * batch + b] * x[i * batch + b];
            gradient[o * inputs + i] = sum;
        }
}

/* gradient[r][o][i] = sum over b of upstream[r][o][b] x[r][i][b]. */
void nalm_weight_gradients(int64_t runs, int64_t outputs, int64_t inputs, int64_t batch, const float *x,
                           const float *upstream, float *restrict gradient)
{
    for (int64_t r = 0; r < runs; r++, x += inputs * batch)
        for (int64_t o = 0, n; o < outputs; o += n, upstream += n * batch, gradient += n * inputs) {
            n = outputs - o > 1 ? 2 : 1;
            for (int64_t i = 0, rows; i < inputs; i += rows) {
                rows = inputs - i < VECTORS ? 1 : VECTORS;
                const float *part = x + i * batch;
                if (n == 2 && rows == VECTORS)
                    multiply_out(2, VECTORS, inputs, batch, part, upstream, gradient + i);
                else if (n == 2)
                    multiply_out(2, 1, inputs, batch, part, upstream, gradient + i);
                else if (rows == VECTORS)
                    multiply_out(1, VECTORS, inputs, batch, part, upstream, gradient + i);
                else
                    multiply_out(1, 1, inputs, batch, part, upstream, gradient + i);
            }
        }
}
