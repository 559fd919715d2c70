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
	"time"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
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
	calls, err := readLines[demoCall](assets(t), demoCalls, fakeKey("agent"))
	if err != nil || len(calls) == 0 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	for _, c := range []call{{args: []string{"demo"}}, {args: []string{"demo", "--plain"}, tty: true}} {
		o := c.run(t)
		if o.code != 0 || o.err != "" || strings.Count(o.out, "\n> {") != len(calls)-1 {
			t.Errorf("%q: status %d, %q, %d of %d calls", c.args, o.code, o.err, strings.Count(o.out, "\n> {")+1, len(calls))
		}
		if strings.Contains(o.out, keyPlaceholder) || strings.Contains(o.out, "Error") || strings.Contains(o.out, "No replacement") {
			t.Errorf("%q: a placeholder was not replaced, or a call failed:\n%s", c.args, o.out)
		}
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
			reader := transcript.NewReader(nil)
			if err == nil {
				err = reader.Read(one.File, bytes.NewReader(value(os.ReadFile(one.File))))
			}
			if err != nil {
				t.Fatal(err)
			}
			total := transcript.TotalOf(value(transcript.NewTrack(t.Context(), reader.Calls(), nil)).Steps)
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
