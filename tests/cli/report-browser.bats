#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --report in a browser: narrow and wide, light and dark, by keyboard.
#
# Chromium tries the page and tells what it found; nothing is compared pixel
# by pixel.  Pictures to look at are left in $TOKPICK_PICTURES, if that is set.

load helper

# A copy of its own for each test: the tests may run at once.
browse()
{
	timeout 120 chromium --headless --no-sandbox --disable-gpu \
	    --user-data-dir="$PWD/profile" --hide-scrollbars "$@" \
	    2>/dev/null
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	exec </dev/null
	[[ ${TOKPICK_BROWSER:-} != no ]] || skip 'no browser is wanted'
	command -v chromium >/dev/null || skip 'chromium is not installed'
}

# Draw, so that there is a page, of many points or of few.
story()
{
	try -V 512 --prompt "@$data/story-1.prompt" \
	    --pieces "$data/story.pieces.txt" --temp 1.3 --seed 4 \
	    --expect "$data/story-1.ids" --report page.html "$@"
	[[ -s page.html ]] || fail 'no page'
}

# try_page WIDTH SCHEME CHECK...: what the probe found is `found` to each
# check, a Python expression.
try_page()
{
	local width=$1 scheme=1
	[[ $2 == light ]] || scheme=0
	python "$here/report.py" probe page.html "$width" >probe.html
	browse --blink-settings=preferredColorScheme=$scheme \
	    --window-size=1600,1000 --dump-dom "file://$PWD/probe.html" |
	    sed -n 's/.*<pre id="result">\(.*\)<\/pre>.*/\1/p' >found
	shift 2
	python - "$@" <<-'END' || fail 'found:' "$(<found)"
		import html, json, sys
		found = json.loads(html.unescape(open("found").read()))
		for check in sys.argv[1:]:
		    assert eval(check), check
	END
}

@test "the page fits its window, narrow and wide, light and dark" {
	story "$data/story-1.f32.zst"
	for width in 375 1400; do
		try_page $width light "found['width'] == $width" \
		    "found['scroll'] <= $width" "found['wide'] == 0" \
		    "found['background'] == 'rgb(251, 250, 247)'"
		try_page $width dark "found['scroll'] <= $width" \
		    "found['wide'] == 0" \
		    "found['background'] == 'rgb(21, 23, 27)'"
	done
}

@test "the slider goes through the rows, and charts and text follow" {
	story "$data/story-1.f32.zst"
	try_page 1400 light "found['slider']" "found['focus'] == 'row'" \
	    "found['charts'] == found['cursors'] == 7" \
	    "found['told'].startswith('row 1, entropy ')" \
	    "found['moved'].startswith('row 3, entropy ')" \
	    "found['value'] == found['moved']" \
	    "found['here'] == ' was'" \
	    "'drawn \" was\"' in found['moved']" \
	    "found['clicked'].startswith('row 2, ')" \
	    "found['last'].startswith('row 256, ')"
}

@test "of thinned rows the slider tells the range" {
	for ((i = 0; i < 8; i++)); do zstd -dcq "$data/story-1.f32.zst"; done >in
	story in
	try_page 375 light "found['scroll'] <= 375" "found['wide'] == 0" \
	    "found['told'].startswith('rows 1 to 4, entropy ')" \
	    "' to ' in found['told'].partition(', ')[2]" \
	    "found['moved'].startswith('rows 9 to 12, ')" \
	    "found['last'].startswith('rows ')"
}

@test "pictures can be taken" {
	local scheme=0 name
	story "$data/story-1.f32.zst"
	for name in dark light; do
		for width in 375 1400; do
			browse --blink-settings=preferredColorScheme=$scheme \
			    --window-size=$width,3000 \
			    --screenshot="$PWD/$name-$width.png" \
			    "file://$PWD/page.html"
			python -c 'import struct, sys
with open(sys.argv[1], "rb") as f:
    head = f.read(24)
assert head.startswith(b"\x89PNG")
assert struct.unpack(">2I", head[16:]) == (int(sys.argv[2]), 3000)' \
			    $name-$width.png $width || fail "$name-$width.png"
		done
		scheme=1
	done
	[[ -z ${TOKPICK_PICTURES:-} ]] || cp ./*.png "$TOKPICK_PICTURES"
}
