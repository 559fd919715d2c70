package past

import (
	"io/fs"
	"path"
	"sort"
	"strings"
	"time"

	"memcurator/memstore"
)

// Entry is what was at a path at one revision. It is a value.
type Entry struct {
	Path string // agent path
	Kind memstore.Kind
	Size int64
	Mode fs.FileMode // 0: not known
	// ModTime is the modification time; zero: not known. Of a folder it is the one that it had when
	// it came.
	ModTime time.Time
	Digest  memstore.Digest // zero: a folder, or never read
}

// Side returns an entry as the side of a revision, with Kept false.
func (e *Entry) Side() Side {
	s := Side{Exists: true, Digest: e.Digest, Size: e.Size, Mode: e.Mode, ModTime: e.ModTime}
	if e.Kind != memstore.KindDir && e.Digest == (memstore.Digest{}) {
		s.Why = ErrNotKept.Error()
	}
	return s
}

// Tree is the whole store as it was at one revision. Immutable.
type Tree struct {
	Entries []Entry // folders too, sorted by path, without the root
}

// Find returns what was at an agent path.
func (t *Tree) Find(agentPath string) (Entry, bool) {
	i, ok := sort.Find(len(t.Entries), func(i int) int { return strings.Compare(agentPath, t.Entries[i].Path) })
	if !ok {
		return Entry{}, false
	}
	return t.Entries[i], true
}

// Below lists what was below a folder, at any depth.
func (t *Tree) Below(agentPath string) []Entry {
	from, to := agentPath+"/", agentPath+"0"
	low := sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].Path >= from })
	high := sort.Search(len(t.Entries), func(i int) bool { return t.Entries[i].Path >= to })
	return t.Entries[low:high]
}

// Snapshot is the tree as lists and trees of files show it. Of folders, and where they are not
// known, times are zero.
func (t *Tree) Snapshot() *memstore.Snapshot {
	return memstore.SnapshotOf(func(yield func(string, memstore.Info) bool) {
		for i := range t.Entries {
			e := &t.Entries[i]
			i := memstore.Info{Name: path.Base(e.Path), Kind: e.Kind, Size: e.Size, Mode: e.Mode}
			if e.Kind != memstore.KindDir {
				i.ModTime = e.ModTime
			}
			if !yield(strings.TrimPrefix(e.Path, memstore.Root+"/"), i) {
				return
			}
		}
	}, len(t.Entries))
}

// Compare calls visit for each path whose bytes or kind differ between two trees, in order of path; a side that is not there is nil.
// Folders are reported only if they are empty. moved is where renames between the two took a path of old: of what they took, before and
// after have other paths.
func Compare(old, now *Tree, moved func(path string) string, visit func(before, after *Entry) error) error {
	type pair struct{ before, after *Entry }
	var pairs []pair
	gone := map[string]*Entry{} // by where it was taken
	for a, b := old.Entries, now.Entries; len(a) > 0 || len(b) > 0; {
		var p pair
		order := 0
		if len(a) > 0 && len(b) > 0 {
			order = strings.Compare(a[0].Path, b[0].Path)
		}
		if len(b) == 0 || len(a) > 0 && order <= 0 {
			p.before = &a[0]
		}
		if len(a) == 0 || len(b) > 0 && order >= 0 {
			p.after = &b[0]
		}
		if p.before != nil {
			a = a[1:]
		}
		if p.after != nil {
			b = b[1:]
		}
		if p.before != nil && p.after != nil && p.before.same(p.after) || implied(p.before, a) || implied(p.after, b) {
			continue
		}
		if p.after == nil {
			gone[moved(p.before.Path)] = p.before
		}
		pairs = append(pairs, p)
	}
	renamed := map[*Entry]bool{}
	for i := range pairs {
		p := &pairs[i]
		if p.before != nil {
			continue
		}
		if from := gone[p.after.Path]; from != nil && from.Kind == p.after.Kind {
			p.before, renamed[from] = from, true
		}
	}
	for _, p := range pairs {
		if p.after == nil && renamed[p.before] {
			continue // it is where it is now
		}
		if err := visit(p.before, p.after); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether two entries have the same content. If a digest is unknown, size and time decide.
func (e *Entry) same(other *Entry) bool {
	if e.Kind != other.Kind || e.Kind == memstore.KindDir {
		return e.Kind == other.Kind
	}
	if none := (memstore.Digest{}); e.Digest == none || other.Digest == none {
		return e.Size == other.Size && e.ModTime.Equal(other.ModTime)
	}
	return e.Digest == other.Digest
}

// implied reports whether e is a folder that holds something in the rest of its tree.
func implied(e *Entry, rest []Entry) bool {
	if e == nil || e.Kind != memstore.KindDir {
		return false
	}
	i := sort.Search(len(rest), func(i int) bool { return rest[i].Path > e.Path+"/" })
	return i < len(rest) && strings.HasPrefix(rest[i].Path, e.Path+"/")
}
