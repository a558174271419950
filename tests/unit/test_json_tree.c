/* SPDX-License-Identifier: MIT */
/* JSON read into a tree: values, strictness, places. */
#include "helper.h"

#include "../../src/schema/json_pointer.h"
#include "../../src/schema/json_tree.h"

/* From a copy at whose end a guard page stands. */
static struct json_tree *
read_bytes(const char *text, size_t n, struct error *err)
{
	char *copy = guarded_new(n > 0 ? n : 1);
	struct json_tree *tree;

	memcpy(copy, text, n);
	tree = json_tree_read(copy, n, "test", err);
	guarded_free(copy, n > 0 ? n : 1);
	return tree;
}

static struct json_tree *
read_good(const char *text)
{
	struct error err;
	struct json_tree *tree = read_bytes(text, strlen(text), &err);

	if (tree == NULL)
		fail_msg("%s: %s", text, err.text);
	return tree;
}

static void
check_string(const char *text, const char *expected, size_t n)
{
	struct json_tree *tree = read_good(text);

	assert_int_equal(tree->root->kind, JSON_STRING);
	assert_int_equal(tree->root->size, n);
	assert_memory_equal(tree->root->text, expected, n);
	json_tree_free(tree);
}

static void
check_bad(const char *text, size_t n, const char *message)
{
	struct error err;

	assert_null(read_bytes(text, n, &err));
	assert_int_equal(err.status, STATUS_USAGE);
	assert_string_equal(err.text, message);
}

static void
every_kind_of_value_is_read(void **state)
{
	static const char text[] = " { \"a\" : [ null , true,false ] "
	                           ",\n\"b\":-1.50e+3,\t\"\":{} }\r\n";
	struct json_tree *tree = read_good(text);
	const struct json_node *root = tree->root, *a, *b;

	(void)state;
	assert_int_equal(root->kind, JSON_OBJECT);
	assert_int_equal(root->count, 3);
	a = json_node_named(root, "a");
	assert_int_equal(a->kind, JSON_ARRAY);
	assert_int_equal(a->count, 3);
	assert_int_equal(a->first->kind, JSON_NULL);
	assert_int_equal(a->first->next->kind, JSON_TRUE);
	assert_int_equal(a->last->kind, JSON_FALSE);
	assert_int_equal(a->last->index, 2);
	assert_ptr_equal(a->parent, root);
	b = json_node_named(root, "b");
	assert_ptr_equal(a->next, b);
	assert_int_equal(b->kind, JSON_NUMBER);
	assert_int_equal(b->size, 8);
	assert_memory_equal(b->text, "-1.50e+3", 8);
	assert_int_equal(json_node_named(root, "")->kind, JSON_OBJECT);
	assert_null(json_node_named(root, "c"));
	assert_null(json_node_named(b, "a"));
	json_tree_free(tree);
}

static void
strings_are_unescaped(void **state)
{
	(void)state;
	check_string("\"\"", "", 0);
	check_string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8);
	check_string("\"\\u0041\\u00e9\\u20AC\\u0000\"", "A\u00e9\u20ac", 7);
	check_string("\"\\ud7ff\\uFFFD\"", "\xed\x9f\xbf\xef\xbf\xbd", 6);
	check_string("\"\\ud83d\\ude00\"", "\U0001f600", 4);
	check_string("\"\\uDBFF\\uDFFF\"", "\xf4\x8f\xbf\xbf", 4);
	check_string("\"\x7f\u00e9\U0001f600\"", "\x7f\u00e9\U0001f600", 7);
}

static void
keys_are_found_among_many(void **state)
{
	enum { KEYS = 500 };
	static char text[KEYS * 16];
	struct json_tree *tree;
	char key[16];
	size_t used = 0;

	(void)state;
	for (int i = 0; i < KEYS; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%c\"%d\":%d", i == 0 ? '{' : ',', i * 7919 % KEYS, i);
	text[used++] = '}';
	tree = read_good(text);
	for (size_t i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "%zu", i * 7919 % KEYS);
		assert_int_equal(json_node_named(tree->root, key)->index, i);
	}
	assert_null(json_node_named(tree->root, "500"));
	json_tree_free(tree);
}

static void
what_is_not_json_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
	    {"", "line 1, column 1: expecting a JSON value"},
	    {" \n\t", "line 2, column 2: expecting a JSON value"},
	    {"nul", "line 1, column 1: expecting a JSON value"},
	    {"NaN", "line 1, column 1: expecting a JSON value"},
	    {"'a'", "line 1, column 1: expecting a JSON value"},
	    {"[1,]", "line 1, column 4: expecting a JSON value"},
	    {"[1 2]", "line 1, column 4: expecting ',' or ']'"},
	    {"[1", "line 1, column 3: expecting ',' or ']'"},
	    {"[", "line 1, column 2: expecting a JSON value"},
	    {"[1}", "line 1, column 3: expecting ',' or ']'"},
	    {"{\"a\":1]", "line 1, column 7: expecting ',' or '}'"},
	    {"{\"a\":1,}", "line 1, column 8: expecting a key in '\"'"},
	    {"{a:1}", "line 1, column 2: expecting a key in '\"'"},
	    {"{\"a\" 1}", "line 1, column 6: expecting ':'"},
	    {"{\"\u00e9\" 1}", "line 1, column 6: expecting ':'"},
	    {"{\"a\":1,\n\"b\":2,\"a\":3}",
	        "line 2, column 12: a key stands twice in this object"},
	    {"{\"a\":1,\"\\u0061\":3}",
	        "line 1, column 18: a key stands twice in this object"},
	    {"1 2",
	        "line 1, column 3: expecting nothing behind the JSON value"},
	    {"{}}",
	        "line 1, column 3: expecting nothing behind the JSON value"},
	    {"01", "line 1, column 2: expecting nothing behind the JSON value"},
	    {"-", "line 1, column 2: expecting a digit"},
	    {"-a", "line 1, column 2: expecting a digit"},
	    {"1.", "line 1, column 3: expecting a digit"},
	    {"1e", "line 1, column 3: expecting a digit"},
	    {"1e+", "line 1, column 4: expecting a digit"},
	    {".5", "line 1, column 1: expecting a JSON value"},
	    {"+1", "line 1, column 1: expecting a JSON value"},
	    {"\"a", "line 1, column 3: expecting '\"': a string has no end"},
	    {"\"a\n\"",
	        "line 1, column 3: a control character in a string is "
	        "written as an escape"},
	    {"\"\\a\"",
	        "line 1, column 3: a backslash begins none of "
	        "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
	    {"\"\\u12g4\"",
	        "line 1, column 3: expecting four hexadecimal "
	        "digits after \\u"},
	    {"\"\\u12",
	        "line 1, column 3: expecting four hexadecimal digits "
	        "after \\u"},
	    {"\"\\ud800\"",
	        "line 1, column 3: a high surrogate has no low one "
	        "behind it"},
	    {"\"\\ud800\\u0041\"",
	        "line 1, column 3: a high surrogate has no "
	        "low one behind it"},
	    {"\"\\udc00\"",
	        "line 1, column 3: a low surrogate has no high one "
	        "before it"},
	    {"\"\\ud83d\\ue000\"",
	        "line 1, column 3: a high surrogate has no low one "
	        "behind it"},
	    {"\"\\ud83d\\n1234\"",
	        "line 1, column 3: a high surrogate has no low one "
	        "behind it"},
	    {"\"\\ud83dxude00\"",
	        "line 1, column 3: a high surrogate has no low one "
	        "behind it"},
	    {"\"\\ud83d",
	        "line 1, column 3: a high surrogate has no low one "
	        "behind it"},
	    {"\"\\",
	        "line 1, column 3: a backslash begins none of "
	        "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
	    {"{\"a\n\":1}",
	        "line 1, column 4: a control character in a string is "
	        "written as an escape"},
	    {"\"\xff\"", "line 1, column 2: expecting UTF-8"},
	    {"\"\xed\xa0\x80\"", "line 1, column 2: expecting UTF-8"},
	    {"\"\xc3", "line 1, column 2: expecting UTF-8"},
	};
	char message[200];

	(void)state;
	for (size_t i = 0; i < LENGTH(bad); i++) {
		snprintf(message, sizeof(message), "test: %s", bad[i].message);
		check_bad(bad[i].text, strlen(bad[i].text), message);
	}
	check_bad("[\0]", 3, "test: line 1, column 2: expecting a JSON value");
	check_bad("\"\\\0\"", 4,
	    "test: line 1, column 3: a backslash begins none of "
	    "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
}

/* Brackets alone, and closed again as far as they were opened. */
static void
depth_is_bounded(void **state)
{
	char text[2 * JSON_DEPTH + 2];
	struct json_tree *tree;
	struct error err;

	(void)state;
	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	tree = json_tree_read(text, 2 * JSON_DEPTH, "test", &err);
	assert_non_null(tree);
	json_tree_free(tree);
	memset(text, '[', JSON_DEPTH + 1);
	memset(text + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	assert_null(json_tree_read(text, sizeof(text), "test", &err));
	assert_string_equal(err.text,
	    "test: line 1, column 201: more than 200 arrays and objects "
	    "inside one another");
}

static void
check_step(const struct json_node *root, const char *pointer, const char *path)
{
	char printed[100], cut[8];
	char copy[100], *at = copy;
	size_t n = strlen(pointer);

	memcpy(copy, pointer, n + 1);
	while (root != NULL && at < copy + n)
		root = json_pointer_step(root, &at, copy + n);
	if (path == NULL) {
		assert_null(root);
		return;
	}
	assert_non_null(root);
	json_pointer_print(printed, sizeof(printed), root);
	assert_string_equal(printed, path);
	json_pointer_print(cut, sizeof(cut), root);
	snprintf(printed, sizeof(printed), "%.7s", path);
	assert_string_equal(cut, printed);
}

static void
places_are_found_and_named(void **state)
{
	struct json_tree *tree = read_good(
	    "{\"a/b\":[0,{\"~\":1}],\"\":2,\"a b\":3,\"%\":4,\"~1\":5,"
	    "\"n\":[0,1,2,3,4,5,6,7,8,9,10]}");
	const struct json_node *root = tree->root;

	(void)state;
	check_step(root, "", "#");
	check_step(root, "/a~1b/1/~0", "#/a~1b/1/~0");
	check_step(root, "/a~1b/0", "#/a~1b/0");
	check_step(root, "/", "#/");
	check_step(root, "/a%20b", "#/a b");
	check_step(root, "/a%7E1b", "#/a~1b");
	check_step(root, "/%25", "#/%");
	check_step(root, "/~01", "#/~01");
	check_step(root, "/a", NULL);
	check_step(root, "/a~1b/2", NULL);
	check_step(root, "/a~1b/00", NULL);
	check_step(root, "/a~1b/-1", NULL);
	check_step(root, "/n/10", "#/n/10");
	check_step(root, "/n/:", NULL);
	check_step(root, "/a~1b/4294967296", NULL);
	check_step(root, "/a~1b/", NULL);
	check_step(root, "/%", NULL);
	check_step(root, "/%2", NULL);
	check_step(root, "/%g0", NULL);
	check_step(root, "/~", NULL);
	check_step(root, "/~2", NULL);
	json_tree_free(tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_of_value_is_read),
	    cmocka_unit_test(strings_are_unescaped),
	    cmocka_unit_test(keys_are_found_among_many),
	    cmocka_unit_test(what_is_not_json_is_refused_with_its_place),
	    cmocka_unit_test(depth_is_bounded),
	    cmocka_unit_test(places_are_found_and_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
