package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
)

func safe(line string) string {
	var b strings.Builder
	for _, s := range text.Spans(nil, []byte(line), text.Options{}) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// expected are the lines that the view tab must show for a path: the tool's own
// and, where the tool refuses a file, the line about its bytes and the bytes.
func (d *driver) expected(path string) (lines []string, numbered bool) {
	d.t.Helper()
	r := d.browse().Store.Do(d.t.Context(), memstore.Command{Name: memstore.CmdView, Path: path})
	lines = strings.Split(r.Content, "\n")
	if !r.IsError {
		return lines, strings.HasPrefix(r.Content, "Here's the content of ")
	}
	data, err := os.ReadFile(filepath.Join(d.dir, strings.TrimPrefix(path, memstore.Root)))
	if err != nil {
		return lines, false
	}
	return append(append(lines, "The agent gets only the line above. Below is the file as it is"), strings.Split(string(data), "\n")...), false
}

// wrappedRows are the screen rows of the lines, wrapped: a numbered line has its
// number on the first of them and room for it on the others.
func wrappedRows(lines []string, numbered bool, width int) []string {
	var out []string
	for i, line := range lines {
		number, start := "", 0
		if numbered && i > 0 {
			start, number, line = 8, safe(line[:7]), line[7:]
		}
		for _, part := range text.Wrap(nil, []byte(line), width-start, text.Options{StartCol: start}) {
			row := ""
			for _, s := range text.Window([]byte(line[part.Start:part.End]), 0, width-start, text.Options{StartCol: part.Col}) {
				row += s.Text
			}
			out = append(out, text.Pad(text.Pad(number, start)+row, width))
			number = ""
		}
	}
	return out
}

// pages scrolls from the first page to the last and compares each with its part of want.
func (d *driver) pages(want []string) {
	d.t.Helper()
	d.press("g", "^")
	h := len(d.viewRows())
	last := max(0, len(want)-h)
	for top := 0; ; top += h - 1 {
		at := min(top, last)
		got := bodies(d.viewRows())
		for i, row := range got {
			expect := strings.Repeat(" ", len([]rune(row)))
			if at+i < len(want) {
				expect = want[at+i]
			}
			if row != expect && (at+i < len(want) || strings.TrimSpace(row) != "") {
				d.t.Fatalf("%s at %dx%d: row %d is\n%q, want\n%q\n%s", d.browse().View.Path(), d.m.stage.w, d.m.stage.h, at+i, row, expect, d.screen())
			}
		}
		if at == last {
			return
		}
		d.press("pgdown")
	}
}

// exact compares the whole of a path's view with the tool's own text.
func (d *driver) exact(path string) {
	d.t.Helper()
	d.opens(path)
	lines, numbered := d.expected(path)
	width := d.m.stage.w - 2 // gutter, scroll bar
	wrapped := wrappedRows(lines, numbered, width)
	d.pages(wrapped)
	// Joined, wrapped rows are the text again; spaces at their ends cannot be told from padding.
	squeeze := func(rows []string) string { return strings.ReplaceAll(strings.Join(rows, ""), " ", "") }
	full := make([]string, len(lines))
	for i, line := range lines {
		full[i] = safe(line)
	}
	if squeeze(wrapped) != squeeze(full) {
		d.t.Fatal("the wrapped rows of the view are not the text")
	}
}

// awkward are texts that are easy to show wrong.
func awkward() map[string]string {
	numbers := ""
	for i := range 1200 {
		numbers += fmt.Sprintf("line %d\n", i+1)
	}
	return map[string]string{
		"plain.md": "one\ntwo\nthree\n", "no-final-newline.md": "one\ntwo", "empty.md": "", "newline.md": "\n",
		"newlines.md": strings.Repeat("\n", 150), "crlf.md": "one\r\n\r\ntwo\r\n", "cr.md": "over\rwritten\n",
		"tabs.md": "\ta\n\t\tb\na\tb\tc\n" + strings.Repeat("\tx", 30) + "\n1234567\t8\n", "spaces.md": "  a  \n\n   \nb ",
		"cjk.md":       strings.Repeat("日本語とEnglishの混ざった行です、한국어도。", 8) + "\n" + strings.Repeat("全", 200) + "\n",
		"combining.md": "e\u0301 a\u0301\u0302\u0303\u0304\u0305\u0306\n\u0301 alone\n" + strings.Repeat("e\u0301", 120) + "\n",
		"emoji.md":     "👩\u200d👩\u200d👧\u200d👦 🏳\ufe0f\u200d🌈 🇯🇵 1\ufe0f\u20e3 👍🏽\n",
		"controls.md":  "a\x1b[31mred\x1b[0m\x00\x7f\u009b2J\nbell\a\b\n\x1b]52;c;YQ==\a\n",
		"bidi.md":      "abc \u202edef\u202c \u200b\u2066x\u2069 \u05d0\u05d1\n", "separators.md": "a\u2028b\u2029c\u0085d\ve\ff\n",
		"1200.md": numbers, "words.md": strings.Repeat("some words that wrap at spaces and some-that-wrap/elsewhere ", 20) + "\n",
		"one-word.md": strings.Repeat("x", 3000), "invalid.md": "good\nbad \xff\xfe\nna\xefve\n", "cut.md": "cut \xe2\x82",
		"binary.bin": "\x7fELF\x00\x01\x02\xff\xfe\n\x80\x81\n", "numbered.md": "     1\tnot line one\n     2\t\n",
	}
}

func TestViewIsTheToolsOwnTextForAwkwardFiles(t *testing.T) {
	t.Parallel()
	contents := awkward()
	d := start(t, setup{dir: files(t, contents), w: 70, h: 24, theme: theme.Options{Dark: true}})
	for name := range contents {
		for _, size := range [][2]int{{23, 9}, {70, 24}, {300, 50}} {
			if brief() && name == "1200.md" && size[0] == 23 {
				continue // 600 pages
			}
			d.resize(size[0], size[1])
			d.exact("/memories/" + name)
		}
	}
}

// The view tab shows what the tool returns in the SDKs' dialects too, also of files that are longer
// than one read, with line ends that one of them folds and bytes that the other fixes.
func TestViewIsTheToolsOwnTextInEachDialect(t *testing.T) {
	t.Parallel()
	long := func(line string, bytes int) string { return strings.Repeat(line, bytes/len(line)+1) }
	contents := map[string]string{
		"cr.md": "one\r\ntwo\rthree\n\r", "bad.md": "bad \xff\xfe byte\n\xe3\x81", "plain.md": "a\n\nb", "empty.md": "",
		"long-plain.md": long("a line of a long file\n", 5<<20), "long-cr.md": long("a line\r\nand one\r", 5<<20),
		"long-bad.md":  "\xff" + long("a line with \xc3( in it\n", 5<<20),
		"too-many.md":  strings.Repeat("\n", 1_000_000),
		"too-many2.md": strings.Repeat("\r", 1_000_000),
		"a%2e%2e":      "text\n",
	}
	if filepath.Separator == '/' {
		contents[`odd..\name`] = "text\r\n"
	}
	for _, dialect := range memstore.Dialects() {
		t.Run(dialect.String(), func(t *testing.T) {
			d := start(t, setup{dir: files(t, contents), w: 70, h: 40, theme: dark, dialect: dialect})
			for name := range contents {
				d.opens(memstore.Root + "/" + name)
				lines, _ := d.expected(memstore.Root + "/" + name)
				h := len(d.viewRows())
				shows := func(from int, what string) {
					t.Helper()
					got := bodies(d.viewRows())
					for i := range min(h, len(lines)-from) {
						if want := text.Pad(safe(lines[from+i]), d.m.stage.w-4); !strings.HasPrefix(strings.TrimRight(got[i], " "), strings.TrimRight(want[:min(len(want), 60)], " ")) {
							t.Fatalf("%s, %s of %s: row %d is\n%q, want\n%q", name, what, dialect, from+i, got[i], want)
						}
					}
				}
				d.press("w")
				shows(0, "the beginning")
				d.press("G")
				shows(max(0, len(lines)-h), "the end")
				d.press("w")
			}
		})
	}
}
