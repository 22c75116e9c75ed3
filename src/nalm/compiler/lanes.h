/* Arithmetic on LANES runs at once (8 or 16, as the compiler is told): `real` is a number of each, `whole` an integer,
 * `truth` all bits set or none. No operation mixes lanes, so a run's result does not depend on the runs beside it.
 * Products and sums are rounded one by one (-ffp-contract=off) except where `fused` says otherwise, so it does not
 * depend on the compiler either. No other headers: reading them would take longer than compiling a small network. */
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
typedef float real __attribute__((vector_size(4 * LANES)));
typedef int32_t whole __attribute__((vector_size(4 * LANES)));
typedef whole truth;
typedef uint32_t word __attribute__((vector_size(4 * LANES)));
typedef float half_real __attribute__((vector_size(2 * LANES)));
typedef double half_double __attribute__((vector_size(4 * LANES)));
typedef int64_t half_long __attribute__((vector_size(4 * LANES)));
typedef unsigned long long half_word __attribute__((vector_size(4 * LANES)));
#define INLINE static inline __attribute__((always_inline, unused))
#define SPLAT(c) ((real){0} + (float)(c))
#define SPLAT_WHOLE(c) ((whole){0} + (int32_t)(c))
#define HALF(c) ((half_double){0} + (c))
#define ROOT 0.70710678118654752
/* 3 * 2^51: adding it rounds to a whole number, which is then in a double's lower bits. */
#define BIG HALF(6755399441055744.0)
#define ALWAYS (~(truth){0})
#define NEVER ((truth){0})
#define EACH(expression) { real r; for (int l = 0; l < LANES; l++) r[l] = expression; return r; }

/* A sum, although nothing is carried: GCC makes one instruction of it with AVX-512, but two of a bitwise or. */
INLINE whole pick_whole(truth m, whole a, whole b) { return (m & a) + (~m & b); }
#if LANES == 8 && defined(__AVX2__)
INLINE real pick(truth m, real a, real b) { return __builtin_ia32_blendvps256(b, a, (real)m); }
#else
INLINE real pick(truth m, real a, real b) { return (real)pick_whole(m, (whole)a, (whole)b); }
#endif
/* Clang, which has not all of these, makes about the same of plain loops. */
#if LANES == 16 && defined(__AVX512DQ__) && !defined(__clang__)
#define HAS_EXPONENTS
INLINE real fused(real a, real b, real c) { return __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4); }
INLINE half_double fused_half(half_double a, half_double b, half_double c)
{
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4);
}
INLINE real v_sqrt(real x) { return __builtin_ia32_sqrtps512_mask(x, x, -1, 4); }
INLINE real v_floor(real x) { return __builtin_ia32_rndscaleps_mask(x, 9, x, -1, 4); }
INLINE real v_round(real x) { return __builtin_ia32_rndscaleps_mask(x, 8, x, -1, 4); }
INLINE real v_trunc(real x) { return __builtin_ia32_rndscaleps_mask(x, 11, x, -1, 4); }
INLINE int any(truth m) { return __builtin_ia32_ptestmd512(m, m, -1); }
INLINE real v_from_lanes(real x, whole from) { return __builtin_ia32_permvarsf512_mask(x, from, x, -1); }
INLINE real v_greater(real a, real b) { return __builtin_ia32_maxps512_mask(a, b, a, -1, 4); }
INLINE real v_smaller(real a, real b) { return __builtin_ia32_minps512_mask(a, b, a, -1, 4); }
INLINE half_double half_greater(half_double a, half_double b) { return __builtin_ia32_maxpd512_mask(a, b, a, -1, 4); }
INLINE half_double half_smaller(half_double a, half_double b) { return __builtin_ia32_minpd512_mask(a, b, a, -1, 4); }
INLINE half_double widened(half_real x) { return __builtin_ia32_cvtps2pd512_mask(x, (half_double){0}, -1, 4); }
INLINE half_real narrowed(half_double x) { return __builtin_ia32_cvtpd2ps512_mask(x, (half_real){0}, -1, 4); }
INLINE real v_scaled(real x, real n) { return __builtin_ia32_scalefps512_mask(x, n, x, -1, 4); }
INLINE half_double half_scaled(half_double x, half_double n) { return __builtin_ia32_scalefpd512_mask(x, n, x, -1, 4); }
INLINE real v_parts(real x, real *exponent)
{
    const real m = __builtin_ia32_getmantps512_mask(x, 2, x, -1, 4), e = __builtin_ia32_getexpps512_mask(x, x, -1, 4);
    const unsigned short small = __builtin_ia32_cmpps512_mask(m, SPLAT(ROOT), 1, -1, 4);
    *exponent = __builtin_ia32_addps512_mask(e, SPLAT(1), e, ~small, 4);
    return __builtin_ia32_addps512_mask(m, m, m, small, 4);
}
INLINE half_double half_parts(half_double x, half_double *exponent)
{
    const half_double m = __builtin_ia32_getmantpd512_mask(x, 2, x, -1, 4);
    const half_double e = __builtin_ia32_getexppd512_mask(x, x, -1, 4);
    const unsigned char small = __builtin_ia32_cmppd512_mask(m, HALF(ROOT), 1, -1, 4);
    *exponent = __builtin_ia32_addpd512_mask(e, HALF(1), e, ~small, 4);
    return __builtin_ia32_addpd512_mask(m, m, m, small, 4);
}
/* What becomes of an x that is NaN, signalling NaN, 0, 1, -inf, inf, below 0 or above 0 is in four bits each. */
INLINE real v_chosen(real old, real x, uint32_t by_class)
{
    return __builtin_ia32_fixupimmps512_mask(old, x, SPLAT_WHOLE(by_class), 0, -1, 4);
}
INLINE real v_not_below_zero(real x) { return v_chosen(SPLAT(NAN), x, 0x10101100); }
INLINE real v_at_ends(real x, real r) { return v_chosen(r, x, 0x00500400); }
INLINE int all_have_ordinary_powers(real x, real y)
{
    return !(__builtin_ia32_fpclassps512_mask(x, 0xdf, -1) | __builtin_ia32_fpclassps512_mask(y, 0x99, -1));
}
#elif LANES == 8 && defined(__AVX2__) && defined(__FMA__)
INLINE real fused(real a, real b, real c) { return __builtin_ia32_vfmaddps256(a, b, c); }
INLINE half_double fused_half(half_double a, half_double b, half_double c)
{
    return __builtin_ia32_vfmaddpd256(a, b, c);
}
INLINE real v_sqrt(real x) { return __builtin_ia32_sqrtps256(x); }
INLINE real v_floor(real x) { return __builtin_ia32_roundps256(x, 9); }
INLINE real v_round(real x) { return __builtin_ia32_roundps256(x, 8); }
INLINE real v_trunc(real x) { return __builtin_ia32_roundps256(x, 11); }
INLINE int any(truth m) { return __builtin_ia32_movmskps256((real)m); }
INLINE real v_from_lanes(real x, whole from) { return __builtin_ia32_permvarsf256(x, from); }
INLINE real v_greater(real a, real b) { return __builtin_ia32_maxps256(a, b); }
INLINE real v_smaller(real a, real b) { return __builtin_ia32_minps256(a, b); }
INLINE half_double half_greater(half_double a, half_double b) { return __builtin_ia32_maxpd256(a, b); }
INLINE half_double half_smaller(half_double a, half_double b) { return __builtin_ia32_minpd256(a, b); }
#else
INLINE real fused(real a, real b, real c) EACH(__builtin_fmaf(a[l], b[l], c[l]))
INLINE half_double fused_half(half_double a, half_double b, half_double c)
{
    half_double r;
    for (int l = 0; l < LANES / 2; l++) r[l] = __builtin_fma(a[l], b[l], c[l]);
    return r;
}
INLINE real v_sqrt(real x) EACH(__builtin_sqrtf(x[l]))
INLINE real v_floor(real x) EACH(__builtin_floorf(x[l]))
INLINE real v_round(real x) EACH(__builtin_rintf(x[l]))
INLINE real v_trunc(real x) EACH(__builtin_truncf(x[l]))
INLINE int any(truth m) { int r = 0; for (int l = 0; l < LANES; l++) r |= m[l]; return r; }
/* Each lane's number is that of another one: for random numbers alone, since runs do not mix. */
INLINE real v_from_lanes(real x, whole from) EACH(x[from[l]])
/* The second if either is NaN. */
INLINE real v_greater(real a, real b) { return pick(a > b, a, b); }
INLINE real v_smaller(real a, real b) { return pick(a < b, a, b); }
INLINE half_double half_pick(half_long m, half_double a, half_double b)
{
    return (half_double)((m & (half_long)a) | (~m & (half_long)b));
}
INLINE half_double half_greater(half_double a, half_double b) { return half_pick(a > b, a, b); }
INLINE half_double half_smaller(half_double a, half_double b) { return half_pick(a < b, a, b); }
#endif
INLINE real v_real(whole x) { return __builtin_convertvector(x, real); }
INLINE whole v_whole(real x) { return __builtin_convertvector(x, whole); }
INLINE real v_one_or_zero(truth m) { return (real)(m & (whole)SPLAT(1)); }
INLINE real v_abs(real x) { return (real)((whole)x & 0x7fffffff); }
INLINE real v_signed_as(real x, real sign) { return (real)((whole)x | ((whole)sign & (int32_t)0x80000000)); }
INLINE real v_sign(real x) { return v_one_or_zero(x > 0) - v_one_or_zero(x < 0); }
/* NaN if either is: a maximum tells whether all are finite. */
INLINE real v_min(real a, real b) { return pick((a < b) | (a != a), a, b); }
INLINE real v_max(real a, real b) { return pick((a > b) | (a != a), a, b); }
INLINE real v_nearest(real x) { const real big = SPLAT(0x1.8p23f); return (x + big) - big; }
INLINE real v_remainder(real a, real b)
{
    const real r = a - v_trunc(a / b) * b;
    return pick((r != 0) & ((r < 0) != (b < 0)), r + b, r);
}
/* Numbers of a table by their places: one table for all lanes, or one in each. */
INLINE real v_gather(const float *table, whole place) EACH(table[place[l]])
INLINE real v_gather_own(const real *table, whole place) EACH(((const float *)table)[place[l] * LANES + l])
/* A sum and what its roundings lost so far (Neumaier 1974). */
INLINE void add_carefully(real *sum, real *lost, real x)
{
    const real s = *sum + x;
    const real mine = (*sum - s) + x, theirs = (x - s) + *sum;
    const real error = pick(v_abs(*sum) >= v_abs(x), mine, theirs);
    *lost += pick(v_abs(s) < INFINITY, error, SPLAT(0));
    *sum = s;
}

#ifndef HAS_EXPONENTS
INLINE half_double widened(half_real x) { return __builtin_convertvector(x, half_double); }
INLINE half_real narrowed(half_double x) { return __builtin_convertvector(x, half_real); }
/* x = m * 2^exponent for positive finite x: m, which is from sqrt(1/2) to sqrt(2). */
INLINE real v_parts(real x, real *exponent)
{
    const truth tiny = x < 1.17549435e-38f;
    const real y = pick(tiny, x * 8388608.0f, x), m = (real)(((whole)y & 0x007fffff) | 0x3f000000);
    const truth small = m < (float)ROOT;
    *exponent = v_real((((whole)y >> 23) & 255) - 126 + small - (tiny & 23));
    return m + (real)(small & (whole)m);
}
/* x * 2^n for whole n from -252 to 254, in two factors of which neither leaves the exponent's range. */
INLINE real v_scaled(real x, real n)
{
    const whole k = v_whole(n), h = k >> 1;
    return x * (real)((h + 127) << 23) * (real)((k - h + 127) << 23);
}
/* The same in double precision, where no x that was a float is too small. */
INLINE half_double half_parts(half_double x, half_double *exponent)
{
    const half_double m = (half_double)(((half_long)x & 0x000fffffffffffffLL) | 0x3fe0000000000000LL);
    const half_long small = m < ROOT;
    *exponent = (half_double)((half_long)((half_word)x >> 52) - 1022 + small + (half_long)BIG) - BIG;
    return m + (half_double)(small & (half_long)m);
}
INLINE half_double half_scaled(half_double x, half_double n)
{
    return x * (half_double)(((half_long)(n + BIG) - (half_long)BIG + 1023) << 52);
}
/* x, or NaN if it is below 0; and r where x is positive and finite, -inf where it is 0, x where it is inf or NaN. */
INLINE real v_not_below_zero(real x) { return pick(x >= 0, x, SPLAT(NAN)); }
INLINE real v_at_ends(real x, real r) { return pick(x == 0, SPLAT(-INFINITY), pick(x < INFINITY, r, x)); }
/* Whether every x is positive and finite, every y finite. */
INLINE int all_have_ordinary_powers(real x, real y)
{
    return !any(~((x > 0) & (x < INFINITY) & (v_abs(y) < INFINITY)));
}
#endif
/* The polynomials of exp, log, sin, cos, tanh, atan and asin are those of the Cephes library (Moshier 1989). */
INLINE real v_exp_polynomial(real r)
{
    real p = fused(SPLAT(1.9875691500e-4f), r, SPLAT(1.3981999507e-3f));
    p = fused(p, r, SPLAT(8.3334519073e-3f));
    p = fused(p, r, SPLAT(4.1665795894e-2f));
    p = fused(p, r, SPLAT(1.6666665459e-1f));
    p = fused(p, r, SPLAT(5.0000001201e-1f));
    return fused(p, r * r, r); /* exp(r) - 1 */
}
INLINE real v_bounded(real x, float low, float high) { return v_smaller(SPLAT(high), v_greater(SPLAT(low), x)); }
INLINE real v_exp(real x)
{
    const real y = v_bounded(x, -105.0f, 89.0f);
    const real n = v_nearest(y * 1.44269504088896341f);
    const real r = fused(n, SPLAT(2.12194440e-4f), fused(n, SPLAT(-0.693359375f), y));
    return v_scaled(v_exp_polynomial(r) + 1.0f, n);
}
INLINE real v_exp2(real x)
{
    const real y = v_bounded(x, -151.0f, 129.0f);
    const real n = v_nearest(y);
    return v_scaled(v_exp_polynomial((y - n) * 0.693147180559945309f) + 1.0f, n);
}
INLINE real v_expm1(real x)
{
    const real y = v_bounded(x, -105.0f, 89.0f);
    const real n = v_nearest(y * 1.44269504088896341f);
    const real r = fused(n, SPLAT(2.12194440e-4f), fused(n, SPLAT(-0.693359375f), y));
    const real p = v_exp_polynomial(r), t = v_scaled(SPLAT(1), n);
    const real far = v_scaled(p + 1.0f, n) - 1.0f;
    return pick(n == 0, p, pick(v_abs(n) < 25.0f, fused(p, t, t - 1.0f), far));
}
/* log x = k ln 2 + log1p(m), m from sqrt(1/2) - 1 to sqrt(2) - 1; low and high part of the factor of k. */
INLINE real v_log_times(real x, float scale, float high, float low)
{
    x = v_not_below_zero(x);
    real k;
    const real m = v_parts(x, &k) - 1.0f, z = m * m;
    real p = fused(SPLAT(7.0376836292e-2f), m, SPLAT(-1.1514610310e-1f));
    p = fused(p, m, SPLAT(1.1676998740e-1f));
    p = fused(p, m, SPLAT(-1.2420140846e-1f));
    p = fused(p, m, SPLAT(1.4249322787e-1f));
    p = fused(p, m, SPLAT(-1.6668057665e-1f));
    p = fused(p, m, SPLAT(2.0000714765e-1f));
    p = fused(p, m, SPLAT(-2.4999993993e-1f));
    p = fused(p, m, SPLAT(3.3333331174e-1f));
    const real tail = fused(p, m * z, -0.5f * z);
    real r;
    if (scale == 1.0f)
        r = fused(k, SPLAT(high), m + fused(k, SPLAT(low), tail));
    else
        r = fused(k, SPLAT(high), fused(m, SPLAT(scale), fused(tail, SPLAT(scale), k * low)));
    return v_at_ends(x, r);
}
INLINE real v_log(real x) { return v_log_times(x, 1.0f, 0.693359375f, -2.12194440e-4f); }
INLINE real v_log2(real x) { return v_log_times(x, 1.44269504088896341f, 1.0f, 0.0f); }
INLINE real v_log10(real x) { return v_log_times(x, 0.434294481903251828f, 0.301025390625f, 4.605038981e-6f); }
INLINE real v_log1p(real x)
{
    /* What rounding 1 + x lost is made up for by x / (u - 1) (Kahan). */
    const real u = 1.0f + x;
    return pick(u == 1.0f, x, pick(v_abs(u) == INFINITY, v_log(u), v_log(u) * (x / (u - 1.0f))));
}
INLINE real v_near_sine(real x, int cosine)
{
    const real j = v_nearest(x * 0.636619772367581343f);
    const whole q = v_whole(j) + cosine;
    real r = fused(j, SPLAT(-1.5703125f), x);
    r = fused(j, SPLAT(-4.837512969970703125e-4f), r);
    r = fused(j, SPLAT(-7.5497899548918821691e-8f), r);
    const real z = r * r;
    real s = fused(SPLAT(-1.9515295891e-4f), z, SPLAT(8.3321608736e-3f));
    s = fused(fused(s, z, SPLAT(-1.6666654611e-1f)), z * r, r);
    real c = fused(SPLAT(2.443315711809948e-5f), z, SPLAT(-1.388731625493765e-3f));
    c = fused(fused(c, z, SPLAT(4.166664568298827e-2f)), z * z, fused(z, SPLAT(-0.5f), SPLAT(1)));
    const real y = pick((q & 1) != 0, c, s);
    return (real)((whole)y ^ ((q & 2) << 30));
}
static __attribute__((noinline, unused)) real v_far_sine(real x, int cosine)
    EACH(cosine ? __builtin_cosf(x[l]) : __builtin_sinf(x[l]))
/* Beyond 8192 the three parts of pi/2 are too few: those lanes, and no others, take the C library's value. */
INLINE real v_sine(real x, int cosine)
{
    const real near = v_near_sine(x, cosine);
    const truth far = ~(v_abs(x) < 8192.0f);
    return __builtin_expect(any(far), 0) ? pick(far, v_far_sine(x, cosine), near) : near;
}
INLINE real v_sin(real x) { return v_sine(x, 0); }
INLINE real v_cos(real x) { return v_sine(x, 1); }
INLINE real v_sigmoid(real x) { return 1.0f / (1.0f + v_exp(-x)); }
INLINE real v_tanh(real x)
{
    const real a = v_abs(x), z = x * x;
    real near = fused(SPLAT(-5.70498872745e-3f), z, SPLAT(2.06390887954e-2f));
    near = fused(near, z, SPLAT(-5.37397155531e-2f));
    near = fused(near, z, SPLAT(1.33314422036e-1f));
    near = fused(fused(near, z, SPLAT(-3.33332819422e-1f)), z * x, x);
    const real far = 1.0f - 2.0f / (v_exp(a + a) + 1.0f);
    return pick(a < 0.625f, near, v_signed_as(far, x));
}
/* x^y for x > 0 in double precision, where a logarithm and an exponential are accurate enough for a float. */
INLINE half_real v_power(half_real x, half_real y)
{
    const half_double a = widened(x);
    half_double k;
    const half_double m = half_parts(a, &k);
    const half_double t = (m - 1.0) / (m + 1.0), z = t * t;
    /* Terms in pairs: the chain of operations that wait for each other is shorter. */
    const half_double zz = z * z;
    const half_double low = fused_half(z, HALF(2.0 / 5), HALF(2.0 / 3));
    const half_double middle = fused_half(z, HALF(2.0 / 9), HALF(2.0 / 7));
    const half_double high = fused_half(z, HALF(2.0 / 13), HALF(2.0 / 11));
    const half_double s = fused_half(fused_half(fused_half(high, zz, middle), zz, low), z * t, t + t);
    half_double p = widened(y) * fused_half(s, HALF(1.4426950408889634), k);
    /* Beyond, a float is 0 or infinite. */
    p = half_smaller(HALF(200.0), half_greater(HALF(-200.0), p));
    const half_double n = (p + BIG) - BIG, f = (p - n) * 0.69314718055994531;
    const half_double ff = f * f;
    const half_double one = fused_half(f, HALF(1.0 / 6), HALF(1.0 / 2));
    const half_double two = fused_half(f, HALF(1.0 / 120), HALF(1.0 / 24));
    const half_double three = fused_half(f, HALF(1.0 / 5040), HALF(1.0 / 720));
    const half_double g = fused_half(fused_half(fused_half(three, ff, two), ff, one), ff, f + 1.0);
    return narrowed(half_scaled(g, n));
}
INLINE real v_pow(real x, real y)
{
    const real a = v_abs(x);
    half_real bases[2], exponents[2], powers[2];
    real r;
    __builtin_memcpy(bases, &a, sizeof a);
    __builtin_memcpy(exponents, &y, sizeof y);
    powers[0] = v_power(bases[0], exponents[0]);
    powers[1] = v_power(bases[1], exponents[1]);
    __builtin_memcpy(&r, powers, sizeof r);
    if (__builtin_expect(all_have_ordinary_powers(x, y), 1))
        return r;
    /* Exact edges: an infinite exponent, an infinite base, 0, and 1. */
    const real grows = pick(y > 0, SPLAT(INFINITY), SPLAT(0)), shrinks = pick(y > 0, SPLAT(0), SPLAT(INFINITY));
    r = pick(v_abs(y) == INFINITY, pick(a > 1, grows, pick(a < 1, shrinks, SPLAT(1))), r);
    r = pick(a == INFINITY, grows, r);
    r = pick(a == 0, shrinks, r);
    /* A negative base has a power if the exponent is whole, negative if it is odd. */
    const truth whole_exponent = v_floor(y) == y, odd = whole_exponent & (v_floor(y * 0.5f) * 2.0f != y);
    r = pick(((whole)x < 0) & odd & (v_abs(y) < INFINITY), -r, r);
    r = pick((x < 0) & ~whole_exponent & (a < INFINITY), SPLAT(NAN), r);
    r = pick((x != x) | (y != y), SPLAT(NAN), r);
    return pick((y == 0) | (x == 1), SPLAT(1), r);
}
INLINE real v_tan(real x) { return v_sin(x) / v_cos(x); }
INLINE real v_sinh(real x)
{
    const real a = v_abs(x), e = v_expm1(a);
    const real half = v_exp(a * 0.5f);
    return v_signed_as(pick(a > 80.0f, 0.5f * half * half, 0.5f * (e + e / (e + 1.0f))), x);
}
INLINE real v_cosh(real x)
{
    const real half = v_exp(v_abs(x) * 0.5f), square = half * half;
    return pick(v_abs(x) > 80.0f, 0.5f * half * half, 0.5f * (square + 1.0f / square));
}
INLINE real v_asinh(real x)
{
    const real a = v_abs(x), z = a * a;
    const real near = v_log1p(a + z / (1.0f + v_sqrt(z + 1.0f))), far = v_log(a) + 0.693147180559945309f;
    return v_signed_as(pick(a > 1e9f, far, near), x);
}
/* Above tan(3 pi/8) the angle of -1/x, above tan(pi/8) that of (x - 1)/(x + 1): the polynomial is for what is left. */
INLINE real v_atan(real x)
{
    const real a = v_abs(x);
    const truth steep = a > 2.414213562373095f, middle = (a > 0.414213562373095f) & ~steep;
    const real above = pick(steep, SPLAT(-1), a - 1.0f), below = pick(steep, a, a + 1.0f);
    const real t = pick(steep | middle, above / below, a), z = t * t;
    real p = fused(SPLAT(8.05374449538e-2f), z, SPLAT(-1.38776856032e-1f));
    p = fused(fused(p, z, SPLAT(1.99777106478e-1f)), z, SPLAT(-3.33329491539e-1f));
    p = fused(p, z * t, t);
    const real corner = pick(steep, SPLAT(1.5707963267948966f), pick(middle, SPLAT(0.7853981633974483f), SPLAT(0)));
    return v_signed_as(corner + p, x);
}
/* asin t for t from 0 to 1/2, and z = t t. */
INLINE real v_small_asin(real t, real z)
{
    real p = fused(SPLAT(4.2163199048e-2f), z, SPLAT(2.4181311049e-2f));
    p = fused(fused(p, z, SPLAT(4.5470025998e-2f)), z, SPLAT(7.4953002686e-2f));
    return fused(fused(p, z, SPLAT(1.6666752422e-1f)), z * t, t);
}
/* Above 1/2, asin a = pi/2 - 2 asin sqrt((1 - a) / 2). */
INLINE real v_asin(real x)
{
    const real a = v_abs(x);
    const truth large = a > 0.5f;
    const real z = pick(large, 0.5f * (1.0f - a), a * a), t = pick(large, v_sqrt(z), a);
    const real p = v_small_asin(t, z);
    return v_signed_as(pick(large, 1.5707963267948966f - (p + p), p), x);
}
INLINE real v_acos(real x)
{
    const real a = v_abs(x);
    const truth large = a > 0.5f;
    const real z = pick(large, 0.5f * (1.0f - a), a * a), t = pick(large, v_sqrt(z), a);
    const real p = v_small_asin(t, z), twice = p + p;
    const real far = pick(x < 0, 3.14159265358979323f - twice, twice);
    return pick(large, far, 1.5707963267948966f - v_signed_as(p, x));
}
/* Functions that networks seldom use, from the C library. */
#define SELDOM(name) static __attribute__((noinline, unused)) real v_##name(real x) EACH(__builtin_##name##f(x[l]))
SELDOM(erf)

/* The same out of line: compiled once, for code that has many of them. */
#define APART(name) static __attribute__((noinline, unused)) real o_##name(real x) { return v_##name(x); }
APART(exp) APART(exp2) APART(expm1) APART(log) APART(log2) APART(log10) APART(log1p) APART(sin) APART(cos) APART(tan)
APART(tanh) APART(sigmoid) APART(sinh) APART(cosh) APART(asinh) APART(atan) APART(asin) APART(acos)
static __attribute__((noinline, unused)) real o_pow(real x, real y) { return v_pow(x, y); }
static __attribute__((noinline, unused)) real o_remainder(real x, real y) { return v_remainder(x, y); }
