#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Texts drawn inside JSON schemas, and schemas that are refused.

load helper

@test "texts drawn inside a schema are valid by python3-jsonschema" {
	# The module is not of the standard library: without -S.
	"$PYTHON" -I -c 'import jsonschema' 2>err || skip "no python3-jsonschema"
	"$PYTHON" -I "$here/schema-draws.py" "${TOKPICK_TEXTS:-1000}" \
	    "$data"/schemas/*.json
}

@test "a schema is refused by keyword and place, with status 2" {
	try -V 512 --pieces "$data/story.pieces.txt" \
	    --json-schema '{"properties":{"d":{"format":"date"}}}'
	[ "$status" -eq 2 ]
	grep -F -e "--json-schema: #/properties/d/format: 'format' is" err
}

@test "a file's name begins messages about its schema" {
	echo '{"type":' >broken.json
	try -V 512 --pieces "$data/story.pieces.txt" --json-schema @broken.json
	[ "$status" -eq 2 ]
	grep -F "broken.json: line 2, column 1: expecting a JSON value" err
}
