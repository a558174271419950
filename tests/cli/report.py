#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Look at a report: its numbers, its tokens, its markup, its colours.

usage: report.py numbers PAGE TRACE [IDS]
       report.py tokens PAGE
       report.py markup PAGE
       report.py contrast PAGE
       report.py probe PAGE WIDTH

  numbers   hold the page's data against the JSON lines of the same run, and
            the ids that were recorded
  tokens    print the tokens' texts, a JSON array, and what is between them
  markup    check that tags are ours, are closed, and load nothing
  contrast  check that text differs from what is behind it, light and dark
  probe     print a page that shows it so many pixels wide, with a script
            added that tries it; what it found is JSON in the element result
"""
import html
import html.parser
import json
import math
import re
import sys

TEXT = 5000  # tokens kept at each end
VOID = {"meta", "input", "wbr"}


class Page(html.parser.HTMLParser):
    """The tags, the data, the tokens."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []
        self.data, self.tokens, self.parts = "", [], {}
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.attributes.extend(attrs.items())
        if tag in VOID:
            return
        self.open.append((tag, attrs))
        if self.is_token():
            self.tokens.append((attrs["title"], ""))

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.extend(dict(attrs).items())

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}>"
        self.open.pop()

    def is_token(self):
        return (len(self.open) > 1 and self.open[-1][0] == "span" and
                self.open[-2][1].get("class", "").startswith("text"))

    def handle_data(self, data):
        if not self.open:
            return
        tag, attrs = self.open[-1]
        self.parts[tag] = self.parts.get(tag, "") + data
        if attrs.get("id") == "data":
            self.data += data
        if self.is_token():
            title, text = self.tokens[-1]
            self.tokens[-1] = title, text + data


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def parse(path):
    page = Page(read(path))
    return page, json.loads(page.data)


def check_figure(got, values, span):
    """What a point stands for, against its rows."""
    parts = [values[i:i + span] for i in range(0, len(values), span)]
    assert len(got["mean"]) == len(parts)
    for i, part in enumerate(parts):
        mean = math.fsum(part) / len(part)
        assert math.isclose(got["mean"][i], mean, rel_tol=1e-12), (i, mean)
        if span == 1:
            assert got["mean"][i] == part[0], (i, part)
        else:
            assert got["least"][i] == min(part), (i, part)
            assert got["most"][i] == max(part), (i, part)
    assert (span > 1) == ("least" in got)


def numbers(path, trace, recorded=None):
    page, data = parse(path)
    rows = [json.loads(line) for line in read(trace).splitlines()]
    ids = [row["id"] for row in rows]
    span = data["span"]
    assert data["rows"] == len(rows) and data["first"] == rows[0]["row"]
    assert span == 1 or len(rows) > 1000 * (span // 2)
    assert len(data["p"]["mean"]) <= 1000
    for name in "entropy", "p", "rank":
        check_figure(data[name], [row[name] for row in rows], span)
    assert list(data["kept"]) == list(rows[0]["kept"])
    for name, kept in data["kept"].items():
        check_figure(kept, [row["kept"][name] for row in rows], span)
    kept = ids if len(ids) <= 2 * TEXT else ids[:TEXT] + ids[-TEXT:]
    assert data["ids"] == kept
    titles = [title for title, _ in page.tokens]
    assert len(titles) == len(kept)
    at = [*range(min(TEXT, len(ids))),
          *range(max(len(ids) - TEXT, TEXT), len(ids))]
    for title, i in zip(titles, at, strict=True):
        row = rows[i]
        assert title.startswith(
            f"row {row['row']}: id {row['id']}, p {row['p']:.3g}, "
            f"rank {row['rank']}"), (title, row)
    assert (recorded is None) == ("differs" not in data)
    if recorded is not None:
        known = [int(word) for word in read(recorded).split()][:len(ids)]
        assert data["compared"] == len(known)
        differs = [int(a != b) for a, b in zip(ids, known)]
        differs += [0] * (len(ids) - len(differs))
        check_figure(data["differs"], differs, span)
        for title, i in zip(titles, at, strict=True):
            want = f"; recorded is {known[i]}" if differs[i] else ""
            assert title.partition(";")[2] == want[1:], title


def tokens(path):
    page, _ = parse(path)
    print(json.dumps([text for _, text in page.tokens]))


def markup(path):
    text = read(path)
    page = Page(text)
    known = set("""html head meta title style body header h1 dl div dt dd p
        main section h2 figure figcaption h3 svg path span i wbr details
        summary table caption thead tbody tr th td footer form label input
        script""".split())
    assert set(page.tags) <= known, set(page.tags) - known
    assert page.tags.count("script") == (2 if page.data else 0)
    for name, value in page.attributes:
        assert name not in {"src", "href", "srcset", "action"}, name
        assert not name.startswith("on"), name
    assert "//" not in re.sub(r"^// .*$", "", page.parts.get("script", ""),
                              flags=re.M)
    for word in "url(", "@import", "http:", "https:":
        assert word not in text, word
    assert ("http-equiv", "Content-Security-Policy") in page.attributes


def luminance(colour):
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [part / 12.92 if part <= 0.04045 else
             ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def ratio(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def contrast(path):
    """WCAG 2.2: 4.5 for text (1.4.3), 3 for what is drawn (1.4.11)."""
    style = Page(read(path)).parts["style"]
    light, dark = (dict(re.findall(r"--(\w+): (#\w+)", block))
                   for block in re.findall(r":root \{(.*?)\}", style, re.S))
    assert set(light) == set(dark)
    shades = [name for name in light if re.fullmatch(r"s\d", name)]
    assert len(shades) == 5
    pairs = [("fg", back, 4.5) for back in ["bg", "card", *shades]]
    pairs += [("dim", back, 4.5) for back in ["bg", "card", "s1", "s2"]]
    pairs += [(front, back, 3) for front in ["line", "mark", "focus"]
              for back in ["bg", "card"]]
    pairs += [("line", "band", 3)]
    for colours in light, dark:
        for front, back, least in pairs:
            got = ratio(colours[front], colours[back])
            assert got >= least, f"{front} on {back}: {got:.2f}"


PROBE = """
<pre id="found"></pre>
<script>
{
  const at = id => document.getElementById(id);
  const wide = () => [...document.body.querySelectorAll("*")].filter(
    e => !e.closest(".box") &&
      e.getBoundingClientRect().right >
        document.documentElement.clientWidth + 0.5).length;
  const found = {width: innerWidth,
    background: getComputedStyle(document.body).backgroundColor,
    slider: getComputedStyle(at("look")).display != "none",
    charts: document.querySelectorAll("svg").length,
    cursors: document.querySelectorAll(".cursor[d^=M]").length,
    told: at("told").textContent};
  for (const d of document.querySelectorAll("details")) d.open = true;
  found.scroll = document.documentElement.scrollWidth;
  found.wide = wide();
  at("row").focus();
  found.focus = document.activeElement.id;
  at("row").value = 2;
  at("row").dispatchEvent(new Event("input"));
  found.moved = at("told").textContent;
  found.value = at("row").getAttribute("aria-valuetext");
  const here = document.querySelectorAll(".here");
  found.here = here.length == 1 ? here[0].textContent : null;
  document.querySelectorAll(".text > span")[1].click();
  found.clicked = at("told").textContent;
  const svg = document.querySelector("svg"), box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent("pointerdown",
    {clientX: box.right - 1, clientY: box.top + 5}));
  found.last = at("told").textContent;
  at("found").textContent = JSON.stringify(found);
}
</script>
"""


def probe(path, width):
    # A window can't be as narrow as a frame can.
    page = html.escape(read(path).replace("</body>", PROBE + "</body>"))
    print(f"""<!DOCTYPE html><meta charset="utf-8"><pre id="result"></pre>
        <iframe style="width: {width}px; height: 800px; border: 0"
        onload="document.getElementById('result').textContent =
        this.contentDocument.getElementById('found').textContent"
        srcdoc="{page}"></iframe>""")


MODES = {"numbers": numbers, "tokens": tokens, "markup": markup,
         "contrast": contrast, "probe": probe}
MODES[sys.argv[1]](*sys.argv[2:])
