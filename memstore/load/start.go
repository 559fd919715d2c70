package load

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"memcurator/memstore/backend"
	"memcurator/render/loadlimit"
)

// maxBytes bounds the files that are read.
const maxBytes = 4 << 20

// Start describes what an agent loads of a store when a session starts.
type Start struct {
	Rule  Rule
	Files []File           // in the order in which the agent reads them
	Given loadlimit.Extent // of all that it gets

	counted, limited loadlimit.Extent // of what counts for a limit of all files together: what it gets, and what it would get
}

// File is one file of a [Start].
type File struct {
	Name string // in the store
	// Elsewhere is set if the file is not one of the store; Name is its path then, as people know it.
	Elsewhere bool
	Heading   string          // what the agent writes in front of it
	Lines     []Line          // that the agent gets
	Limit     loadlimit.Limit // that of this file: of all files together, what those before it leave
	// Loaded says which parts of the file the agent gets, what limit cuts and where.
	loadlimit.Loaded
	// Line is how many lines of the file precede the first that isn't loaded at all, as [loadlimit.Loaded.Line].
	Line int
	// Problem is why the agent gets nothing of it, or why it was not read; "": it was read. It holds no path.
	Problem string
}

// Whole reports whether the agent gets all of the file that counts.
func (f *File) Whole() bool { return f.By == "" && f.Problem == "" }

// Gauge shows how much of its limit the file uses.
func (f *File) Gauge() loadlimit.Gauge {
	return loadlimit.Gauge{Have: f.Have, Limit: f.Limit.Extent}
}

// Read reads what the agent would load of a store now. It opens only files that are loaded, as [backend.Look]. A file that can't be
// read is in the result with its problem; the error is that of the context or of a store that isn't there.
func (r Rule) Read(ctx context.Context, b backend.Backend) (*Start, error) {
	s := &Start{Rule: r}
	list, err := r.files(ctx, b, s)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Problem != "" {
			s.Files = append(s.Files, File{Name: f.Name, Elsewhere: f.Elsewhere, Problem: f.Problem})
			continue
		}
		f, there, err := s.read(b, f)
		if err != nil {
			return nil, err
		}
		if there {
			s.Files = append(s.Files, f)
		}
	}
	return s, nil
}

// files are the files that the agent reads: those that the backend returns, or those that the rule names.
func (r Rule) files(ctx context.Context, b backend.Backend, s *Start) (list []backend.StartFile, err error) {
	if own, ok := b.(backend.Starter); ok && !r.OnDemand() {
		return own.Start(ctx)
	}
	names, err := r.names(ctx, b, s)
	for _, name := range names {
		list = append(list, backend.StartFile{Name: name})
	}
	return list, err
}

// read reads a file as the agent does after those that were read before.
func (s *Start) read(b backend.Backend, of backend.StartFile) (f File, there bool, err error) {
	name := of.Name
	f = File{Name: name, Elsewhere: of.Elsewhere, Limit: s.Rule.limit()}
	data, err := of.Text, error(nil)
	if data == nil {
		data, err = backend.ReadFile(b, name, backend.Look, maxBytes)
	}
	switch {
	case errors.Is(err, backend.ErrUnavailable):
		return f, false, err
	case errors.Is(err, backend.ErrNotExist), errors.Is(err, backend.ErrNotDir):
		return f, false, nil
	case err != nil:
		f.Problem = problem(err)
		return f, true, nil
	case bytes.IndexByte(data, 0) >= 0:
		f.Problem = "not text"
		return f, true, nil
	}
	if s.Rule.Heading != "" {
		f.Heading = strings.ReplaceAll(s.Rule.Heading, "NAME", name)
		if len(s.Files) > 0 && s.Rule.Separator != "" {
			f.Heading = s.Rule.Separator + f.Heading
		}
	}
	lead := loadlimit.Load([]byte(f.Heading), loadlimit.Limit{}).Have
	exhausted := false
	switch {
	case s.Rule.Together && of.Free:
		f.Limit.Extent = loadlimit.Extent{}
	case s.Rule.Together:
		used := s.counted
		used.Add(lead)
		f.Limit.Extent, exhausted = s.Rule.Limit().Less(used)
	}
	if exhausted {
		f.Loaded = loadlimit.Load(data, loadlimit.Limit{Stripped: f.Limit.Stripped})
		f.Spans, f.Given, f.Cut, f.Heading = nil, loadlimit.Extent{}, 0, ""
		f.By = loadlimit.Gauge{Have: s.counted, Limit: s.Rule.Limit()}.Unit()
	} else {
		f.Loaded = loadlimit.Load(data, f.Limit)
		f.Lines = linesOf(data, f.Loaded)
		f.Line = f.Loaded.Line(data)
		s.Given.Add(lead)
		s.Given.Add(f.Given)
		if !of.Free {
			s.counted.Add(lead)
			s.counted.Add(f.Given)
		}
	}
	if !of.Free {
		s.limited.Add(lead)
		s.limited.Add(f.Have)
	}
	return f, true, nil
}

var newline = []byte{'\n'}

// Line is a line that the agent gets, without its newline, and its number in the file.
type Line struct {
	Text   []byte
	Number int
}

// omitted stands for the middle of a text, of which both ends are loaded.
const omitted = "…"

// linesOf are the lines of the parts of a text that are loaded. One that lost a comment in its middle has the number of its beginning.
func linesOf(data []byte, l loadlimit.Loaded) (list []Line) {
	at, number, open := 0, 1, false
	for i, s := range l.Spans {
		number += bytes.Count(data[at:s.Start], newline)
		part := data[s.Start:s.End]
		if l.Tail > 0 && i == l.Tail {
			part = append([]byte(omitted), part...)
		}
		for line := range bytes.Lines(part) {
			text, ended := bytes.CutSuffix(line, newline)
			if open {
				last := &list[len(list)-1]
				last.Text = append(slices.Clip(last.Text), text...)
			} else {
				list = append(list, Line{text, number})
			}
			if open = !ended; ended {
				number++
			}
		}
		at = s.End
	}
	return list
}

// problem is why a file can't be read, as a clause.
func problem(err error) string {
	switch {
	case errors.Is(err, backend.ErrPermission):
		return "permission denied"
	case errors.Is(err, backend.ErrEscapes):
		return "its link leads out of the store"
	case errors.Is(err, backend.ErrLinkLoop):
		return "its link leads in a circle"
	case errors.Is(err, backend.ErrNotRegular), errors.Is(err, backend.ErrIsDir):
		return "not a file"
	case errors.Is(err, backend.ErrTooBig):
		return "larger than " + loadlimit.Amount(loadlimit.Bytes, maxBytes)
	case errors.Is(err, backend.ErrDamaged):
		return "damaged"
	}
	return "can't be read"
}

// hidden reports whether a pattern passes over a name because of a dot in front of one of its parts, as in a shell.
func hidden(pattern, name string) bool {
	return strings.Contains("/"+name, "/.") && !strings.Contains("/"+pattern, "/.")
}

// names lists the files that the rule names and that are there, in the order of the agent, each once.
func (r Rule) names(ctx context.Context, b backend.Backend, s *Start) (list []string, err error) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	for _, pattern := range r.Files {
		base, rest := doublestar.SplitPattern(pattern)
		if !strings.ContainsAny(rest, `*?[{`) {
			add(pattern)
			continue
		}
		snapshot, err := backend.Scan(ctx, b, backend.ScanOptions{Name: base})
		switch {
		case errors.Is(err, backend.ErrUnavailable), ctx.Err() != nil:
			return nil, err
		case err != nil && !backend.IsAbsent(err):
			s.Files = append(s.Files, File{Name: base, Problem: problem(err)})
		}
		snapshot.Walk(func(at string, n *backend.Node) bool {
			name := path.Join(base, backend.BackendName(at))
			switch {
			case name != base && hidden(pattern, name):
				return false
			case n.Kind == backend.KindDir && n.Problem != nil && strings.Contains(pattern, "**"):
				s.Files = append(s.Files, File{Name: name, Problem: problem(n.Problem)})
			case (n.Kind == backend.KindFile || n.Kind == backend.KindLink) && doublestar.MatchUnvalidated(pattern, name):
				add(name)
			}
			return true
		})
	}
	return list, nil
}

// Gauge shows how much of its limit a start uses: of that of all files together, else that of the file that is closest to its own. Of
// files without a limit it is the amount that is loaded.
func (s *Start) Gauge() loadlimit.Gauge {
	if s.Rule.Together && (!s.limited.IsZero() || s.Given.IsZero()) {
		return loadlimit.Gauge{Have: s.limited, Limit: s.Rule.Limit()}
	}
	all := loadlimit.Gauge{Have: s.Given}
	if f := s.Fullest(); f != nil && !f.Limit.IsZero() {
		all = f.Gauge()
	}
	return all
}

// Fullest is the file that is closest to its limit, nil where none was read.
func (s *Start) Fullest() (fullest *File) {
	for i := range s.Files {
		f := &s.Files[i]
		if f.Problem == "" && (fullest == nil || f.Gauge().Share() > fullest.Gauge().Share()) {
			fullest = f
		}
	}
	return fullest
}

// Problems are sentences about the files that the agent doesn't get, or that were not read.
func (s *Start) Problems() (list []string) {
	for i := range s.Files {
		if f := &s.Files[i]; f.Problem != "" {
			list = append(list, "Can't load "+f.Name+": "+f.Problem)
		}
	}
	return list
}
