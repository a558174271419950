#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Number formats: f32, f64, f16, bf16, and their odd values.

load helper

# Drawn with --greedy, the id tells how the values compare.
greatest()
{
	local dtype=$1 want=$2 row=$3
	draws "$want" -V "$(wc -w <<<"$row")" -d "$dtype" --greedy \
	    < <(rows -d "$dtype" "$row")
}

@test "the same numbers in every format give the same ids" {
	for dtype in f32 f64 f16 bf16; do
		rows -d "$dtype" -n 50 '0.5 -1.75 1.25 0 -0.0 2 1.5 -8' >in
		tokpick -V 8 -d "$dtype" --no-defaults in >"$dtype"
		check_same f32 "$dtype"
	done
	(($(sort -u f32 | wc -l) > 4))
	(($(wc -l <f32) == 50))
}

@test "f32 is the default" {
	rows '0 9' >in
	draws 1 -V 2 in
	draws 1 -V 2 -d f32 in
	draws 1 -V 2 --dtype=f32 in
}

@test "values are little-endian" {
	printf '\0\0\200\77\0\0\0\100' >in # 1 and 2
	draws 1 -V 2 --greedy in
	printf '\100\0\0\0\77\200\0\0' >in # big-endian: 9.0e-44, 4.6e-41
	draws 1 -V 2 --greedy in
}

@test "f16 goes up to 65504, and down to 2^-24 below its normal numbers" {
	greatest f16 0 '0x7bff 0x7bfe 0x4000'
	greatest f16 1 '0x0000 0x0001 0x8001'
	greatest f16 2 '0x0001 0x0002 0x0003'
	greatest f16 1 '0x03ff 0x0400 0x0000'
	greatest f16 0 '0x8001 0x8002 0x8400'
}

@test "the denormals of f16 have their exact values" {
	# 1023 * 2^-24, and a temperature at which the odds show it.
	rows -d f16 -n 300 '0x03ff 0x0000' >half
	rows -d f32 -n 300 '6.097555160522461e-05 0' >single
	tokpick -V 2 -d f16 --no-defaults --temp 6e-5 half >a
	tokpick -V 2 -d f32 --no-defaults --temp 6e-5 single >b
	check_same a b
	[[ $(sort -u a | paste -sd ' ') == '0 1' ]]
}

@test "bf16 is the upper half of an f32" {
	greatest bf16 1 '0x3f80 0x3f81 0x3f7f'
	greatest bf16 0 '0x7f7f 0x7f00'
	greatest bf16 1 '0x0000 0x0001 0x8001'
	rows -d bf16 -n 50 '0x3fc0 0xbf80 0x0000' >a
	rows -d f32 -n 50 '1.5 -1 0' >b
	tokpick -V 3 -d bf16 a >a.ids
	tokpick -V 3 b >b.ids
	check_same a.ids b.ids
}

# 40 rows of 1003 values as bf16 and the same as f32, with masks and pieces.
both()
{
	python - <<-'END'
		import random, struct
		random.seed(3)
		files = [open(name, "wb") for name in ("bf16", "f32", "masks")]
		for _ in range(40 * 1003):
		    value = random.choice([-float("inf")] + 9 * [random.gauss(0, 3)])
		    upper = struct.pack("<f", value)[2:]
		    files[0].write(upper)
		    files[1].write(b"\0\0" + upper)
		files[2].write(random.randbytes(40 * 32 * 4))
		with open("pieces", "w") as file:
		    file.writelines("ab"[i % 2] + f"{i}\n" for i in range(1003))
	END
}

@test "whatever is asked of rows of bf16, it is as of the same in f32" {
	both
	head -c 33333 bf16 >begin # in the middle of a value
	tail -c +33334 bf16 >end
	while read -ra options; do
		try -V 1003 -s 3 "${options[@]}" f32
		check_status 0
		[[ -s out ]]
		mv out want
		try -V 1003 -s 3 "${options[@]}" -d bf16 bf16
		check_status 0
		check_same want out
		try -V 1003 -s 3 "${options[@]}" -d bf16 begin end
		check_same want out
	done <<-'END'
		--temp 1
		--greedy --limit-ids 1000
		--top-k 0
		--repeat-penalty 1.5 --logit-bias 7+9 --logit-bias 8-inf
		--top-k 0 --frequency-penalty 2
		--mask masks
		--mask masks --top-k 0 --min-p 0.1
		--pieces pieces --grammar root::=("a"[0-9]+)*
		--pieces pieces --grammar root::=("b"[0-9]+)* --mask masks --top-k 0
		--grid seed=1:5;top-k=0,1,50
		--grid seed=1:5;top-k=3,50
		--policy llama.cpp
		-o jsonl --top 3
		-o table --inspect
		--draws 5
	END
}

@test "f64 is rounded to the nearest f32, a tie to even" {
	greatest f64 0 '1 1.0000000298023224' # 1 + 2^-25: down
	greatest f64 0 '1 1.0000000596046448' # 1 + 2^-24, a tie: down
	greatest f64 1 '1 1.0000000596046450' # a little more: up
	greatest f64 1 '1.0000001192092896 1.0000001788139343' # a tie: up
	greatest f64 0 '1e-60 2e-60' # both 0
	greatest f64 0 '-1e-60 1e-60' # and so are these
}

@test "-0 equals 0 in every format: the lower id comes first" {
	greatest f32 0 '0x80000000 0x00000000'
	greatest f64 0 '0x8000000000000000 0x0000000000000000'
	greatest f16 0 '0x8000 0x0000'
	greatest bf16 0 '0x8000 0x0000'
}

@test "the denormals of f32 are not flushed to 0" {
	greatest f32 1 '0 0x00000001'
	greatest f32 0 '0x80000001 0x80000002'
}

@test "an f64 above all f32 is refused as +inf, one below is -inf" {
	rows -d f64 '0 1' '0 1e300' >in
	breaks 1 'row 2: logit of token 1 is +inf*' -V 2 -d f64 --greedy in
	draws 0 -V 2 -d f64 < <(rows -d f64 '0 -1e300')
}

@test "infinity and NaN are known in f16" {
	rows -d f16 '0 0x7c00' >inf
	rows -d f16 '0 0x7c01' >nan
	rows -d f16 '0xfc00 0xfbff' >low
	breaks '' 'row 1: logit of token 1 is +inf*' -V 2 -d f16 inf
	breaks '' 'row 1: logit of token 1 is NaN*' -V 2 -d f16 nan
	draws 1 -V 2 -d f16 low
}

@test "infinity and NaN are known in bf16" {
	rows -d bf16 '0 0x7f80' >inf
	rows -d bf16 '0 0xff81' >nan
	rows -d bf16 '0xff80 0xff7f' >low
	breaks '' 'row 1: logit of token 1 is +inf*' -V 2 -d bf16 inf
	breaks '' 'row 1: logit of token 1 is NaN*' -V 2 -d bf16 nan
	draws 1 -V 2 -d bf16 low
}

@test "infinity and NaN are known in f64" {
	rows -d f64 '0 inf' >inf
	rows -d f64 '0 0xfff0000000000001' >nan
	rows -d f64 '-inf -1' >low
	breaks '' 'row 1: logit of token 1 is +inf*' -V 2 -d f64 inf
	breaks '' 'row 1: logit of token 1 is NaN*' -V 2 -d f64 nan
	draws 1 -V 2 -d f64 low
}

@test "every format is read out of zstd too" {
	for dtype in f32 f64 f16 bf16; do
		rows -d "$dtype" -n 8 '0 0 0 0' | zstd -cq >in.zst
		draws "$even_ids" -V 4 -d "$dtype" in.zst
	done
}

@test "--dtype takes no other word" {
	refuses "--dtype: 'f8' is none of *f32*f64*f16*bf16*" -V 4 -d f8
	refuses "--dtype: 'F32' *" -V 4 -d F32
	refuses "--dtype: '' *" -V 4 -d ''
}
