package memstore

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"memcurator/memstore/backend"
)

// listDepth is how many levels below the viewed directory a listing shows.
const listDepth = 2

// renderDir returns the listing of a directory.
func (s *Store) renderDir(ctx context.Context, t target) (string, error) {
	entries, err := s.backend.ReadDir(t.name)
	if errors.Is(err, backend.ErrPermission) && s.rules.listsClosed {
		err = nil
	}
	if err != nil {
		return "", err
	}
	l := lister{store: s, ctx: ctx}
	out, err := s.rules.listing(&l, t, entries)
	if err == nil {
		err = ctx.Err()
	}
	return string(out), err
}

// sizedListing is a listing with a size before each path, the directory's own row first.
func sizedListing(l *lister, t target, entries []backend.Info) (out []byte, err error) {
	s := l.store
	self, err := s.backend.Stat(t.name)
	if err != nil {
		return nil, err
	}
	out = make([]byte, 0, 4096)
	out = appendFilled(out, s.rules.listHeader, "p", t.show)
	out = append(out, '\n')
	out = s.rules.appendSize(out, s.rules.dirSize(self))
	out = append(out, '\t')
	out = append(out, t.show...)
	return l.rows(out, dirAt{name: t.name, show: t.show}, entries, listDepth), nil
}

// lister writes rows, each preceded by a newline: the listing ends without one.
type lister struct {
	store *Store
	ctx   context.Context
}

// dirAt is a directory in a listing: its backend name and its path as printed.
type dirAt struct{ name, show string }

func (d dirAt) child(name string) dirAt {
	return dirAt{name: backend.JoinName(d.name, name), show: d.show + "/" + name}
}

// rows writes the entries of a directory; each directory among them is followed by its own, depth-1 levels deep. An unreadable one appears
// as a row without entries, so that it doesn't hide the rest of the listing.
func (l *lister) rows(dst []byte, at dirAt, entries []backend.Info, depth int) []byte {
	for _, e := range l.shown(at, entries) {
		dst = l.row(dst, at, e)
		if e.Kind != backend.KindDir || depth == 1 || l.ctx.Err() != nil {
			continue
		}
		child := at.child(e.Name)
		if below, err := l.store.backend.ReadDir(child.name); err == nil {
			dst = l.rows(dst, child, below, depth-1)
		}
	}
	return dst
}

// shown returns the entries of a directory that a listing shows, in the dialect's order. Links appear as what they point to. It omits
// hidden names, links that lead out or nowhere (row 9), and FIFOs, sockets and devices, which no SDK lists and no command opens. It
// reuses the slice entries.
func (l *lister) shown(at dirAt, entries []backend.Info) []backend.Info {
	rules := l.store.rules
	kept := entries[:0]
	for _, e := range entries {
		if rules.hidden(e.Name) {
			continue
		}
		if e.Kind == backend.KindLink {
			to, err := l.store.backend.Stat(backend.JoinName(at.name, e.Name))
			if err != nil {
				continue
			}
			to.Name = e.Name
			e = to
		}
		if e.Kind == backend.KindOther {
			continue
		}
		kept = append(kept, e)
	}
	byName := func(a, b backend.Info) int { return rules.order(a.Name, b.Name) }
	if !slices.IsSortedFunc(kept, byName) {
		slices.SortFunc(kept, byName)
	}
	return kept
}

func (l *lister) row(dst []byte, at dirAt, e backend.Info) []byte {
	size := e.Size
	if e.Kind == backend.KindDir {
		size = l.store.rules.dirSize(e)
	}
	dst = append(dst, '\n')
	dst = l.store.rules.appendSize(dst, size)
	dst = append(dst, '\t')
	dst = append(dst, at.show...)
	dst = append(dst, '/')
	dst = append(dst, e.Name...)
	if e.Kind == backend.KindDir {
		dst = append(dst, '/')
	}
	return dst
}

// appendDocsSize formats n bytes as in the documentation's examples: plain
// below 1024, else with one decimal in a binary unit, even for whole numbers
// (4.0K). The unit is chosen after rounding, so that 1024.0K never appears
// (row 6).
func appendDocsSize(dst []byte, n int64) []byte {
	if n < 1024 {
		return append(strconv.AppendInt(dst, n, 10), 'B')
	}
	const units = "KMGTPE"
	start := len(dst)
	v := float64(n)
	for i := range len(units) {
		v /= 1024
		// AppendFloat rounds as %.1f does: to nearest, ties to even.
		dst = strconv.AppendFloat(dst[:start], v, 'f', 1, 64)
		rounded := string(dst[start:])
		small := len(rounded) < len("1024.0") || (len(rounded) == len("1024.0") && rounded < "1024.0")
		if small || i == len(units)-1 {
			return append(dst, units[i])
		}
	}
	return dst
}
