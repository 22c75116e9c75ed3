/* Threefry-2x32 with 20 rounds (Salmon et al., SC 2011), as uniform numbers on [0, 1).
 *
 * out[t][s][j], t < iterations, s < seeds, j < count: word 0 of the counters (start + t, j) fills the first half
 * of a row, word 1 the second. Unsigned arithmetic in plain loops, so that the compiler vectorises it. */
#include <stdint.h>

#define ROTATE(x, r) (((x) << (r)) | ((x) >> (32 - (r))))
#define ROUND(r) x0 += x1; x1 = ROTATE(x1, r) ^ x0;
#define EVEN ROUND(13) ROUND(15) ROUND(26) ROUND(6)
#define ODD ROUND(17) ROUND(29) ROUND(16) ROUND(24)
#define INJECT(a, b, n) x0 += a; x1 += b + n;
#define WORDS(j) \
    uint32_t x0 = first, x1 = (uint32_t)(j) + k1; \
    EVEN INJECT(k1, k2, 1u) ODD INJECT(k2, k0, 2u) EVEN INJECT(k0, k1, 3u) ODD INJECT(k1, k2, 4u) EVEN INJECT(k2, k0, 5u)
#define UNIFORM(x) ((float)(int32_t)((x) >> 8) * 0x1p-24f)

void nalm_uniforms(const int32_t *seeds, int64_t n_seeds, uint32_t stream, uint32_t start, int64_t iterations,
                   int64_t count, float *restrict out)
{
    const int64_t pairs = count / 2, half = count - pairs;
    for (int64_t t = 0; t < iterations; t++)
        for (int64_t s = 0; s < n_seeds; s++) {
            const uint32_t k0 = (uint32_t)seeds[s], k1 = stream, k2 = k0 ^ k1 ^ 0x1BD11BDAu;
            const uint32_t first = start + (uint32_t)t + k0;
            float *row = out + (t * n_seeds + s) * count;
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
}
