package journal

import (
	"bytes"
	"context"
	"database/sql"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
)

// Search calls visit for the hits, until it returns false. They come as they are found, in no order that means something.
func (j *Journal) Search(ctx context.Context, q past.Query, visit func(past.Hit) bool) error {
	words, err := search.ParseWords(q.Words)
	if err != nil {
		return err
	}
	if q.Scope == 0 {
		q.Scope = past.Everywhere
	}
	var failure error
	err = eachContent(ctx, j.db, func(id int64, _ memstore.Digest, text []byte) bool {
		start, end := words.In(ctx, text)
		if start < 0 {
			return ctx.Err() == nil
		}
		hits, err := hitsOf(ctx, j.db, id, matchIn(text, start, end), q.Scope)
		for i := range hits {
			if !visit(hits[i]) {
				return false
			}
		}
		failure = err
		return err == nil
	})
	if err == nil {
		err = failure
	}
	if err == nil {
		err = ctx.Err()
	}
	return j.failed("search", err)
}

// lineMost is the most of a line that a hit has, in bytes, around the match.
const lineMost = 4 << 10

// matchIn is a match in a text, at no place yet.
func matchIn(text []byte, start, end int) past.Hit {
	from := bytes.LastIndexByte(text[:start], '\n') + 1
	to := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		to = end + i
	}
	from, to = max(from, start-lineMost), min(to, end+lineMost)
	return past.Hit{Start: start, End: end, Line: bytes.Count(text[:start], []byte{'\n'}) + 1, Text: bytes.Clone(text[from:to])}
}

// hitsOf lists where a matching text is or was, once for each path and scope.
func hitsOf(ctx context.Context, db *sql.DB, id int64, match past.Hit, scope past.Scope) (hits []past.Hit, err error) {
	rows, err := db.QueryContext(ctx, `SELECT path, since, 0, TRUE FROM file WHERE blob = ?1
		UNION ALL SELECT r.name, coalesce((SELECT max(rev) FROM revision s WHERE s.path = r.name AND s.after = ?1 AND s.rev < r.rev),
			(SELECT min(rev) FROM revision s WHERE s.after = ?1 AND s.rev < r.rev), 0), r.rev, EXISTS (SELECT 1 FROM file WHERE path = r.name)
		FROM (SELECT coalesce(old_path, path) AS name, rev FROM revision WHERE before = ?1 AND shape <> ?2 AND open IS NULL ORDER BY rev) r`,
		id, int(past.Renamed))
	type place struct {
		path  string
		scope past.Scope
	}
	told := map[place]bool{}
	err = each(rows, err, func(row *sql.Rows) error {
		h := match
		var name string
		var there bool
		if err := row.Scan(&name, &h.Rev, &h.Until, &there); err != nil {
			return err
		}
		h.Path = memstore.AgentPath(name)
		switch {
		case h.Until == 0:
			h.Scope = past.Present
		case there:
			h.Scope = past.Older
		default:
			h.Scope = past.Deleted
		}
		if at := (place{h.Path, h.Scope}); scope&h.Scope != 0 && !told[at] && !memstore.InGit(h.Path) {
			told[at] = true
			hits = append(hits, h)
		}
		return nil
	})
	return hits, err
}

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
	var failure error
	err = eachContent(ctx, j.db, func(_ int64, sum memstore.Digest, text []byte) bool {
		_, failure = m.Lines(ctx, bytes.NewReader(text), int64(len(text)), func(h *search.Hit) bool {
			n, ok := known[string(h.Text)]
			switch {
			case !ok && len(lines) == goneLines:
				more = true
				return true
			case !ok:
				n = len(lines)
				known[string(h.Text)] = n
				lines = append(lines, *h)
			}
			in[sum] = append(in[sum], n)
			return true
		})
		slices.Sort(in[sum])
		return failure == nil
	})
	if err == nil {
		err = failure
	}
	if err != nil || len(lines) == 0 {
		return nil, false, j.failed("search", err)
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
