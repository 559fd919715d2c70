package journal

import (
	"cmp"
	"context"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
)

// Gone is a line that a revision took out of a file, which doesn't have it now.
type Gone struct {
	Path string // agent path
	By   past.Revision
	Line search.Hit // as a version had it
}

// goneLines bounds the different lines with a match that [Journal.Gone] compares.
const goneLines = 20_000

// Gone lists lines with a match that are gone from their files, each with the last revision that removed it: those removed last come
// first, at most so many. more: there are others.
func (j *Journal) Gone(ctx context.Context, m *search.Matcher, most int) (list []Gone, more bool, err error) {
	var lines []search.Hit
	known := map[string]int{}         // by text: its place in lines
	in := map[memstore.Digest][]int{} // by content: places in lines, in order
	err = eachContent(ctx, j.db, func(_ int64, sum memstore.Digest, text []byte) bool {
		m.Lines(text, func(h search.Hit) bool {
			n, ok := known[string(h.Text)]
			switch {
			case !ok && len(lines) == goneLines:
				more = true
				return true
			case !ok:
				n = len(lines)
				known[string(h.Text)] = n
				lines = append(lines, h)
			}
			in[sum] = append(in[sum], n)
			return true
		})
		slices.Sort(in[sum])
		return ctx.Err() == nil
	})
	if err = cmp.Or(err, ctx.Err()); err != nil || len(lines) == 0 {
		return nil, false, j.failed(err)
	}
	now := map[string]memstore.Digest{} // by path: what is there
	type place struct {
		path string
		line int
	}
	told := map[place]bool{}
	holds := func(content memstore.Digest, line int) bool {
		_, found := slices.BinarySearch(in[content], line)
		return found
	}
	err = j.List(ctx, past.Filter{Newest: true}, func(r past.Revision) bool {
		name := r.Path
		if _, seen := now[name]; !seen {
			now[name] = r.After.Digest
		}
		if _, seen := now[r.OldPath]; r.OldPath != "" {
			if name = r.OldPath; !seen {
				now[name] = memstore.Digest{}
			}
		}
		for _, n := range in[r.Before.Digest] {
			at := place{name, n}
			if told[at] || holds(r.After.Digest, n) || holds(now[name], n) || memstore.InGit(name) {
				continue
			}
			if len(list) == most {
				more = true
				return false
			}
			told[at] = true
			list = append(list, Gone{name, r, lines[n]})
		}
		return true
	})
	return list, more, err
}
