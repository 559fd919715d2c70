package outlines_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/backend/dir"
	"memcurator/memstore/outlines"
	"memcurator/memstore/statedir"
	"memcurator/memstore/transcript"
)

const note = "the gate opens at nine"

// session is a transcript of a few calls between lines of talk.
func session(id string, calls int) string {
	var b strings.Builder
	for i := range calls {
		fmt.Fprintf(&b, `{"role":"user","content":[{"type":"text","text":"%s"}]}`+"\n", strings.Repeat("talk ", 50))
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"tool_use","id":"%s%d","name":"memory","input":{"command":"create","path":"/memories/%d.md",`+
			`"file_text":"%s"}}]}`+"\n", id, i, i, note)
		fmt.Fprintf(&b, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s%d","content":"File created successfully at: /memories/%d.md"}]}`+
			"\n", id, i, i)
	}
	return b.String()
}

func write(t *testing.T, name, text string, at time.Time) outlines.File {
	t.Helper()
	if err := errors.Join(os.WriteFile(name, []byte(text), 0o600), os.Chtimes(name, at, at)); err != nil {
		t.Fatal(err)
	}
	return fileAt(t, name)
}

func fileAt(t *testing.T, name string) outlines.File {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return outlines.File{Path: name, Size: info.Size(), Changed: info.ModTime(), ID: dir.FileID(info)}
}

// calls reads files with one reader and returns their calls.
func calls(t *testing.T, k *outlines.Known, files ...outlines.File) string {
	t.Helper()
	r, err := transcript.NewReader(transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := k.Read(r, f, nil); err != nil {
			t.Fatal(err)
		}
	}
	text := ""
	for _, c := range r.Calls() {
		text += fmt.Sprintln(c.ID, string(c.Input), c.Source.Line, c.Result != nil)
	}
	return text
}

func TestKnown(t *testing.T) {
	base, old := filepath.Join(t.TempDir(), "state"), time.Unix(1_700_000_000, 0)
	name := filepath.Join(t.TempDir(), "a.jsonl")
	file := write(t, name, session("a", 3), old)
	k := outlines.Open(base)
	want := calls(t, k, file)
	if strings.Count(want, "true\n") != 3 {
		t.Fatal(want)
	}
	project := k.Project(file, func() (string, error) { return "/src/a", nil })
	if err := k.Save(); err != nil || project != "/src/a" {
		t.Fatal(project, err)
	}
	state := filepath.Join(base, statedir.TranscriptsFile)
	kept, err := os.ReadFile(state)
	if err != nil || bytes.Contains(kept, []byte(note)) || bytes.Contains(kept, []byte("memories")) {
		t.Errorf("%s %v", kept, err)
	}
	if info, err := os.Stat(state); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}

	// The talk becomes a call, though the file looks the same: only lines that are known are read.
	file = write(t, name, strings.Replace(session("a", 3), "talk talk talk t", `{"name":"memory"`, 1), old)
	k = outlines.Open(base)
	if got := k.Unread(file); got != 0 {
		t.Errorf("%d bytes of a known file are unread", got)
	}
	if got := k.Project(file, func() (string, error) { return "other", nil }); got != "/src/a" {
		t.Error(got)
	}
	if got := calls(t, k, file); got != want {
		t.Errorf("%s, want %s", got, want)
	}

	// It grows, or is another file.
	file = write(t, name, session("a", 4), old)
	if k.Unread(file) != file.Size || strings.Count(calls(t, k, file), "true\n") != 4 {
		t.Error("a file that has grown counts as known")
	}
	file = write(t, name, session("b", 4), old.Add(time.Second))
	if k.Unread(file) != file.Size || !strings.HasPrefix(calls(t, k, file), "b0") {
		t.Error("a file that was written again counts as known")
	}
}

// The result of a call may be in the next file: an outline that was made without that call isn't used.
func TestKnownAfterAnotherFile(t *testing.T) {
	dir, old := t.TempDir(), time.Unix(1_700_000_000, 0)
	lines := strings.SplitAfter(session("a", 1), "\n")
	first := write(t, filepath.Join(dir, "1.jsonl"), lines[1], old)
	second := write(t, filepath.Join(dir, "2.jsonl"), lines[0]+strings.ReplaceAll(lines[2], "/memories/", "there "), old)
	k := outlines.Open("")
	if got := calls(t, k, second); got != "" {
		t.Fatal(got)
	}
	for range 2 {
		if got := calls(t, k, first, second); !strings.HasSuffix(got, "true\n") {
			t.Error(got)
		}
	}
}

// A damaged entry counts as missing, wherever the damage is.
func TestKnownDamaged(t *testing.T) {
	base, folder, old := t.TempDir(), t.TempDir(), time.Unix(1_700_000_000, 0)
	var files []outlines.File
	k := outlines.Open(base)
	for i := range 3 {
		files = append(files, write(t, filepath.Join(folder, fmt.Sprint(i)), session(fmt.Sprint(i), 2), old))
	}
	want := calls(t, k, files...)
	if err := k.Save(); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(base, statedir.TranscriptsFile)
	kept, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(kept); at += 7 {
		damaged := bytes.Clone(kept)
		damaged[at] ^= 1 << (at % 8)
		if at%2 == 0 {
			damaged = kept[:at]
		}
		if err := os.WriteFile(state, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := calls(t, outlines.Open(base), files...); got != want {
			t.Fatalf("damaged at %d: %s", at, got)
		}
	}
}

// A purge while the program runs isn't undone, and files that are gone are forgotten.
func TestKnownForgets(t *testing.T) {
	base, folder, old := t.TempDir(), t.TempDir(), time.Unix(1_700_000_000, 0)
	state := filepath.Join(base, statedir.TranscriptsFile)
	one := write(t, filepath.Join(folder, "one"), session("a", 1), old)
	two := write(t, filepath.Join(folder, "two"), session("b", 1), old)
	k := outlines.Open(base)
	calls(t, k, one)
	if err := k.Save(); err != nil {
		t.Fatal(err)
	}
	if names, err := statedir.Typed(base); err != nil || len(names) != 1 || names[0] != state {
		t.Errorf("a purge looks at %v %v", names, err)
	}
	k = outlines.Open(base)
	if err := os.Remove(one.Path); err != nil {
		t.Fatal(err)
	}
	calls(t, k, two)
	if err := k.Save(); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(state); err != nil || bytes.Contains(kept, []byte(one.Path)) || !bytes.Contains(kept, []byte(two.Path)) {
		t.Errorf("%s %v", kept, err)
	}
	k = outlines.Open(base)
	calls(t, k, write(t, one.Path, session("a", 1), old))
	if err := errors.Join(os.Remove(state), statedir.NotePurge(base), k.Save()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("what the purge removed was written again")
	}
}
