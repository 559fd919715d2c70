package memstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder writes down what it is told. fail makes Begin fail.
type recorder struct {
	mu    sync.Mutex
	log   []string
	edits []*Edit
	fail  error
	on    func(*Edit) // runs in Begin
}

func (r *recorder) Begin(_ context.Context, e *Edit) (func(error), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return nil, r.fail
	}
	r.edits = append(r.edits, e)
	for _, c := range e.Changes {
		r.log = append(r.log, fmt.Sprintf("%s %d %s<%s %s>%s", e.Command.Name, c.Kind, c.Path, c.OldPath, side(c.Before), side(c.After)))
	}
	if r.on != nil {
		r.on(e)
	}
	return func(err error) { r.log = append(r.log, fmt.Sprint("end ", err)) }, nil
}

func (r *recorder) Viewed(_ context.Context, path string, o Origin, _ time.Time) {
	r.log = append(r.log, "viewed "+path+" by "+string(o.Actor))
}

func side(c *Content) string {
	if c == nil {
		return "-"
	}
	data, err := c.Bytes()
	if err != nil {
		return "error"
	}
	return string(data)
}

func TestRecorder(t *testing.T) {
	ctx := context.Background()
	rec := &recorder{}
	start := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	s := storeOf(t, Options{Recorders: []Recorder{rec}, Now: func() time.Time { return start }, Origin: Origin{Session: "s1", Model: "m"}},
		"a", "one\n", "d/x", "X", "d/e/y", "Y", "d/z", "Z")
	m := s.backend.(*Memory)
	must(t, m.Symlink("../a", "d/link"))
	must(t, m.Symlink("d", "alias"))
	s.Create(ctx, "/memories//new", "n")
	s.StrReplace(ctx, "/memories/a", "one", "two")
	s.StrReplace(ctx, "/memories/a", "two", "two") // no change, no record
	s.Insert(ctx, "/memories/alias/x", 1, "more")
	s.Rename(ctx, "/memories/a", "/memories/alias/b")
	s.View(ctx, "/memories/d/b", nil)
	s.View(WithOrigin(ctx, Origin{Actor: Curator}), "/memories/d/b", nil)
	s.View(ctx, "/memories/none", nil)
	s.Create(ctx, "/memories/new", "again")
	s.Delete(ctx, "/memories/new")
	s.Delete(ctx, "/memories/d/link")
	s.Rename(ctx, "/memories/d", "/memories/dd")
	s.Delete(WithOrigin(ctx, Origin{Actor: Replay, ToolUseID: "t1"}), "/memories/dd")
	want := []string{
		"create 1 /memories/new< ->n", "end <nil>",
		"str_replace 1 /memories/a< one\n>two\n", "end <nil>",
		"insert 1 /memories/d/x< X>X\nmore", "end <nil>",
		"rename 1 /memories/d/b</memories/a two\n>two\n", "end <nil>",
		"viewed /memories/d/b by agent",
		"delete 1 /memories/new< n>-", "end <nil>",
		"delete 3 /memories/d/link< ->-", "end <nil>",
		"rename 2 /memories/dd</memories/d ->-", "end <nil>",
		"delete 1 /memories/dd/b< two\n>-", "delete 1 /memories/dd/e/y< Y>-", "delete 2 /memories/dd/e< ->-",
		"delete 1 /memories/dd/x< X\nmore>-", "delete 1 /memories/dd/z< Z>-", "delete 2 /memories/dd< ->-", "end <nil>",
	}
	if !slices.Equal(rec.log, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rec.log, "\n"), strings.Join(want, "\n"))
	}
	first, last := rec.edits[0], rec.edits[len(rec.edits)-1]
	if first.Origin != (Origin{Actor: Agent, Session: "s1", Model: "m"}) || !first.Time.Equal(start) || first.Command.Path != "/memories//new" {
		t.Errorf("first edit %+v", first)
	}
	if last.Origin != (Origin{Actor: Replay, Session: "s1", Model: "m", ToolUseID: "t1"}) {
		t.Errorf("last edit %+v", last.Origin)
	}
}

func TestRecorderFails(t *testing.T) {
	ctx := context.Background()
	broken := errors.New("disk full")
	other := &recorder{}
	var warned []error
	s := storeOf(t, Options{
		Recorders: []Recorder{other, &recorder{fail: broken}},
		Warn:      func(err error) { warned = append(warned, err) },
	}, "a", "x")
	if r := s.StrReplace(ctx, "/memories/a", "x", "y"); r.IsError {
		t.Error("the agent's edit was refused:", r.Content)
	}
	if len(warned) != 1 || !errors.Is(warned[0], broken) {
		t.Error("warnings:", warned)
	}
	r := s.Delete(WithOrigin(ctx, Origin{Actor: Curator}), "/memories/a")
	if r.Content != "Error: The change of /memories/a could not be recorded, so it was not made" || !errors.Is(r.Err, ErrNotRecorded) || !errors.Is(r.Err, broken) {
		t.Errorf("the curator's edit: %q %v", r.Content, r.Err)
	}
	if textOf(t, s, "a") != "y" {
		t.Error("the file changed")
	}
	if end := other.log[len(other.log)-1]; !strings.HasPrefix(end, "end the edit could not be recorded") {
		t.Error("the recorder that had begun was told:", end)
	}
}

func TestGuards(t *testing.T) {
	ctx := context.Background()
	var order []string
	guards := []Guard{{
		Rewrite: func(_ context.Context, c Command) Command {
			c.FileText = strings.ReplaceAll(c.FileText, "hidden", "******")
			c.OldStr = strings.ReplaceAll(c.OldStr, "hidden", "******")
			return c
		},
	}, {
		Check: func(_ context.Context, e *Edit) (string, error) {
			order = append(order, "first "+e.Changes[0].Path)
			if e.Changes[0].After != nil && e.Changes[0].After.Size() > 40 {
				return "", errors.New("too big")
			}
			return "kept\nsmall", nil
		},
		Filter: func(_ context.Context, c Command, r Result) Result {
			r.Content += "\n(filtered)"
			return r
		},
	}, {
		Check: func(context.Context, *Edit) (string, error) { order = append(order, "second"); return "", nil },
	}}
	rec := &recorder{}
	s := storeOf(t, Options{Guards: guards, Recorders: []Recorder{rec}})
	if r := s.Create(ctx, "/memories/a", "hidden"); r.Content != "File created successfully at: /memories/a\nkept small" || textOf(t, s, "a") != "******" {
		t.Error(r.Content)
	}
	if r := s.StrReplace(ctx, "/memories/a", "hidden", "x"); r.Content != snippet+"     1\tx\nkept small" {
		t.Error(r.Content)
	}
	r := s.Create(ctx, "/memories/b", strings.Repeat("x", 41))
	if r.Content != "Error: too big" || !errors.Is(r.Err, ErrRefused) || !r.IsError {
		t.Error(r)
	}
	if r := s.View(ctx, "/memories/a", nil); !strings.HasSuffix(r.Content, "     1\tx\n(filtered)") {
		t.Error(r.Content)
	}
	var b bytes.Buffer
	must(t, s.ViewTo(ctx, &b, view("/memories/a")))
	if !strings.HasSuffix(b.String(), "     1\tx\n(filtered)") {
		t.Error(b.String())
	}
	if want := []string{"first /memories/a", "second", "first /memories/a", "second", "first /memories/b"}; !slices.Equal(order, want) {
		t.Error(order)
	}
	if len(rec.edits) != 2 {
		t.Error("edits recorded:", rec.log)
	}
}

func TestReadOnly(t *testing.T) {
	s := storeOf(t, Options{ReadOnly: true}, "a", "x")
	for _, c := range []Command{create("/memories/b", ""), replace("/memories/a", "x", "y"), insert("/memories/a", 0, "x"), remove("/memories/a"), move("/memories/a", "/memories/b")} {
		r := s.Do(context.Background(), c)
		if r.Content != "Error: The memory directory is read-only" || !errors.Is(r.Err, ErrReadOnly) {
			t.Errorf("%+v: %q", c, r.Content)
		}
		if shown, _ := s.Preview(context.Background(), c); shown.Content != r.Content {
			t.Error("preview:", shown.Content)
		}
	}
	if r := s.View(context.Background(), "/memories/a", nil); r.IsError {
		t.Error(r.Content)
	}
}

func TestOverwrite(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Options{Overwrite: true}, "a", "\xff", "d/x", "")
	if r := s.Create(ctx, "/memories/a", "new"); r.Content != "File created successfully at: /memories/a" || textOf(t, s, "a") != "new" {
		t.Error(r.Content)
	}
	if r := s.Create(ctx, "/memories/d", "new"); r.Content != "Error: File /memories/d already exists" {
		t.Error(r.Content)
	}
}

// meddler lets another program act just before a write of the backend.
type meddler struct {
	Backend
	before func(call, name string)
}

func (m meddler) Create(name string, data []byte) error {
	m.before("create", name)
	return m.Backend.Create(name, data)
}

func (m meddler) Replace(name string, old, data []byte) error {
	m.before("replace", name)
	return m.Backend.Replace(name, old, data)
}

func (m meddler) Rename(from, to string) error {
	m.before("rename", from)
	return m.Backend.Rename(from, to)
}

// A write whose file changes under it is decided afresh; it never takes the
// other program's edit away, and gives up after a few times.
func TestLostUpdate(t *testing.T) {
	ctx := context.Background()
	const changed = "Error: The file /memories/a was changed by another program at the same time. View it again, then repeat the command."
	for _, times := range []int{1, 4, 5, 100} {
		mem := NewMemory()
		must(t, mem.Create("a", []byte("one\n")))
		n := 0
		s := New(meddler{mem, func(call, name string) {
			if call == "replace" && n < times {
				n++
				data, err := readFile(mem, name, Look)
				must(t, err)
				must(t, mem.Replace(name, data, append(bytes.Clone(data), fmt.Sprintf("other %d\n", n)...)))
			}
		}}, Options{})
		r := s.StrReplace(ctx, "/memories/a", "one", "two")
		text := textOf(t, s, "a")
		if times < maxTries {
			if r.IsError || !strings.HasPrefix(text, "two\nother 1\n") || strings.Count(text, "other") != times {
				t.Errorf("%d times: %q, %q", times, r.Content, text)
			}
		} else if r.Content != changed || !errors.Is(r.Err, ErrChanged) || !strings.HasPrefix(text, "one\n") || strings.Count(text, "other") != maxTries {
			t.Errorf("%d times: %q, %q", times, r.Content, text)
		}
	}
}

// Decided afresh, a command can find that it fails now.
func TestDecidedAfresh(t *testing.T) {
	ctx := context.Background()
	mem := NewMemory()
	must(t, mem.Create("a", []byte("one\n")))
	must(t, mem.Create("b", []byte("bee\n")))
	s := New(meddler{mem, func(call, name string) {
		switch call {
		case "replace":
			_ = mem.Remove(name)
		case "create":
			_ = mem.Create(name, []byte("theirs"))
		case "rename":
			_ = mem.Create("taken", []byte("theirs"))
		}
	}}, Options{})
	if r := s.Insert(ctx, "/memories/a", 0, "x"); r.Content != "Error: The path /memories/a does not exist" {
		t.Error(r.Content)
	}
	if r := s.Create(ctx, "/memories/c", "mine"); r.Content != "Error: File /memories/c already exists" || textOf(t, s, "c") != "theirs" {
		t.Error(r.Content)
	}
	if r := s.Rename(ctx, "/memories/b", "/memories/taken"); r.Content != "Error: The destination /memories/taken already exists" || textOf(t, s, "b") != "bee\n" {
		t.Error(r.Content)
	}
}

// What comes between the record of a removal and the removal is not lost.
func TestRemovalChecked(t *testing.T) {
	ctx := context.Background()
	for _, path := range []string{"a", "d"} {
		rec := &recorder{}
		s := storeOf(t, Options{Recorders: []Recorder{rec}}, "a", "one", "d/x", "X")
		done := false
		rec.on = func(*Edit) {
			if done {
				return
			}
			done = true
			if path == "a" {
				must(t, s.backend.Replace("a", []byte("one"), []byte("two")))
			} else {
				must(t, s.backend.Create("d/late", []byte("late")))
			}
		}
		if r := s.Delete(ctx, "/memories/"+path); r.IsError {
			t.Error(r.Content)
		}
		log := strings.Join(rec.log, "\n")
		if !strings.Contains(log, "end changed by another program") || !strings.Contains(log, map[string]string{"a": "two>-", "d": "late>-"}[path]) {
			t.Errorf("%s:\n%s", path, log)
		}
	}
}

func TestExpectation(t *testing.T) {
	ctx := context.Background()
	expecting := func(path, text string) context.Context {
		return WithExpectation(ctx, Expectation{Path: path, Digest: Sum([]byte(text))})
	}
	for _, c := range []Command{
		replace("/memories/a", "one", "1"), insert("/memories/a", 0, "x"), remove("/memories/a"), move("/memories/a", "/memories/c"), create("/memories/a", "new"),
	} {
		s := storeOf(t, Options{Overwrite: true}, "a", "one", "b", "bee")
		before := storeTree(t, s, "")
		r := s.Do(expecting("/memories//a", "other"), c)
		if !errors.Is(r.Err, ErrChanged) || storeTree(t, s, "") != before {
			t.Errorf("%+v: %q", c, r.Content)
		}
		if shown, edit := s.Preview(expecting("/memories/a", "other"), c); shown.Content != r.Content || edit != nil {
			t.Errorf("%+v: preview %q", c, shown.Content)
		}
		if r := s.Do(expecting("/memories/a", "one"), c); r.IsError {
			t.Errorf("%+v as expected: %q", c, r.Content)
		}
	}
	s := storeOf(t, Options{}, "a", "one", "d/x", "")
	if r := s.Delete(expecting("/memories/b", "other"), "/memories/a"); r.IsError {
		t.Error("an expectation of another path counted:", r.Content)
	}
	if r := s.Delete(expecting("/memories/d", ""), "/memories/d"); !errors.Is(r.Err, ErrChanged) {
		t.Error("a directory where a file was expected:", r.Content)
	}
}

func TestBusyAndCancelled(t *testing.T) {
	s := storeOf(t, Options{}, "a", "one")
	unlock, err := s.backend.Lock(context.Background())
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := s.Insert(ctx, "/memories/a", 0, "x")
	if !errors.Is(r.Err, ErrBusy) || !errors.Is(r.Err, context.Canceled) || !strings.HasPrefix(r.Content, "Error: Another program is writing") {
		t.Error(r.Content, r.Err)
	}
	unlock()
	if r := s.View(ctx, Root, nil); r.Content != "Error: The command on /memories was cancelled" {
		t.Error(r.Content)
	}
}

func TestUnavailable(t *testing.T) {
	s := storeOf(t, Options{}, "a", "one")
	must(t, s.Close())
	for _, c := range []Command{
		view(Root), view("/memories/a"), create("/memories/b", ""), create(Root, ""), replace("/memories/a", "x", "y"), insert("/memories/a", 0, "x"),
		remove("/memories/a"), remove(Root), move("/memories/a", "/memories/b"), move(Root, "/memories/b"), move("/memories/a", "/memories/a/b"),
	} {
		for _, run := range []func() Result{
			func() Result { return s.Do(context.Background(), c) },
			func() Result { r, _ := s.Preview(context.Background(), c); return r },
		} {
			if r := run(); r.Content != "Error: The memory directory is not available" || !errors.Is(r.Err, ErrUnavailable) {
				t.Errorf("%+v: %q", c, r.Content)
			}
		}
	}
}

// Nothing is read for the record when nobody records, and big files are not held.
func TestNothingExtra(t *testing.T) {
	counting := &countingBackend{Backend: NewMemory()}
	s := New(counting, Options{})
	must(t, counting.Create("d/x", []byte("x")))
	counting.reads = 0
	s.Rename(context.Background(), "/memories/d/x", "/memories/d/y")
	s.Delete(context.Background(), "/memories/d")
	if counting.reads != 0 {
		t.Errorf("%d reads", counting.reads)
	}
	big := storeOf(t, Options{}, "big", strings.Repeat("x", eagerFile+1), "small", "x")
	for name, lazy := range map[string]bool{"big": true, "small": false} {
		_, e := big.Preview(context.Background(), remove("/memories/"+name))
		must(t, big.backend.Remove(name))
		if _, err := e.Changes[0].Before.Bytes(); (err != nil) != lazy {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type countingBackend struct {
	Backend
	reads int
}

func (c *countingBackend) Open(name string, a Access) (File, error) {
	c.reads++
	return c.Backend.Open(name, a)
}

func (c *countingBackend) ReadDir(name string) ([]Info, error) {
	c.reads++
	return c.Backend.ReadDir(name)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestViewToErrors(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Options{}, "a", "one\n")
	full := errors.New("pipe closed")
	for _, path := range []string{"/memories/a", Root} {
		if err := s.ViewTo(ctx, failingWriter{full}, view(path)); err != full {
			t.Error(path, err)
		}
	}
	err := s.ViewTo(ctx, io.Discard, view("/memories/a", 1, -5))
	if text := ViewError(Docs, "/memories/a", err); text != s.View(ctx, "/memories/a", []int{1, -5}).Content || !errors.Is(err, ErrRange) {
		t.Error(text)
	}
	if text := ViewError(Docs, "/memories/x", ErrNotExist); text != "The path /memories/x does not exist. Please provide a valid path." {
		t.Error(text)
	}
}

func TestViewCap(t *testing.T) {
	ctx := context.Background()
	// The header has 52 characters and its newline, each row 10 with the newline before it.
	const cap3 = 53 + 9 + 10 + 10
	text := "ab\nçd\nef\ngh\nij\n"
	head := fmt.Sprintf(fileHead, "/memories/f")
	if len(head) != 53 {
		t.Fatal("header", len(head))
	}
	rows := "     1\tab\n     2\tçd\n     3\tef"
	for _, w := range []struct {
		limit     int
		viewRange []int
		want      string
	}{
		{0, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 100, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 28, nil, rows + "\n     4\tgh\n     5\tij\n     6\t"},
		{cap3 + 27, nil, rows + "\n     4\tgh\n     5\tij\n[Cut at 109 characters: lines 1 to 5 of 6 are shown. To read on, use view_range [6, 6].]"},
		{cap3, nil, rows + "\n[Cut at 82 characters: lines 1 to 3 of 6 are shown. To read on, use view_range [4, 6].]"},
		{cap3, []int{1, 3}, rows},
		{cap3, []int{1, 5}, rows + "\n[Cut at 82 characters: lines 1 to 3 of 6 are shown. To read on, use view_range [4, 5].]"},
		{cap3 - 1, []int{1, 3}, "     1\tab\n     2\tçd\n[Cut at 81 characters: lines 1 to 2 of 6 are shown. To read on, use view_range [3, 3].]"},
		{53 + 8, []int{2, 4}, "     2\tç\n[Cut at 61 characters, inside line 2. To read on after it, use view_range [3, 4].]"},
		{53 + 8, []int{2, 2}, "     2\tç\n[Cut at 61 characters, inside line 2, the last one asked for.]"},
		{10, []int{2, 2}, "     2\t\n[Cut at 10 characters, inside line 2, the last one asked for.]"},
		{10, []int{9, 9}, ""},
	} {
		s := storeOf(t, Options{MaxViewChars: w.limit}, "f", text)
		if got := s.View(ctx, "/memories/f", w.viewRange).Content; got != head+w.want {
			t.Errorf("limit %d %v\ngot  %q\nwant %q", w.limit, w.viewRange, got, head+w.want)
		}
	}
	// Reading on as told brings the whole text, each row once.
	s := storeOf(t, Options{MaxViewChars: 16_000}, "f", strings.Repeat("a line of text\nété\n\n", 4000))
	next := []int{1, -1}
	var got []string
	for next != nil {
		lines := strings.Split(s.View(ctx, "/memories/f", next).Content, "\n")[1:]
		next = nil
		if last := lines[len(lines)-1]; strings.HasPrefix(last, "[Cut") {
			lines = lines[:len(lines)-1]
			next = []int{0, 0}
			_, at, _ := strings.Cut(last, "view_range ")
			if _, err := fmt.Sscanf(at, "[%d, %d].]", &next[0], &next[1]); err != nil {
				t.Fatal(last, err)
			}
		}
		got = append(got, lines...)
	}
	s.options.MaxViewChars = 0
	if whole := s.View(ctx, "/memories/f", nil).Content; strings.Join(got, "\n") != whole[strings.IndexByte(whole, '\n')+1:] {
		t.Error("the pages do not make up the file")
	}
}

// Many writers at once lose nothing, on one store and through two.
func TestParallelWriters(t *testing.T) {
	for name, open := range map[string]func() (a, b *Store){
		"memory": func() (a, b *Store) { m := NewMemory(); return New(m, Options{}), New(m, Options{}) },
		"dir": func() (a, b *Store) {
			disk := t.TempDir()
			a, err := Open(disk, Options{})
			must(t, err)
			b, err = Open(disk, Options{})
			must(t, err)
			t.Cleanup(func() { a.Close(); b.Close() })
			return a, b
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			a, b := open()
			a.Create(ctx, "/memories/log", "")
			var group sync.WaitGroup
			for w := range 6 {
				s := a
				if w%2 == 1 {
					s = b
				}
				group.Go(func() {
					for i := range 20 {
						if r := s.Insert(ctx, "/memories/log", 0, fmt.Sprintf("%d-%d", w, i)); r.IsError {
							t.Error(r.Content, r.Err)
						}
						s.View(ctx, Root, nil)
					}
				})
			}
			group.Wait()
			lines := strings.Fields(textOf(t, a, "log"))
			slices.Sort(lines)
			if n := len(slices.Compact(lines)); n != 120 {
				t.Errorf("%d of 120 lines are there", n)
			}
		})
	}
}
