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

static void long_row(uint32_t k0, uint32_t k1, uint32_t iteration, int64_t count, float *restrict row)
{
    generator g;
    float last[LANES];
    const int64_t full = count / LANES * LANES;
    start(&g, k0, k1, iteration);
    next(&g, full, row);
    next(&g, LANES, last);
    for (int64_t k = full; k < count; k++)
        row[k] = last[k - full];
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

/* x[i][b] becomes low[i] + width[i] x[i][b]; first[b] and second[b] the sums over either operand. */
static void scale_and_sum(float *restrict x, int64_t inputs, int64_t batch, const float *low, const float *width,
                          float for_zero, const float *operands, float *restrict first, float *restrict second)
{
    for (int64_t b = 0; b < batch; b++)
        first[b] = second[b] = 0;
    for (int64_t i = 0; i < inputs; i++, x += batch) {
        for (int64_t b = 0; b < batch; b++) {
            const float scaled = low[i] + width[i] * x[b];
            x[b] = scaled == 0 ? for_zero : scaled;
        }
        add(operands[i], x, batch, first);
        add(operands[inputs + i], x, batch, second);
    }
}

/* Samples x[t][r][i][b] of the busy runs and their operands sums[k][t][r][b], one run and iteration after the
 * other in the cache. */
void nalm_samples(const int32_t *seeds, int64_t runs, uint32_t stream, uint32_t start, int64_t iterations,
                  int64_t busy, int64_t inputs, int64_t batch, int64_t longest_short, const float *low,
                  const float *width, const float *for_zero, const float *operands, float *x, float *sums)
{
    const int64_t count = batch * inputs;
    for (int64_t t = 0; t < iterations; t++)
        for (int64_t r = 0; r < busy; r++) {
            const int64_t place = t * runs + r;
            float *row = x + place * count, *first = sums + place * batch;
            nalm_uniforms(seeds + r, 1, stream, start + (uint32_t)t, 1, count, longest_short, row);
            scale_and_sum(row, inputs, batch, low + r * inputs, width + r * inputs, for_zero[r],
                          operands + 2 * r * inputs, first, first + iterations * runs * batch);
        }
}

#define TILE (8 * WIDTH)

/* sums[r][o][b] = sum over i of weight[r][o][i] x[r][i][b]. */
void nalm_weighted_sums(int64_t runs, int64_t outputs, int64_t inputs, int64_t batch, const float *x,
                        const float *weight, float *restrict sums)
{
    const int64_t tiled = batch / TILE * TILE;
    for (int64_t k = 0; k < runs * outputs; k++, weight += inputs, sums += batch) {
        const float *own = x + k / outputs * inputs * batch;
        for (int64_t b = 0; b < tiled; b += TILE) {
            floats total[TILE / WIDTH] = {{0}};
            for (int64_t i = 0; i < inputs; i++) {
                const floats *row = (const floats *)(own + i * batch + b);
                for (int v = 0; v < TILE / WIDTH; v++)
                    total[v] += row[v] * weight[i];
            }
            for (int v = 0; v < TILE / WIDTH; v++)
                ((floats *)(sums + b))[v] = total[v];
        }
        for (int64_t b = tiled; b < batch; b++) {
            float total = 0;
            for (int64_t i = 0; i < inputs; i++)
                total += own[i * batch + b] * weight[i];
            sums[b] = total;
        }
    }
}

/* gradient[r][o][i] = sum over b of upstream[r][o][b] x[r][i][b]. */
void nalm_weight_gradients(int64_t runs, int64_t outputs, int64_t inputs, int64_t batch, const float *x,
                           const float *upstream, float *restrict gradient)
{
    for (int64_t k = 0; k < runs * outputs; k++, upstream += batch, gradient += inputs) {
        const float *row = x + k / outputs * inputs * batch;
        for (int64_t i = 0; i < inputs; i++, row += batch) {
            float total = 0;
            #pragma omp simd reduction(+ : total)
            for (int64_t b = 0; b < batch; b++)
                total += upstream[b] * row[b];
            gradient[i] = total;
        }
    }
}
