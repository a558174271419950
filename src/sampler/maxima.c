/* SPDX-License-Identifier: MIT */
/* The highest logits of the parts of a row, and the checks that ride along. */
#include "maxima.h"

#include <math.h> /* INFINITY; no function */

#include "unroll.h"

#if CPU_X86
#include <immintrin.h>
#elif CPU_ARM
#include <arm_neon.h>
#endif

/* One value at a time: this defines the answer. */
#define NAME(function) function##_portable
#define TARGET
#define WIDTH 1
#define FLOATS float
#define LOAD(place) (*(place))
#define LOAD_BF16(place) bf16_float(*(place))
#define HIGHER(a, b) ((a) > (b) ? (a) : (b))
#define HIGHEST(a) (a)
#define TRUTHS unsigned
#define ALL 1
#define AND_GOOD(truths, a) ((truths) & ((a) < INFINITY))
#define ARE_ALL(truths) ((truths) != 0)
#define BITS(a, b) !((a) <= (b))
#define SPREAD(value) (value)
#include "maxima_kernel.h"

#if CPU_ARM
/* Each truth is all ones: one bit of it stays, another at each place. */
static inline uint32_t
neon_bits(float32x4_t a, float32x4_t b)
{
	static const uint32_t bit[] = {1, 2, 4, 8};

	return vaddvq_u32(vbicq_u32(vld1q_u32(bit), vcleq_f32(a, b)));
}

static inline float32x4_t
neon_load_bf16(const struct bf16 *from)
{
	uint16x4_t halves = vreinterpret_u16_u8(vld1_u8(from->bytes));

	return vreinterpretq_f32_u32(vshll_n_u16(halves, 16));
}

#define NAME(function) function##_neon
#define TARGET
#define WIDTH 4
#define FLOATS float32x4_t
#define LOAD vld1q_f32
#define LOAD_BF16 neon_load_bf16
#define HIGHER vmaxq_f32
#define HIGHEST vmaxvq_f32
#define TRUTHS uint32x4_t
#define ALL vdupq_n_u32(UINT32_MAX)
#define AND_GOOD(truths, a) \
	vandq_u32(truths, vcltq_f32(a, vdupq_n_f32(INFINITY)))
#define ARE_ALL(truths) (vminvq_u32(truths) != 0)
#define BITS neon_bits
#define SPREAD vdupq_n_f32
#include "maxima_kernel.h"
#endif

#if CPU_X86
#define SSE2 __attribute__((target("sse2")))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

/* By halves: the other one is brought to where this one is. */
SSE2 static inline float
highest_of_4(__m128 a)
{
	a = _mm_max_ps(a, _mm_movehl_ps(a, a));
	a = _mm_max_ss(a, _mm_shuffle_ps(a, a, 1));
	return _mm_cvtss_f32(a);
}

AVX2 static inline float
highest_of_8(__m256 a)
{
	return highest_of_4(
	    _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)));
}

/* Below each half, zeros. */
SSE2 static inline __m128
sse2_load_bf16(const struct bf16 *from)
{
	__m128i halves = _mm_loadl_epi64((const void *)from);

	return _mm_castsi128_ps(
	    _mm_unpacklo_epi16(_mm_setzero_si128(), halves));
}

AVX2 static inline __m256
avx2_load_bf16(const struct bf16 *from)
{
	__m128i halves = _mm_loadu_si128((const void *)from);

	return _mm256_castsi256_ps(
	    _mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

AVX512 static inline __m512
avx512_load_bf16(const struct bf16 *from)
{
	__m256i halves = _mm256_loadu_si256((const void *)from);

	return _mm512_castsi512_ps(
	    _mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

#define NAME(function) function##_sse2
#define TARGET SSE2
#define WIDTH 4
#define FLOATS __m128
#define LOAD _mm_loadu_ps
#define LOAD_BF16 sse2_load_bf16
#define HIGHER _mm_max_ps
#define HIGHEST highest_of_4
#define TRUTHS __m128i
#define ALL _mm_set1_epi32(-1)
#define AND_GOOD(truths, a) \
	_mm_and_si128(      \
	    truths, _mm_castps_si128(_mm_cmplt_ps(a, _mm_set1_ps(INFINITY))))
#define ARE_ALL(truths) (_mm_movemask_epi8(truths) == 0xffff)
#define BITS(a, b) _mm_movemask_ps(_mm_cmpnle_ps(a, b))
#define SPREAD(value) _mm_set1_ps(value)
#include "maxima_kernel.h"

#define NAME(function) function##_avx2
#define TARGET AVX2
#define WIDTH 8
#define FLOATS __m256
#define LOAD _mm256_loadu_ps
#define LOAD_BF16 avx2_load_bf16
#define HIGHER _mm256_max_ps
#define HIGHEST highest_of_8
#define TRUTHS __m256i
#define ALL _mm256_set1_epi32(-1)
#define AND_GOOD(truths, a)      \
	_mm256_and_si256(truths, \
	    _mm256_castps_si256( \
	        _mm256_cmp_ps(a, _mm256_set1_ps(INFINITY), _CMP_LT_OQ)))
#define ARE_ALL(truths) (_mm256_movemask_epi8(truths) == -1)
#define BITS(a, b) _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NLE_UQ))
#define SPREAD(value) _mm256_set1_ps(value)
#include "maxima_kernel.h"

#define NAME(function) function##_avx512
#define TARGET AVX512
#define WIDTH 16
#define FLOATS __m512
#define LOAD _mm512_loadu_ps
#define LOAD_BF16 avx512_load_bf16
#define HIGHER _mm512_max_ps
#define HIGHEST _mm512_reduce_max_ps
#define TRUTHS __mmask16
#define ALL 0xffff
#define AND_GOOD(truths, a) \
	_mm512_mask_cmp_ps_mask(truths, a, _mm512_set1_ps(INFINITY), _CMP_LT_OQ)
#define ARE_ALL(truths) ((truths) == 0xffff)
#define BITS(a, b) _mm512_cmp_ps_mask(a, b, _CMP_NLE_UQ)
#define SPREAD(value) _mm512_set1_ps(value)
#include "maxima_kernel.h"
#endif

const struct maxima_kernel maxima_kernels[] = {
#if CPU_X86
    {"avx512", CPU_AVX512, find_avx512, find_bf16_avx512, above_avx512,
        above_bf16_avx512},
    {"avx2", CPU_AVX2, find_avx2, find_bf16_avx2, above_avx2, above_bf16_avx2},
    {"sse2", CPU_SSE2, find_sse2, find_bf16_sse2, above_sse2, above_bf16_sse2},
#elif CPU_ARM
    {"neon", CPU_NEON, find_neon, find_bf16_neon, above_neon, above_bf16_neon},
#endif
    {"portable", CPU_ANY, find_portable, find_bf16_portable, above_portable,
        above_bf16_portable},
    {NULL, CPU_ANY, NULL, NULL, NULL, NULL},
};

static const struct maxima_kernel *
best_kernel(void)
{
	const struct maxima_kernel *kernel = maxima_kernels;

	while (!cpu_has(kernel->needs))
		kernel++;
	return kernel;
}

bool
maxima_find(const float *row, size_t n, size_t size, float *max)
{
	return best_kernel()->find(row, n, size, max);
}

bool
maxima_find_bf16(const struct bf16 *row, size_t n, size_t size, float *max)
{
	return best_kernel()->find_bf16(row, n, size, max);
}

uint64_t
maxima_above(const float *values, float floor)
{
	return best_kernel()->above(values, floor);
}

uint64_t
maxima_above_bf16(const struct bf16 *values, float floor)
{
	return best_kernel()->above_bf16(values, floor);
}

/* In a row that has one. */
static size_t
first_bad(const float *row)
{
	size_t i = 0;

	while (row[i] < INFINITY)
		i++;
	return i;
}

size_t
maxima_of_row(const float *row, size_t n, float *max)
{
	size_t i = n / MAXIMA_STEP * MAXIMA_STEP;
	bool good = true;

	*max = -INFINITY;
	if (i > 0)
		good = maxima_find(row, 1, i, max);
	for (; i < n; i++) {
		*max = row[i] > *max ? row[i] : *max;
		good = good && row[i] < INFINITY;
	}
	return good ? n : first_bad(row);
}
