package notesgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"memcurator/memstore/memtest"
	"memcurator/memstore/scrub"
)

// measureEnv sets how many stores are measured instead of one.
const measureEnv = "MEMCURATOR_SCRUB_MEASURE"

// notesPerStore is how many notes a store has: an agent's memory of some months.
const notesPerStore = 150

// byEngine redacts a store as scrub does: what is found anywhere is searched for everywhere.
func byEngine(t testing.TB, notes []Note) (edits [][]edit, redacted [][]byte) {
	e, problems := scrub.New(scrub.Options{})
	for _, p := range problems {
		t.Errorf("rule %s: %s", p.Rule, p.Reason)
	}
	c := e.Collect()
	for _, n := range notes {
		c.Add(n.Name, n.Text, e.Find(n.Name, n.Text))
	}
	values := c.Values()
	for _, n := range notes {
		found := scrub.Merge(e.Find(n.Name, n.Text), values.Find(n.Name, n.Text))
		var list []edit
		for _, ed := range e.Edits(n.Name, n.Text, found) {
			list = append(list, edit{ed.Start, ed.End})
		}
		edits = append(edits, list)
		out, _ := e.Scrub(n.Name, n.Text, values)
		if again, counts := e.Scrub(n.Name, out, values); !bytes.Equal(again, out) || len(counts) > 0 {
			t.Errorf("%s: a second run makes edits: %v", n.Name, counts)
		}
		redacted = append(redacted, out)
	}
	return edits, redacted
}

// byGitleaks runs the program, where it is installed, on the notes as files, and removes what it reports.
func byGitleaks(t testing.TB, notes []Note) (edits [][]edit, redacted [][]byte, ok bool) {
	program, err := exec.LookPath("gitleaks")
	if err != nil {
		return nil, nil, false
	}
	dir := t.TempDir()
	for _, n := range notes {
		memtest.WriteFiles(t, dir, map[string]string{n.Name: string(n.Text)})
	}
	report := filepath.Join(t.TempDir(), "report.json")
	c := exec.Command(program, "dir", dir, "--exit-code", "0", "--no-banner", "--log-level", "error", "--max-decode-depth", "5",
		"--report-format", "json", "--report-path", report)
	if out, err := c.CombinedOutput(); err != nil {
		t.Logf("gitleaks: %v\n%s", err, out)
		return nil, nil, false
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var found []struct {
		File, Secret       string
		StartLine, EndLine int
	}
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		var list []edit
		for _, f := range found {
			if filepath.Clean(f.File) != filepath.Join(dir, filepath.FromSlash(n.Name)) || f.Secret == "" {
				continue
			}
			for at := 0; ; {
				i := bytes.Index(n.Text[at:], []byte(f.Secret))
				if i < 0 {
					break
				}
				list = append(list, edit{at + i, at + i + len(f.Secret)})
				at += i + len(f.Secret)
			}
		}
		list = apart(list)
		edits = append(edits, list)
		redacted = append(redacted, taken(n.Text, list))
	}
	return edits, redacted, true
}

// apart sorts edits and joins those that overlap.
func apart(list []edit) (out []edit) {
	slices.SortFunc(list, func(a, b edit) int { return a.Start - b.Start })
	for _, e := range list {
		if n := len(out) - 1; n >= 0 && e.Start < out[n].End {
			out[n].End = max(out[n].End, e.End)
			continue
		}
		out = append(out, e)
	}
	return out
}

func taken(text []byte, edits []edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.Start]...), "REDACTED"...)
		at = e.End
	}
	return append(out, text[at:]...)
}

// TestFigures holds a floor on a small store, and with MEMCURATOR_SCRUB_MEASURE prints all figures of many, beside
// those of gitleaks where that program is installed.
func TestFigures(t *testing.T) {
	seeds := 1
	spec, long := os.LookupEnv(measureEnv)
	if long {
		n, err := strconv.Atoi(spec)
		if err != nil {
			t.Fatalf("%s=%q is not a number of stores", measureEnv, spec)
		}
		seeds = n
	}
	var notes []Note
	var edits, others [][]edit
	var redacted, otherwise [][]byte
	leaks := long
	for i := range seeds {
		store := Store(uint64(i), notesPerStore)
		e, r := byEngine(t, store)
		notes, edits, redacted = append(notes, store...), append(edits, e...), append(redacted, r...)
		if leaks {
			var o [][]edit
			var or [][]byte
			if o, or, leaks = byGitleaks(t, store); leaks {
				others, otherwise = append(others, o...), append(otherwise, or...)
			}
		}
	}
	names, reports := []string{"memcurator"}, []*Report{measure(notes, edits, redacted, Parses)}
	if leaks {
		names, reports = append(names, "gitleaks"), append(reports, measure(notes, others, otherwise, Parses))
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d stores of %d notes\n", seeds, notesPerStore)
	Print(&out, names, reports)
	if long {
		t.Log("\n" + out.String())
		return
	}
	holdFloor(t, reports[0], out.String())
}

// holdFloor fails where a small store falls below what is expected with room for chance.
func holdFloor(t *testing.T, r *Report, figures string) {
	if r.Kinds[Secret].percent() < 95 || r.Kinds[Personal].percent() < 96 || r.Kinds[Echo].percent() < 85 ||
		share(r.Right, r.Edits) < 98 || share(total(r.Altered), r.Decoys) > 1 || r.Broken > 0 {
		t.Errorf("below the floor:\n%s", figures)
	}
}
