package memstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

const (
	listHead = "Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:\n"
	fileHead = "Here's the content of %s with line numbers:\n"
	snippet  = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
)

// storeOf makes a store in memory from names and texts; a name that ends in a slash is a directory.
func storeOf(t testing.TB, o Options, files ...string) *Store {
	t.Helper()
	s := New(NewMemory(), o)
	for i := 0; i < len(files); i += 2 {
		if dir, ok := strings.CutSuffix(files[i], "/"); ok {
			must(t, s.backend.Create(dir+"/x", nil))
			must(t, s.backend.Remove(dir+"/x"))
			continue
		}
		must(t, s.backend.Create(files[i], []byte(files[i+1])))
	}
	return s
}

// special puts a FIFO into a store in memory.
func special(t testing.TB, s *Store, name string) {
	t.Helper()
	must(t, s.backend.(*Memory).Special(name))
}

func textOf(t testing.TB, s *Store, name string) string {
	t.Helper()
	data, err := backend.ReadFile(s.backend, name, backend.Look, editLimit)
	must(t, err)
	return string(data)
}

type wanted struct {
	c       Command
	content string
	err     error  // nil: success
	text    string // the file at c.Path afterwards, where it is not ""
}

// run tries commands one by one, each on a fresh store.
func run(t *testing.T, files []string, list []wanted) {
	t.Helper()
	for _, w := range list {
		s := storeOf(t, Options{}, files...)
		before := storeTree(t, s, "")
		r := s.Do(context.Background(), w.c)
		if r.Content != w.content {
			t.Errorf("%+v\ngot  %q\nwant %q", w.c, r.Content, w.content)
		}
		if r.IsError != (w.err != nil) || !errors.Is(r.Err, w.err) {
			t.Errorf("%+v: error %v, want %v", w.c, r.Err, w.err)
		}
		after := storeTree(t, s, "")
		if (w.err != nil || w.c.Name == CmdView) && after != before {
			t.Errorf("%+v changed the tree to\n%s", w.c, after)
		}
		if w.text != "" {
			name, _ := backend.ParsePath(w.c.Path)
			if got := textOf(t, s, name); got != w.text {
				t.Errorf("%+v left %q, want %q", w.c, got, w.text)
			}
		}
	}
}

func view(path string, viewRange ...int) Command {
	return Command{Name: CmdView, Path: path, ViewRange: viewRange}
}

func TestDocsViewFile(t *testing.T) {
	files := []string{
		"a", "one\ntwo\nthree\n", "noend", "one\ntwo", "empty", "", "crlf", "x\r\ny\r\n", "bom", "\ufeffx\u2028y\n",
		"bad", "ok\n\xff\n", "cut", "ab\xe2\x82", "twelve", strings.Repeat("l\n", 12), "d/x", "deep",
	}
	h := func(p string) string { return fmt.Sprintf(fileHead, p) }
	badRange := "Error: Invalid `view_range` parameter: %s. It should be two line numbers [start, end]; an end of -1 is the last line."
	run(t, files, []wanted{
		{c: view("/memories/a"), content: h("/memories/a") + "     1\tone\n     2\ttwo\n     3\tthree\n     4\t"},
		{c: view("/memories//./a/"), content: h("/memories/a") + "     1\tone\n     2\ttwo\n     3\tthree\n     4\t"},
		{c: view("/memories/noend"), content: h("/memories/noend") + "     1\tone\n     2\ttwo"},
		{c: view("/memories/empty"), content: h("/memories/empty") + "     1\t"},
		{c: view("/memories/crlf"), content: h("/memories/crlf") + "     1\tx\r\n     2\ty\r\n     3\t"},
		{c: view("/memories/bom"), content: h("/memories/bom") + "     1\t\ufeffx\u2028y\n     2\t"},
		{c: view("/memories/twelve", 9, 11), content: h("/memories/twelve") + "     9\tl\n    10\tl\n    11\tl"},
		{c: view("/memories/a", 2, 2), content: h("/memories/a") + "     2\ttwo"},
		{c: view("/memories/a", 2, -1), content: h("/memories/a") + "     2\ttwo\n     3\tthree\n     4\t"},
		{c: view("/memories/a", -7, 1), content: h("/memories/a") + "     1\tone"},
		{c: view("/memories/a", 0, 1), content: h("/memories/a") + "     1\tone"},
		{c: view("/memories/a", 3, 99), content: h("/memories/a") + "     3\tthree\n     4\t"},
		{c: view("/memories/a", 4, 4), content: h("/memories/a") + "     4\t"},
		{c: view("/memories/a", 5, 9), content: h("/memories/a")},
		{c: view("/memories/a", 5, -1), content: h("/memories/a")},
		{c: view("/memories/a", 3, 2), content: h("/memories/a")},
		{c: view("/memories/a", 1, 0), content: h("/memories/a")},
		{c: view("/memories/empty", 1, 1), content: h("/memories/empty") + "     1\t"},
		{c: view("/memories/empty", 2, -1), content: h("/memories/empty")},
		{c: view("/memories/a", 1, -2), content: fmt.Sprintf(badRange, "[1, -2]"), err: ErrRange},
		{c: view("/memories/a", 1), content: fmt.Sprintf(badRange, "[1]"), err: ErrRange},
		{c: view("/memories/a", 1, 2, 3), content: fmt.Sprintf(badRange, "[1, 2, 3]"), err: ErrRange},
		{c: Command{Name: CmdView, Path: "/memories/a", ViewRange: []int{}}, content: fmt.Sprintf(badRange, "[]"), err: ErrRange},
		{c: view("/memories/bad"), content: "Error: File /memories/bad is not valid UTF-8 text", err: ErrNotText},
		{c: view("/memories/bad", 1, 1), content: "Error: File /memories/bad is not valid UTF-8 text", err: ErrNotText},
		{c: view("/memories/cut", 1), content: "Error: File /memories/cut is not valid UTF-8 text", err: ErrNotText},
		{c: view("/memories/none"), content: "The path /memories/none does not exist. Please provide a valid path.", err: backend.ErrNotExist},
		{c: view("/memories/none", 1), content: "The path /memories/none does not exist. Please provide a valid path.", err: backend.ErrNotExist},
		{c: view("/memories/a/b"), content: "The path /memories/a/b does not exist. Please provide a valid path.", err: backend.ErrNotDir},
	})
}

func TestDocsLineLimit(t *testing.T) {
	ctx := context.Background()
	most := strings.Repeat("\n", maxRows-1)
	s := storeOf(t, Options{}, "most", most, "ended", most+"\n", "over", most+"\n\n", "unended", most+"x", "unended1", most+"\nx")
	for name, ok := range map[string]bool{"most": true, "ended": true, "unended": true, "over": false, "unended1": false} {
		for _, viewRange := range [][]int{nil, {1, 2}, {1, 2, 3}} {
			r := s.View(ctx, "/memories/"+name, viewRange)
			limit := "File /memories/" + name + " exceeds maximum line limit of 999,999 lines."
			switch {
			case !ok && (r.Content != limit || !errors.Is(r.Err, ErrTooLong)):
				t.Errorf("%s %v: %q", name, viewRange, r.Content[:min(len(r.Content), 80)])
			case ok && len(viewRange) != 3 && r.IsError:
				t.Errorf("%s %v: %v", name, viewRange, r.Err)
			}
		}
	}
	// One count of lines: as many as may be viewed are counted by insert too.
	told := "Error: Invalid `insert_line` parameter: 1000000. It should be within the range of lines of the file: [0, 999999]"
	if r := s.Insert(ctx, "/memories/ended", 1_000_000, "x"); r.Content != told {
		t.Errorf("got %q, want %q", r.Content, told)
	}
	for _, viewRange := range [][]int{{999_998, -1}, {999_998, 999_999}, {999_998, 1_000_000}, {999_998, math.MaxInt}} {
		r := s.View(ctx, "/memories/ended", viewRange)
		if want := fmt.Sprintf(fileHead, "/memories/ended") + "999998\t\n999999\t"; r.Content != want {
			t.Errorf("%v: got %q, want %q", viewRange, r.Content, want)
		}
	}
	if r := s.View(ctx, "/memories/ended", nil); !strings.HasSuffix(r.Content, "\n999998\t\n999999\t") {
		t.Errorf("the end is %q", r.Content[max(0, len(r.Content)-40):])
	}
	if r := s.View(ctx, "/memories/ended", []int{1_000_000, -1}); r.Content != fmt.Sprintf(fileHead, "/memories/ended") {
		t.Errorf("got %q", r.Content)
	}
	r := s.View(ctx, "/memories/unended", []int{999_998, -1})
	if want := fmt.Sprintf(fileHead, "/memories/unended") + "999998\t\n999999\tx"; r.Content != want {
		t.Errorf("got %q, want %q", r.Content, want)
	}
}

// Files of many chunks: lines and runes across the borders of chunks, ranges
// that begin and end there, against the plain way to do it.
func TestDocsViewChunks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, line := range []string{"", "x", "日本語テキスト", strings.Repeat("long ", 60_000), strings.Repeat("é", chunkSize/2-1) + "\n界",
		strings.Repeat("a", chunkSize-rowPrefix)} {
		for _, end := range []string{"", "\n", "\nend"} {
			lines := slices.Repeat([]string{line}, max(3, min(400_000, 700_000/(len(line)+1))))
			text := strings.Join(lines, "\n") + end
			s := storeOf(t, Options{}, "f", text)
			rows := strings.Split(text, "\n")
			n := len(rows)
			for _, p := range [][2]int{{1, n}, {2, n - 1}, {n / 2, n/2 + 1}, {n, n}, {n - 1, n + 5}, {n + 1, n + 2}} {
				var want strings.Builder
				fmt.Fprintf(&want, fileHead, "/memories/f")
				for i := p[0]; i <= min(p[1], n); i++ {
					if i > p[0] {
						want.WriteByte('\n')
					}
					fmt.Fprintf(&want, "%6d\t%s", i, rows[i-1])
				}
				var streamed strings.Builder
				must(t, s.ViewTo(ctx, &streamed, view("/memories/f", p[0], p[1])))
				if got := s.View(ctx, "/memories/f", p[:]).Content; got != want.String() || streamed.String() != got {
					t.Fatalf("line of %d bytes, end %q, rows %v of %d: differ", len(line), end, p, n)
				}
			}
		}
	}
	// A rune that lacks its last byte, at every place around a border.
	for off := range 6 {
		bad := strings.Repeat("a", chunkSize-off) + "\xe7\x95" + strings.Repeat("b", 20)
		if r := storeOf(t, Options{}, "f", bad).View(ctx, "/memories/f", nil); !errors.Is(r.Err, ErrNotText) {
			t.Errorf("bad rune %d bytes before the border: %v", off, r.Err)
		}
	}
}

func TestDocsListing(t *testing.T) {
	kb := strings.Repeat("x", 1024)
	s := storeOf(t, Options{},
		"b.md", strings.Repeat("x", 1536), "a/n.md", kb+kb, "a/sub/deep.md", "below", "a/.hid", "", "a.md", "", "B", "1",
		".git/config", "12345", ".git/.x", "", "node_modules/m/i.js", "", "a/node_modules", "a file", "a/node_modules2", "",
		"ﬁ", "", "🙂", "", "empty/", "", "a/sub2/s3/deep", "")
	m := s.backend.(*Memory)
	must(t, m.Symlink("a", "link"))
	must(t, m.Symlink("/memories/b.md", "toB"))
	must(t, m.Symlink("../..", "out"))
	must(t, m.Symlink("/etc", "out2"))
	must(t, m.Symlink("nowhere", "dangling"))
	must(t, m.Symlink("self", "self"))
	must(t, m.Symlink("..", "a/up"))
	special(t, s, "pipe")
	want := fmt.Sprintf(listHead, "/memories") + strings.Join([]string{
		"4.0K\t/memories", "1B\t/memories/B", "4.0K\t/memories/a/", "2.0K\t/memories/a/n.md",
		"0B\t/memories/a/node_modules2", "4.0K\t/memories/a/sub/", "4.0K\t/memories/a/sub2/", "4.0K\t/memories/a/up/",
		"0B\t/memories/a.md", "1.5K\t/memories/b.md", "4.0K\t/memories/empty/", "4.0K\t/memories/link/",
		"2.0K\t/memories/link/n.md", "0B\t/memories/link/node_modules2", "4.0K\t/memories/link/sub/",
		"4.0K\t/memories/link/sub2/", "4.0K\t/memories/link/up/", "1.5K\t/memories/toB",
		"0B\t/memories/ﬁ", "0B\t/memories/🙂",
	}, "\n")
	for _, path := range []string{"/memories", "/memories/", "/memories/./", "/memories//"} {
		for _, viewRange := range [][]int{nil, {1, 2}, {7}, {1, -9}} {
			if r := s.View(context.Background(), path, viewRange); r.Content != want || r.IsError {
				t.Fatalf("%s:\ngot\n%s\nwant\n%s", path, r.Content, want)
			}
		}
	}
	s.options.Workers = 3
	if r := s.View(context.Background(), backend.Root, nil); r.Content != want {
		t.Errorf("with workers:\n%s", r.Content)
	}
	for path, want := range map[string]string{
		"/memories/.git/":         "4.0K\t/memories/.git\n5B\t/memories/.git/config",
		"/memories/node_modules":  "4.0K\t/memories/node_modules\n4.0K\t/memories/node_modules/m/\n0B\t/memories/node_modules/m/i.js",
		"/memories/empty":         "4.0K\t/memories/empty",
		"/memories/link/sub":      "4.0K\t/memories/link/sub\n5B\t/memories/link/sub/deep.md",
		"/memories/a//sub2/./s3/": "4.0K\t/memories/a/sub2/s3\n0B\t/memories/a/sub2/s3/deep",
	} {
		name, _ := backend.ParsePath(path)
		if got := s.View(context.Background(), path, nil).Content; got != fmt.Sprintf(listHead, backend.AgentPath(name))+want {
			t.Errorf("%s:\n%s", path, got)
		}
	}
	s.options.DirSize = 60
	if got := s.View(context.Background(), "/memories/empty", nil).Content; !strings.HasSuffix(got, "\n60B\t/memories/empty") {
		t.Errorf("own size of directories: %q", got)
	}
}

func TestDocsEmptyRoot(t *testing.T) {
	r := storeOf(t, Options{}).View(context.Background(), backend.Root, nil)
	if want := fmt.Sprintf(listHead, backend.Root) + "4.0K\t/memories"; r.Content != want || r.IsError {
		t.Errorf("got %q", r.Content)
	}
}

// The documentation's own example.
func TestDocumentedListing(t *testing.T) {
	s := storeOf(t, Options{},
		"customer_service_guidelines.xml", strings.Repeat("x", 1536), "refund_policies.xml", strings.Repeat("x", 2048))
	want := "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n" +
		"4.0K\t/memories\n1.5K\t/memories/customer_service_guidelines.xml\n2.0K\t/memories/refund_policies.xml"
	if got := s.View(context.Background(), backend.Root, nil).Content; got != want {
		t.Errorf("got %q", got)
	}
}

func TestDocsFormatSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0B", 1: "1B", 1023: "1023B", 1024: "1.0K", 1025: "1.0K", 1280: "1.2K", 1536: "1.5K", 1792: "1.8K", 2048: "2.0K", 2304: "2.2K",
		4096: "4.0K", 10240: "10.0K", 10_240_000: "9.8M", 1_024_000_000: "976.6M", 1048524: "1023.9K", 1048525: "1.0M", 1048576: "1.0M",
		1258291: "1.2M",
		1 << 30: "1.0G", 1<<30 - 1: "1.0G", 1 << 40: "1.0T", 1 << 50: "1.0P", 1 << 60: "1.0E", 1<<63 - 1: "8.0E",
	} {
		if got := FormatSize(Docs, n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
