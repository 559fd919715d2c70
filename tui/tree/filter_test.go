package tree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// sample is a store with one name for each kind of term.
func sample() *memstore.Snapshot {
	file := func(name string, size int64, age time.Duration) *memstore.Node {
		return &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindFile, Size: size, ModTime: noon.Add(-age)}, Files: 1}
	}
	dir := func(name string, children ...*memstore.Node) *memstore.Node {
		n := &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindDir}, Children: children}
		for _, c := range children {
			n.Files += c.Files
			n.Bytes += weight(c)
		}
		return n
	}
	link := &memstore.Node{Info: memstore.Info{Name: "Link.md", Kind: memstore.KindLink, ModTime: noon}, Files: 1}
	hidden := file(".index", 10, 48*time.Hour)
	hidden.Hidden = true
	shut := dir("shut")
	shut.Problem = errors.New("shut")
	return &memstore.Snapshot{Complete: true, Root: dir(".",
		hidden, link, file("Notes.md", 5000, time.Hour), file("big.bin", 20<<10, 400*24*time.Hour),
		dir("projects", file("ferry notes.txt", 300, 10*time.Minute), file("Ünder.MD", 0, 8*24*time.Hour)), shut)}
}

// grown is a tree pane on a snapshot, every folder unfolded.
func grown(s *memstore.Snapshot) *Pane {
	env := &kit.Env{Styles: theme.New(theme.Options{}), Keys: keymap.Default()}
	env.Jobs = kit.NewJobs(context.Background())
	p := New(env, memstore.Docs)
	p.Resize(40, 20)
	p.SetSnapshot(s)
	p.Actions().Perform(keymap.ExpandAll)
	return p
}

func TestFilterTerms(t *testing.T) {
	const (
		index, link, notes, big = "/.index", "/Link.md", "/Notes.md", "/big.bin"
		projects, ferry, under  = "/projects", "/projects/ferry notes.txt", "/projects/Ünder.MD"
		shut                    = "/shut"
	)
	for line, want := range map[string][]string{
		"notes":                  {notes, ferry},
		"Notes":                  {notes, ferry},
		"notes ferry":            {ferry},
		"notes -ferry":           {notes},
		"notes !ferry":           {notes},
		`"ferry notes"`:          {ferry},
		`-"ferry notes" notes`:   {notes},
		"ünder":                  {under},
		"ÜNDER":                  {under},
		"/projects/":             {ferry, under},
		"projects":               {projects, ferry, under},
		"projects ext:txt":       {ferry},
		"proj ferry":             {ferry},
		"ext:md":                 {link, notes, under},
		"ext:md,.TXT":            {link, notes, ferry, under},
		"is:file -ext:md":        {index, big, ferry},
		"is:link":                {link},
		"is:folder":              {projects, shut},
		"size:>10k":              {big},
		"size:10K":               {big},
		"size:>=20kib":           {big},
		"size:<=300 is:file":     {index, ferry, under},
		"changed:<1h":            {link, notes, ferry},
		"changed:1h":             {link, notes, ferry},
		"is:hidden":              {index},
		"is:problem":             {shut},
		"is:selected":            {notes, ferry},
		"-is:selected is:file":   {index, big, under},
		"is:unread":              {big},
		"is:selected is:unread":  {},
		"12:04":                  {},
		`"is:selected"`:          {},
		"is: notes":              {notes, ferry},
		"is:mar notes":           {notes, ferry},
		"size:> notes":           {notes, ferry},
		"size:x notes":           {notes, ferry},
		"colour:red notes":       {notes, ferry},
		"- notes !":              {notes, ferry},
		"EXT:md IS:file Is:file": {notes, under},
	} {
		s := sample()
		p := grown(s)
		p.now = func() time.Time { return noon }
		p.Badges.unread = map[string]int{"/memories/big.bin": 1}
		for _, path := range []string{notes, ferry} {
			p.Selection.marks.set(memstore.Root+path, true)
		}
		p.filter = line
		p.refresh()
		var got []string
		for i, r := range p.view.rows {
			if r.hit {
				got = append(got, strings.TrimPrefix(p.view.rows.path(i), memstore.Root))
			}
		}
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%q leaves %q, want %q", line, got, want)
		}
		if counts := fmt.Sprintf("%d of 8  ", len(want)); p.filtering() && p.Matches() != counts {
			t.Errorf("%q counts %q, want %q", line, p.Matches(), counts)
		}
	}
}

// FuzzFilter: any line is read without panic and agrees with itself. Of lines that are only words, the names whose paths have them all
// are found, and no others.
func FuzzFilter(f *testing.F) {
	for _, s := range []string{"", "notes -ferry", `"a b`, "is:selected size:>10k..", "changed:<99999999999d", "!-!", "ext:,,", "size:9..1", "\xff:\x00", "é /p"} {
		f.Add(s)
	}
	s := sample()
	f.Fuzz(func(t *testing.T, line string) {
		p := grown(s)
		p.SetFilter(line)
		if p.Filter() != line {
			t.Fatalf("the filter %q became %q", line, p.Filter())
		}
		first := slices.Clone(p.view.rows)
		p.refresh()
		if !slices.Equal(first, p.view.rows) {
			t.Fatalf("%q: two looks differ", line)
		}
		for _, c := range completeFilter(line) {
			if len(c) < len(line) && utf8.ValidString(line) {
				t.Fatalf("%q is completed to %q", line, c)
			}
		}
		if strings.ContainsAny(line, `:-!"`) || !p.filtering() || !utf8.ValidString(line) {
			return
		}
		for i, r := range p.view.rows {
			path, contained := strings.ToLower(strings.TrimPrefix(p.view.rows.path(i), memstore.Root)), i > 0
			for _, w := range strings.Fields(strings.ToLower(line)) {
				contained = contained && strings.Contains(path, w)
			}
			if contained != r.hit {
				t.Fatalf("%q: %q matches %v", line, path, r.hit)
			}
		}
	})
}
