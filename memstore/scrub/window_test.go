package scrub

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// inWindows is an engine for which every text of more than 80 KB is a long one.
func inWindows(t testing.TB) *Engine {
	e := *engine(t)
	e.window = 16 << 10
	return &e
}

// TestWindowsFindTheSame compares a scan in windows with one of the whole, in which the
// lines that hold values and those that hold none come again and again. Where a window
// begins, what a title far above announces may be read once more.
func TestWindowsFindTheSame(t *testing.T) {
	var b bytes.Buffer
	for _, file := range []string{"finds.txt", "leaves.txt"} {
		for _, c := range readLines(t, file, 0) {
			fmt.Fprintf(&b, "%s\n\n%s\n\n", c.text, "the parser reads the file once and remembers where each line begins")
		}
	}
	whole, windows := engine(t), inWindows(t)
	whole.window = 1 << 30
	for i, name := range []string{"a.md", "a.jsonl"} {
		if i > 0 && (raced || testing.Short()) {
			break
		}
		want, got := whole.Find(name, b.Bytes()), windows.Find(name, b.Bytes())
		if len(got) > len(want)+len(want)/100 {
			t.Errorf("%s: %d findings, not %d", name, len(got), len(want))
		}
		at := 0
		for _, f := range want {
			for at < len(got) && got[at].End < f.End {
				at++
			}
			if at == len(got) || got[at].Start > f.Start {
				t.Errorf("%s: %+v is not found in windows", name, f)
			}
		}
	}
}

// TestWindowsKeepSight holds what goes over several windows.
func TestWindowsKeepSight(t *testing.T) {
	e := inWindows(t)
	filler := strings.Repeat("the meeting moved to Thursday\n", 3000)
	for _, c := range []struct{ what, name, text, value string }{
		{"a value far from its first mention", "a.md", "password: hunter2x\n" + filler + "also with hunter2x there\n", "hunter2x"},
		{"a value before its first mention", "a.md", "with hunter2x there\n" + filler + "password: hunter2x\n", "hunter2x"},
		{"one line", "a.json", `{"a": "` + strings.ReplaceAll(filler, "\n", `\n`) + `password: hunter2x\n` +
			strings.ReplaceAll(filler, "\n", `\n`) + `"}`, "hunter2x"},
	} {
		found := e.Find(c.name, []byte(c.text))
		if n := strings.Count(c.text, c.value); len(found) != n {
			t.Errorf("%s: %d findings, not %d", c.what, len(found), n)
		}
		for _, f := range found {
			if c.text[f.Start:f.End] != c.value {
				t.Errorf("%s: %q is found", c.what, c.text[f.Start:f.End])
			}
		}
	}
}
