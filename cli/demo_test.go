package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/tour"
)

// onlyTemp makes a folder the place for temporary files and checks at the end that it is empty.
func onlyTemp(t *testing.T) string {
	t.Helper()
	dir := clearedTemp(t)
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Setenv("TEMP", dir)
	return dir
}

// clearedTemp is a folder for temporary files, in which nothing may be left.
func clearedTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in the folder for temporary files: %v, %v", left, err)
		}
	})
	return dir
}

func TestDemoWithoutATerminal(t *testing.T) {
	onlyTemp(t)
	steps, err := readLines[demoStep](assets(t), demoSteps, fakeKey())
	if err != nil || len(steps) == 0 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	acts := 0
	for _, s := range steps {
		for _, a := range s.Acts {
			if a.Input != nil {
				acts++
			}
		}
	}
	for _, c := range []call{{args: []string{"demo"}}, {args: []string{"demo", "--plain"}, tty: true}} {
		o := c.run(t)
		if o.code != 0 || o.err != "" || strings.Count(o.out, "demo | ") != len(steps) || strings.Count(o.out, "\n> {") != acts {
			t.Errorf("%q: status %d, %q, %d captions and %d commands of %d and %d", c.args, o.code, o.err, strings.Count(o.out, "demo | "),
				strings.Count(o.out, "\n> {"), len(steps), acts)
		}
		if strings.Contains(o.out, keyPlaceholder) || strings.Contains(o.out, "Error") || strings.Contains(o.out, "No replacement") {
			t.Errorf("%q: a placeholder was not replaced, or a call failed:\n%s", c.args, o.out)
		}
	}
}

func TestDemoThatCannotStart(t *testing.T) {
	onlyTemp(t)
	whole := fstest.MapFS{
		demoConfig: {Data: []byte("# An empty one would count as half written.\n")}, demoSteps: {Data: []byte("{}")}, demoHistory: {Data: []byte(`{"day":-1,"at":"09:00","write":"a.md","old":"a","new":"b"}`)},
		demoStore + "/a.md": {Data: []byte("a")},
	}
	try := func(name, without string, instead *fstest.MapFile, want int) {
		files := maps.Clone(whole)
		delete(files, without)
		if instead != nil {
			files[without] = instead
		}
		var out, errs bytes.Buffer
		code := runLine(t.Context(), []string{"demo"}, session.Environment{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Assets: files,
		})
		if code != want || want != 0 && strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q", name, code, errs.String())
		}
	}
	try("whole", "", nil, session.ExitDone)
	try("no configuration", demoConfig, nil, session.ExitFailed)
	try("no steps", demoSteps, nil, session.ExitFailed)
	try("bad steps", demoSteps, &fstest.MapFile{Data: []byte("{")}, session.ExitFailed)
	try("no history", demoHistory, nil, session.ExitFailed)
	try("a history of another store", demoHistory, &fstest.MapFile{Data: []byte(`{"at":"09:00","write":"b.md","old":"x"}`)},
		session.ExitFailed)
	try("no store", demoStore+"/a.md", nil, session.ExitFailed)
}

// The steps fit a terminal of 80 columns, can be read in time, and take about two minutes.
func TestDemoSteps(t *testing.T) {
	t.Parallel()
	steps, err := readLines[demoStep](assets(t), demoSteps, fakeKey())
	if err != nil {
		t.Fatal(err)
	}
	list := (&demoWorld{}).tour(t.Context(), steps, nil, 1)
	for i, s := range list {
		if n := text.Width(s.Caption); n == 0 || n > 72 {
			t.Errorf("the caption of step %d is %d cells wide", i+1, n)
		}
		if len(s.Press) == 0 && s.Stay < tour.Shortest || s.Stay < 2*time.Second {
			t.Errorf("step %d stays for %v", i+1, s.Stay)
		}
	}
	if d := tour.New(list, 1).Length(); d < 100*time.Second || d > 190*time.Second {
		t.Errorf("the demo takes %v", d)
	}
}

// The past of the demo is what its transcripts say, except for one edit by hand that a replay finds.
func TestDemoHistory(t *testing.T) {
	temp := onlyTemp(t)
	dir := filepath.Join(temp, "demo")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	run := session.New(session.Environment{Getenv: func(string) string { return "" }, Assets: assets(t), Stderr: io.Discard})
	run.Confine(dir)
	now := time.Now()
	w, err := buildWorld(run, t.Context(), dir, memstore.Docs, now)
	if err != nil {
		t.Fatal(err)
	}
	defer w.backend.Close()
	found := map[string]string{}
	run.Machine().EachTranscript(t.Context(), w.dir, func(list []discover.Transcript) {
		for _, one := range list {
			reader, err := transcript.NewReader(transcript.Options{})
			if err == nil {
				err = reader.Read(one.File, bytes.NewReader(value(os.ReadFile(one.File))))
			}
			if err != nil {
				t.Fatal(err)
			}
			var total transcript.Total
			start, _ := transcript.Begin(reader.Calls())
			replay, err := transcript.NewReplay(start, transcript.Handler{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range reader.Calls() {
				total.Add(replay.Step(t.Context(), c))
			}
			head := value(run.Machine().Head(t.Context(), one.File))
			found[head.Title] = fmt.Sprint(total.By[transcript.Identical]+total.By[transcript.OtherDialect], " of ", total.Calls)
		}
	})
	want := map[string]string{"Cancellation with the fee table": "8 of 8", "Fix the flaky e2e test": "5 of 5", "Add the waitlist": "14 of 15"}
	if !maps.Equal(found, want) {
		t.Errorf("the transcripts replay as %v, want %v", found, want)
	}
	j := value(journal.Open(run.State().Folder(w.dir), journal.Options{Backend: w.backend}))
	defer j.Close()
	revisions := value(past.Revisions(t.Context(), j, past.Filter{}))
	by, unread := map[memstore.Actor]int{}, 0
	for _, r := range revisions {
		by[r.Actor]++
		if r.Unread {
			unread++
			if now.Sub(r.Time) > 48*time.Hour {
				t.Errorf("revision %d of %v is unread", r.Rev, r.Time)
			}
		}
	}
	if by[memstore.Agent] < 10 || by[memstore.External] < 3 || unread < 8 {
		t.Errorf("revisions by actor %v, %d unread", by, unread)
	}
}

func value[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestFakeKeyLooksLikeOne(t *testing.T) {
	t.Parallel()
	key := fakeKey()
	if parts := strings.SplitN(key, "-", 4); len(parts) != 4 || len(parts[3]) != 95 || !strings.HasSuffix(key, "AA") {
		t.Errorf("a key of %d letters", len(key))
	}
}
