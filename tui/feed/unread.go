package feed

import (
	"math"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// unread holds the unread revisions.
type unread struct {
	list  []past.Revision  // oldest first
	at    map[int64]string // where the file of each is now: renames move it
	paths map[string]int   // how many of each path
	moved bool             // some came or went since the last [Feed.TakeUnreadChange]
}

func (u *unread) set(list, renames []past.Revision) {
	*u = unread{list: list, at: map[int64]string{}, paths: map[string]int{}, moved: true}
	for i := range list {
		u.move(list[i].Rev, list[i].Path)
	}
	for i := range renames {
		u.rename(&renames[i])
	}
}

// rename follows a rename of files that have older unread changes.
func (u *unread) rename(r *past.Revision) {
	if r.OldPath == "" {
		return
	}
	for rev, at := range u.at {
		if rest, below := strings.CutPrefix(at, r.OldPath); below && rev < r.Rev && (rest == "" || rest[0] == '/') {
			u.move(rev, r.Path+rest)
		}
	}
}

// move counts a revision at another path; "": at none.
func (u *unread) move(rev int64, to string) {
	from := u.at[rev]
	if u.paths[from]--; u.paths[from] <= 0 {
		delete(u.paths, from)
	}
	if delete(u.at, rev); to != "" {
		u.at[rev] = to
		u.paths[to]++
	}
	u.moved = true
}

// add inserts a revision unless it is there already.
func (u *unread) add(r past.Revision) {
	i, found := slices.BinarySearchFunc(u.list, r.Rev, byRev)
	if found {
		return
	}
	u.list = slices.Insert(u.list, i, r)
	u.move(r.Rev, r.Path)
	if over := len(u.list) - mostUnread; over > 0 {
		for _, old := range u.list[:over] {
			u.move(old.Rev, "")
		}
		u.list = u.list[over:]
	}
}

// drop removes the revisions that match.
func (u *unread) drop(goes func(rev int64) bool) {
	u.list = slices.DeleteFunc(u.list, func(r past.Revision) bool {
		if !goes(r.Rev) {
			return false
		}
		u.move(r.Rev, "")
		return true
	})
}

// IsLoss reports whether a revision removed or emptied a file and was not undone.
func IsLoss(r past.Revision) bool {
	if r.Kind != memstore.KindFile || r.UndoneBy != 0 || r.Actor == memstore.Curator {
		return false
	}
	return r.Shape == past.Removed || r.Shape == past.Edited && r.After.Size == 0 && r.Before.Size > 0
}

// Unread are the unread revisions, oldest first, including those from before the start. The slice is valid until the
// next call that changes them.
func (f *Feed) Unread() []past.Revision { return f.unread.list }

// TakeUnreadChange reports whether the unread revisions changed since it was called last.
func (f *Feed) TakeUnreadChange() bool {
	moved := f.unread.moved
	f.unread.moved = false
	return moved
}

// UnreadPaths counts them by path. The map is the feed's own.
func (f *Feed) UnreadPaths() map[string]int { return f.unread.paths }

// UnreadBelow reports whether a change of a path, or of what is or was below it, is unread.
func (f *Feed) UnreadBelow(path string) bool {
	for at := range f.unread.paths {
		if at == path || strings.HasPrefix(at, path+"/") {
			return true
		}
	}
	return false
}

// IsUnread reports whether the user has not seen a revision.
func (f *Feed) IsUnread(rev int64) bool {
	_, found := slices.BinarySearchFunc(f.unread.list, rev, byRev)
	return found
}

// Read marks revisions as read here, and returns those that were unread; [Marks.Flush] marks them in the record.
func (f *Feed) Read(revs ...int64) []int64 {
	return f.saw(func(r *past.Revision) bool { return slices.Contains(revs, r.Rev) })
}

// ReadBelow is Read for the revisions of paths and of what is or was below them.
func (f *Feed) ReadBelow(paths ...string) []int64 {
	return f.saw(func(r *past.Revision) bool {
		now := f.unread.at[r.Rev]
		return slices.ContainsFunc(paths, func(at string) bool { return now == at || strings.HasPrefix(now, at+"/") })
	})
}

// Next is the unread revision of a list, oldest first, to review after another one, 0 for none: the next newer one, and after the newest
// the oldest again. by -1 goes the other way.
func Next(list []past.Revision, after int64, by int) (past.Revision, bool) {
	if len(list) == 0 {
		return past.Revision{}, false
	}
	at, found := slices.BinarySearchFunc(list, after, byRev)
	switch {
	case by < 0:
		at--
	case found:
		at++
	}
	return list[(at+len(list))%len(list)], true
}

// Step is the change to review after another one, 0 for none: the next unread one by 1; by -1 the one that was read before it, or the
// previous unread one where none was.
func (f *Feed) Step(after int64, by int) (past.Revision, bool) {
	if r, ok := f.Before(after); ok && by < 0 {
		return r, true
	}
	return Next(f.unread.list, after, by)
}

func (f *Feed) saw(seen func(*past.Revision) bool) (revs []int64) {
	for i := range f.unread.list {
		if seen(&f.unread.list[i]) {
			revs = append(revs, f.unread.list[i].Rev)
			f.passed = append(f.passed, f.unread.list[i])
		}
	}
	if len(revs) == 0 {
		return nil
	}
	f.unread.drop(func(rev int64) bool { _, found := slices.BinarySearch(revs, rev); return found })
	for _, rev := range revs {
		f.read[rev] = unrecorded
	}
	f.unmarked = append(f.unmarked, revs...)
	return revs
}

// unrecorded is later than every query: a mark of which the record does not know.
const unrecorded = math.MaxInt

// isRead reports whether a revision was read here, whatever the record said in a query.
func (f *Feed) isRead(r past.Revision, query int) bool {
	until, read := f.read[r.Rev]
	return read && query <= until
}

// Before is the revision that was read in this run before another one, and the last of all if that was not; false: there is none.
func (f *Feed) Before(rev int64) (past.Revision, bool) {
	at := slices.IndexFunc(f.passed, func(r past.Revision) bool { return r.Rev == rev })
	if at < 0 {
		at = len(f.passed)
	}
	if at == 0 {
		return past.Revision{}, false
	}
	return f.passed[at-1], true
}

// unsee takes back that revisions were read: the record will have them as unread.
func (f *Feed) unsee(revs []int64) {
	f.passed = slices.DeleteFunc(f.passed, func(r past.Revision) bool { return slices.Contains(revs, r.Rev) })
	for _, rev := range revs {
		delete(f.read, rev)
	}
}

// recorded ends the marking of revisions: the answers of later queries say which of them are unread. The query under way may have
// asked before.
func (f *Feed) recorded(revs []int64) {
	for _, rev := range revs {
		if _, known := f.read[rev]; known {
			f.read[rev] = f.query
		}
	}
}
