/* A convolution, the largest of every 2 by 2 results, and ReLU: what the pool left out has no gradient.

   Tensors have their channels last. INPUTS, OUTPUTS and KERNEL are defined before this text. A row of a kernel,
   KERNEL times INPUTS numbers that lie side by side, is filled up to whole vectors of eight: weights with zeros,
   gradients of weights with numbers nobody reads. Inputs, and their gradients, are followed by as many numbers,
   which are read and written like the others: nothing but zeros is added to them. */

typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));

enum { ROW = KERNEL * INPUTS, VECTORS = (ROW + 7) / 8, FILLED = 8 * VECTORS, MOST = 64, NONE = 4 };

/* results [n, h, w, OUTPUTS] -> largest [n, h/2, w/2, OUTPUTS], not below 0, and which of the four it was. */
void pool(long n, long h, long w, const float *restrict results, float *restrict largest,
          unsigned char *restrict which)
{
    long down = h / 2, across = w / 2;
    for (long k = 0; k < n * down; ++k) {
        const float *above = results + (k / down * h + 2 * (k % down)) * w * OUTPUTS;
        for (long x = 0; x < across; ++x) {
            const float *a = above + 2 * x * OUTPUTS, *c = a + w * OUTPUTS;
            float *out = largest + (k * across + x) * OUTPUTS;
            unsigned char *at = which + (k * across + x) * OUTPUTS;
            for (int o = 0; o < OUTPUTS; ++o) {
                float best = a[o];
                int place = 0;
                place = a[o + OUTPUTS] > best ? 1 : place;
                best = a[o + OUTPUTS] > best ? a[o + OUTPUTS] : best;
                place = c[o] > best ? 2 : place;
                best = c[o] > best ? c[o] : best;
                place = c[o + OUTPUTS] > best ? 3 : place;
                best = c[o + OUTPUTS] > best ? c[o + OUTPUTS] : best;
                out[o] = best > 0 ? best : 0;
                at[o] = best > 0 ? place : NONE;
            }
        }
    }
}

/* Gradients of the weights [OUTPUTS, KERNEL, FILLED], the biases, and of the inputs unless dx is null; all are
   added to. There are at most MOST results in a row of the pool. */
void back(long n, long h, long w, const float *restrict x, const float *restrict weight,
          const float *restrict gradient, const unsigned char *restrict which, float *restrict dx,
          float *restrict dweight, float *restrict dbias)
{
    long down = (h - KERNEL + 1) / 2, across = (w - KERNEL + 1) / 2;
    for (long k = 0; k < n * down; ++k) {
        long top = (k / down * h + 2 * (k % down)) * w;
        const float *g = gradient + k * across * OUTPUTS;
        const unsigned char *at = which + k * across * OUTPUTS;
        for (int o = 0; o < OUTPUTS; ++o) {
            long corner[MOST];
            float own[MOST], bias = 0;
            int count = 0;
            for (long column = 0; column < across; ++column) {
                int place = at[column * OUTPUTS + o];
                float here = g[column * OUTPUTS + o];
                corner[count] = (top + (place >> 1) * w + 2 * column + (place & 1)) * INPUTS;
                own[count] = here;
                int counts = place != NONE && here != 0;
                bias += counts ? here : 0;
                count += counts;
            }
            dbias[o] += bias;
            for (int row = 0; count && row < KERNEL; ++row) {
                eight *total = (eight *)(dweight + (o * KERNEL + row) * FILLED), sum[VECTORS];
                for (int j = 0; j < VECTORS; ++j)
                    sum[j] = total[j];
                for (int c = 0; c < count; ++c) {
                    const eight *in = (const eight *)(x + corner[c] + row * w * INPUTS);
                    for (int j = 0; j < VECTORS; ++j)
                        sum[j] += own[c] * in[j];
                }
                for (int j = 0; j < VECTORS; ++j)
                    total[j] = sum[j];
                if (!dx)
                    continue;
                const eight *given = (const eight *)(weight + (o * KERNEL + row) * FILLED);
                for (int j = 0; j < VECTORS; ++j)
                    sum[j] = given[j];
                for (int c = 0; c < count; ++c) {
                    eight *to = (eight *)(dx + corner[c] + row * w * INPUTS);
                    for (int j = 0; j < VECTORS; ++j)
                        to[j] += own[c] * sum[j];
                }
            }
        }
    }
}
