package diffpane

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strconv"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// sections are the files of a comparison of several, one after another, each below a line with its path.
type sections struct {
	paths []string
	first [2][]int // the line of each path in the two texts, from 1
}

// at is the file that a line of a side belongs to; -1: none.
func (s *sections) at(side, line int) int { return sort.SearchInts(s.first[side], line+1) - 1 }

// local is the number of a line in its file, 0 for the line with the path.
func (s *sections) local(side, line int) int {
	if s == nil || line == 0 {
		return line
	}
	if i := s.at(side, line); i >= 0 {
		return line - s.first[side][i]
	}
	return line
}

// names reports whether a line is the path of a file.
func (s *sections) names(r diff.Row) bool {
	return s != nil && (r.ANumber > 0 && s.local(0, r.ANumber) == 0 || r.BNumber > 0 && s.local(1, r.BNumber) == 0)
}

// breaks are the lines of the text before, from 0, where the files begin.
func (s *sections) breaks() []int {
	if s == nil {
		return nil
	}
	lines := slices.Clone(s.first[0])
	for i := range lines {
		lines[i]--
	}
	return lines
}

// introduces names the file of a hunk that begins with a line; "" where that line is the path itself.
func (s *sections) introduces(l diff.Line) string {
	a, b := l.Numbers()
	side, n := 0, a
	if a == 0 {
		side, n = 1, b
	}
	if i := s.at(side, n); i >= 0 && s.local(side, n) > 0 {
		return s.paths[i]
	}
	return ""
}

// What a comparison of several files holds at most.
const (
	runFiles = 200
	runBytes = 4 << 20
)

const textRunTooLarge = "Too large to show as one diff. Choose one of the changes"

// fileChange is a file before and after several revisions.
type fileChange struct {
	path          string
	before, after past.Side
}

// changes lists what revisions changed, by path. A file that was renamed has its last name.
func changes(list []past.Revision) []*fileChange {
	var all []*fileChange
	of := map[string]*fileChange{}
	for _, r := range list {
		if r.Kind != memstore.KindFile && r.Kind != memstore.KindLink {
			continue
		}
		c := of[r.Path]
		if r.Shape == past.Renamed {
			if c = of[r.OldPath]; c != nil {
				delete(of, r.OldPath)
			}
		}
		if c == nil {
			c = &fileChange{before: r.Before}
			all = append(all, c)
		}
		c.path, c.after = r.Path, r.After
		of[r.Path] = c
	}
	slices.SortFunc(all, func(a, b *fileChange) int { return bytes.Compare([]byte(a.path), []byte(b.path)) })
	return all
}

// OfRun describes everything that several revisions changed, which come oldest first.
func OfRun(c Contents, run past.Run, title string) Comparison {
	return ofFiles(Comparison{
		Key: "run " + strconv.FormatInt(run.Revisions[0].Rev, 10) + " " + strconv.FormatInt(run.Newest(), 10) + " " +
			strconv.Itoa(len(run.Revisions)),
		Title: title,
	}, func(visit func(name string, sides [2][]byte) bool) string {
		for _, f := range changes(run.Revisions) {
			var data [2][]byte
			for i, side := range []past.Side{f.before, f.after} {
				if !side.Exists || !side.Kept {
					continue
				}
				data[i], _ = c.Bytes(context.Background(), side) // what is not kept has no lines
			}
			if !visit(f.path, data) {
				break
			}
		}
		return ""
	})
}

// Part is one of several texts that are compared as one.
type Part struct {
	Name          string // an agent path, or what the lines are
	Before, After []byte
}

// OfParts describes several texts one after another, in the order in which load returns them; a sentence instead of parts explains why
// there are none.
func OfParts(c Comparison, load func() (parts []Part, why string)) Comparison {
	return ofFiles(c, func(visit func(string, [2][]byte) bool) string {
		parts, why := load()
		for _, p := range parts {
			if !visit(p.Name, [2][]byte{p.Before, p.After}) {
				break
			}
		}
		return why
	})
}

// ofFiles has c show the texts that walk visits, one after another.
func ofFiles(c Comparison, walk func(visit func(name string, sides [2][]byte) bool) (why string)) Comparison {
	files := &sections{}
	var texts [2][]byte
	why := ""
	load := sync.OnceFunc(func() {
		large := false
		why = walk(func(name string, data [2][]byte) bool {
			if bytes.Equal(data[0], data[1]) || text.Binary(data[0]) || text.Binary(data[1]) {
				return true
			}
			if len(files.paths) == runFiles || len(texts[0])+len(texts[1])+len(data[0])+len(data[1]) > runBytes {
				large = true
				return false
			}
			files.paths = append(files.paths, kit.PathText(name))
			for i := range texts {
				files.first[i] = append(files.first[i], bytes.Count(texts[i], []byte{'\n'})+1)
				texts[i] = append(append(texts[i], kit.PathText(name)+"\n"...), data[i]...)
				if n := len(texts[i]); texts[i][n-1] != '\n' {
					texts[i] = append(texts[i], '\n')
				}
			}
			return true
		})
		if large {
			why = textRunTooLarge
		}
	})
	side := func(i int) func() ([]byte, string) {
		return func() ([]byte, string) { load(); return texts[i], why }
	}
	c.Before, c.After, c.sections = side(0), side(1), files
	return c
}
