/* C. Duchon, "Lanczos filtering in one and two dimensions", 1979; with three lobes. */
#include "lanczos.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Weights are integers in units of 1 / (1 << WEIGHT_BITS), and those of one pixel add up to exactly 1, so that
 * an even area keeps its colour. */
#define WEIGHT_BITS 14
#define HALF (1 << (WEIGHT_BITS - 1))

/* How far the filter reaches to each side, in pixels of the result. */
#define LOBES 3
_Static_assert(LOBES == 3, "tripled() makes the narrow sine of the wide one");

/* MARK: Weights */

/* A sine that goes on in even steps, by the theorem of addition: one of the library for each weight would cost as
 * much as scaling a small picture. */
typedef struct turning {
    double sine, cosine;
} turning;

static turning turning_by(double angle) { return (turning){sin(angle), cos(angle)}; }

static void turn(turning *at, turning step) {
    double sine = at->sine * step.cosine + at->cosine * step.sine;
    at->cosine = at->cosine * step.cosine - at->sine * step.sine;
    at->sine = sine;
}

/* Three times the angle, by the theorem of the same name. */
static turning tripled(turning at) {
    return (turning){
        at.sine * (3 - 4 * at.sine * at.sine), at.cosine * (4 * at.cosine * at.cosine - 3)};
}

/* The filter at `count` points of which the first is `x`, in pixels of the result, and the others `step` apart; `turned`
 * is how far its wide sine goes on with each of them. Answers their sum. */
static double lanczos(double x, double step, turning turned, int count, double *values) {
    turning wide = turning_by(M_PI * x / LOBES), narrow = tripled(wide), turned_thrice = tripled(turned);
    double total = 0;
    for (int i = 0; i < count; i++, turn(&narrow, turned_thrice), turn(&wide, turned)) {
        double at = M_PI * (x + i * step);
        if (fabs(at) < 1e-6) {
            values[i] = 1;
        } else {
            values[i] = fabs(at) < M_PI * LOBES ? LOBES * narrow.sine * wide.sine / (at * at) : 0;
        }
        total += values[i];
    }
    return total;
}

void cpicture_free_weights(cpicture_weights *table) {
    free(table->first);
    free(table->weight);
}

cpicture_status cpicture_make_weights(cpicture_weights *table, int count, double extent, int size) {
    double scale = extent / size;
    if (scale < 1) scale = 1;
    double step = extent / size, reach = LOBES * scale;
    int taps = (int)ceil(2 * reach) + 1;
    if (taps > count) taps = count;
    table->taps = taps;
    table->room = (taps + 3) & ~3;
    table->first = malloc((size_t)size * sizeof *table->first);
    table->weight = calloc((size_t)size * (size_t)table->room, sizeof *table->weight);
    double *exact = malloc((size_t)taps * sizeof *exact);
    if (!table->first || !table->weight || !exact) {
        free(exact);
        cpicture_free_weights(table);
        return CPICTURE_NO_MEMORY;
    }
    turning turned = turning_by(M_PI / scale / LOBES);
    for (int i = 0; i < size; i++) {
        double centre = (i + 0.5) * step;
        int first = (int)floor(centre - reach + 0.5);
        if (first > count - taps) first = count - taps;
        if (first < 0) first = 0;
        double total = lanczos((first + 0.5 - centre) / scale, 1 / scale, turned, taps, exact);
        int16_t *weight = table->weight + (size_t)i * (size_t)table->room;
        int left = 1 << WEIGHT_BITS, largest = 0;
        for (int t = 0; t < taps; t++) {
            /* Rounded: what is added keeps it above zero, where a conversion cuts off. */
            weight[t] = (int16_t)((int)(exact[t] / total * (1 << WEIGHT_BITS) + (1 << 20) + 0.5) - (1 << 20));
            left -= weight[t];
            if (weight[t] > weight[largest]) largest = t;
        }
        weight[largest] = (int16_t)(weight[largest] + left);
        table->first[i] = first;
    }
    free(exact);
    return CPICTURE_DONE;
}

/* MARK: Sums */

#ifdef __SSE2__

/* Two weights, so that one instruction multiplies two pixels and adds the products; the second is 0 behind the last. */
static inline __m128i two_weights(const int16_t *weight, int left) {
    return _mm_set1_epi32((uint16_t)weight[0] | (left > 1 ? (int)((uint32_t)(uint16_t)weight[1] << 16) : 0));
}

/* Adds pairs of bytes, each times its weight, to four sums. */
static inline __m128i add_pairs(__m128i sum, __m128i words, __m128i weights) {
    return _mm_add_epi32(sum, _mm_madd_epi16(words, weights));
}

/* Sixteen channels. */
static inline void weigh_block(
    const uint8_t *from, size_t stride, const int16_t *weight, int taps, uint8_t *to) {
    const __m128i zero = _mm_setzero_si128();
    __m128i a = _mm_set1_epi32(HALF), b = a, c = a, d = a;
    for (int t = 0; t < taps; t += 2, from += 2 * stride) {
        __m128i weights = two_weights(weight + t, taps - t);
        __m128i upper = _mm_loadu_si128((const __m128i *)from);
        __m128i lower = taps - t > 1 ? _mm_loadu_si128((const __m128i *)(from + stride)) : zero;
        __m128i left = _mm_unpacklo_epi8(upper, lower), right = _mm_unpackhi_epi8(upper, lower);
        a = add_pairs(a, _mm_unpacklo_epi8(left, zero), weights);
        b = add_pairs(b, _mm_unpackhi_epi8(left, zero), weights);
        c = add_pairs(c, _mm_unpacklo_epi8(right, zero), weights);
        d = add_pairs(d, _mm_unpackhi_epi8(right, zero), weights);
    }
    __m128i left = _mm_packs_epi32(_mm_srai_epi32(a, WEIGHT_BITS), _mm_srai_epi32(b, WEIGHT_BITS));
    __m128i right = _mm_packs_epi32(_mm_srai_epi32(c, WEIGHT_BITS), _mm_srai_epi32(d, WEIGHT_BITS));
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(left, right));
}

#define BLOCK 16

/* The same for thirty-two channels, on processors that have it. What is taken apart in halves is put together in halves. */
#define WIDE_BLOCK 32
#define WIDE __attribute__((target("avx2")))

WIDE static inline __m256i add_wide_pairs(__m256i sum, __m256i words, __m256i weights) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(words, weights));
}

WIDE static void weigh_wide_block(
    const uint8_t *from, size_t stride, const int16_t *weight, int taps, uint8_t *to) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i a = _mm256_set1_epi32(HALF), b = a, c = a, d = a;
    for (int t = 0; t < taps; t += 2, from += 2 * stride) {
        __m256i weights = _mm256_broadcastsi128_si256(two_weights(weight + t, taps - t));
        __m256i upper = _mm256_loadu_si256((const __m256i *)from);
        __m256i lower = taps - t > 1 ? _mm256_loadu_si256((const __m256i *)(from + stride)) : zero;
        __m256i left = _mm256_unpacklo_epi8(upper, lower), right = _mm256_unpackhi_epi8(upper, lower);
        a = add_wide_pairs(a, _mm256_unpacklo_epi8(left, zero), weights);
        b = add_wide_pairs(b, _mm256_unpackhi_epi8(left, zero), weights);
        c = add_wide_pairs(c, _mm256_unpacklo_epi8(right, zero), weights);
        d = add_wide_pairs(d, _mm256_unpackhi_epi8(right, zero), weights);
    }
    __m256i left = _mm256_packs_epi32(_mm256_srai_epi32(a, WEIGHT_BITS), _mm256_srai_epi32(b, WEIGHT_BITS));
    __m256i right = _mm256_packs_epi32(_mm256_srai_epi32(c, WEIGHT_BITS), _mm256_srai_epi32(d, WEIGHT_BITS));
    _mm256_storeu_si256((__m256i *)to, _mm256_packus_epi16(left, right));
}

/* And for sixty-four. */
#define WIDEST_BLOCK 64
#define WIDEST __attribute__((target("avx512bw")))

WIDEST static inline __m512i add_widest_pairs(__m512i sum, __m512i words, __m512i weights) {
    return _mm512_add_epi32(sum, _mm512_madd_epi16(words, weights));
}

WIDEST static void weigh_widest_block(
    const uint8_t *from, size_t stride, const int16_t *weight, int taps, uint8_t *to) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i a = _mm512_set1_epi32(HALF), b = a, c = a, d = a;
    for (int t = 0; t < taps; t += 2, from += 2 * stride) {
        __m512i weights = _mm512_broadcastd_epi32(two_weights(weight + t, taps - t));
        __m512i upper = _mm512_loadu_si512(from);
        __m512i lower = taps - t > 1 ? _mm512_loadu_si512(from + stride) : zero;
        __m512i left = _mm512_unpacklo_epi8(upper, lower), right = _mm512_unpackhi_epi8(upper, lower);
        a = add_widest_pairs(a, _mm512_unpacklo_epi8(left, zero), weights);
        b = add_widest_pairs(b, _mm512_unpackhi_epi8(left, zero), weights);
        c = add_widest_pairs(c, _mm512_unpacklo_epi8(right, zero), weights);
        d = add_widest_pairs(d, _mm512_unpackhi_epi8(right, zero), weights);
    }
    __m512i left = _mm512_packs_epi32(_mm512_srai_epi32(a, WEIGHT_BITS), _mm512_srai_epi32(b, WEIGHT_BITS));
    __m512i right = _mm512_packs_epi32(_mm512_srai_epi32(c, WEIGHT_BITS), _mm512_srai_epi32(d, WEIGHT_BITS));
    _mm512_storeu_si512(to, _mm512_packus_epi16(left, right));
}

/* Four pixels at a time: their channels come to lie beside each other by twos, and so do their weights. What lies behind the
 * row has no weight. */
WIDE static void weigh_wide_columns(
    const uint8_t *restrict row, const cpicture_weights *table, uint8_t *restrict to, int width) {
    const __m256i pairs = _mm256_setr_epi8(
        0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1,
        8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    const __m256i halves = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    for (int x = 0; x < width; x++, to += 4) {
        const uint8_t *from = row + (size_t)table->first[x] * 4;
        const int16_t *weight = table->weight + (size_t)x * (size_t)table->room;
        __m256i sums = _mm256_setzero_si256();
        for (int t = 0; t < table->room; t += 4, from += 16) {
            __m256i four = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
            __m256i weights = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)(weight + t)));
            sums = add_wide_pairs(
                sums, _mm256_shuffle_epi8(four, pairs), _mm256_permutevar8x32_epi32(weights, halves));
        }
        __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(HALF)), WEIGHT_BITS);
        __m128i words = _mm_packs_epi32(sum, sum);
        int32_t pixel = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
        memcpy(to, &pixel, sizeof pixel);
    }
}

void cpicture_weigh_columns(const uint8_t *restrict row, const cpicture_weights *table, uint8_t *restrict to, int width) {
    if (__builtin_cpu_supports("avx2")) {
        weigh_wide_columns(row, table, to, width);
        return;
    }
    const __m128i zero = _mm_setzero_si128();
    for (int x = 0; x < width; x++, to += 4) {
        const uint8_t *from = row + (size_t)table->first[x] * 4;
        const int16_t *weight = table->weight + (size_t)x * (size_t)table->room;
        __m128i sum = _mm_set1_epi32(HALF);
        int t = 0;
        for (; t + 2 <= table->taps; t += 2) {
            __m128i two = _mm_loadl_epi64((const __m128i *)(from + 4 * t));
            two = _mm_unpacklo_epi8(two, _mm_srli_si128(two, 4));
            sum = add_pairs(sum, _mm_unpacklo_epi8(two, zero), two_weights(weight + t, 2));
        }
        if (t < table->taps) {
            int32_t pixel;
            memcpy(&pixel, from + 4 * t, sizeof pixel);
            __m128i one = _mm_unpacklo_epi8(_mm_cvtsi32_si128(pixel), zero);
            sum = add_pairs(sum, _mm_unpacklo_epi8(one, zero), two_weights(weight + t, 1));
        }
        __m128i words = _mm_packs_epi32(_mm_srai_epi32(sum, WEIGHT_BITS), zero);
        int32_t pixel = _mm_cvtsi128_si32(_mm_packus_epi16(words, zero));
        memcpy(to, &pixel, sizeof pixel);
    }
}

#else

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint8_t byte4 __attribute__((vector_size(4)));

#define BLOCK 32

/* So many channels at once as compilers make good vectors of. */
static inline void weigh_block(
    const uint8_t *from, size_t stride, const int16_t *weight, int taps, uint8_t *to) {
    int32_t sum[BLOCK];
    for (int j = 0; j < BLOCK; j++) sum[j] = HALF;
    for (int t = 0; t < taps; t++, from += stride)
        for (int j = 0; j < BLOCK; j++) sum[j] += (int16_t)from[j] * weight[t];
    for (int j = 0; j < BLOCK; j++) to[j] = cpicture_clamp_byte(sum[j] >> WEIGHT_BITS);
}

static inline float4 load(const uint8_t *pixel) {
    byte4 bytes;
    memcpy(&bytes, pixel, sizeof bytes);
    return __builtin_convertvector(bytes, float4);
}

void cpicture_weigh_columns(const uint8_t *restrict row, const cpicture_weights *table, uint8_t *restrict to, int width) {
    for (int x = 0; x < width; x++, to += 4) {
        const uint8_t *from = row + (size_t)table->first[x] * 4;
        const int16_t *weight = table->weight + (size_t)x * (size_t)table->room;
        float4 sum = {0, 0, 0, 0};
        for (int t = 0; t < table->taps; t++) sum += load(from + 4 * t) * (float)weight[t];
        int4 value = __builtin_convertvector(sum * (1.0f / (1 << WEIGHT_BITS)) + 0.5f, int4);
        for (int c = 0; c < 4; c++) to[c] = cpicture_clamp_byte(value[c]);
    }
}

#endif

void cpicture_weigh_rows(
    const uint8_t *pixels, size_t stride, const cpicture_weights *table, int y, uint8_t *restrict to, size_t channels) {
    const uint8_t *from = pixels + (size_t)table->first[y] * stride;
    const int16_t *weight = table->weight + (size_t)y * (size_t)table->room;
    size_t i = 0;
#ifdef WIDE_BLOCK
    if (__builtin_cpu_supports("avx512bw")) {
        for (; i + WIDEST_BLOCK <= channels; i += WIDEST_BLOCK)
            weigh_widest_block(from + i, stride, weight, table->taps, to + i);
    }
    if (__builtin_cpu_supports("avx2")) {
        for (; i + WIDE_BLOCK <= channels; i += WIDE_BLOCK)
            weigh_wide_block(from + i, stride, weight, table->taps, to + i);
    }
#endif
    for (; i + BLOCK <= channels; i += BLOCK) weigh_block(from + i, stride, weight, table->taps, to + i);
    for (; i < channels; i++) {
        int32_t sum = HALF;
        for (int t = 0; t < table->taps; t++) sum += from[(size_t)t * stride + i] * weight[t];
        to[i] = cpicture_clamp_byte(sum >> WEIGHT_BITS);
    }
}
