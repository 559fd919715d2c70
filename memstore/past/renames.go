package past

import (
	"context"
	"slices"
	"strings"

	"memcurator/memstore"
)

// CompareRenamed is [compareTrees] that pairs the file that a rename left with what it became: its two entries have other paths. The
// renames are those that l has between the trees.
func CompareRenamed(ctx context.Context, l Lister, old, now *Tree, visit func(before, after *Entry) error) error {
	type pair struct{ before, after *Entry }
	var pairs []pair
	gone, came := map[string]*Entry{}, map[string]*Entry{} // files, by path
	if err := compareTrees(old, now, func(before, after *Entry) error {
		pairs = append(pairs, pair{before, after})
		switch {
		case after == nil && before.Kind != memstore.KindDir:
			gone[before.Path] = before
		case before == nil && after.Kind != memstore.KindDir:
			came[after.Path] = after
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	renamed := map[*Entry]*Entry{} // both ways
	if len(gone) > 0 && len(came) > 0 {
		later, from, to := came, old.Rev, now.Rev
		if from > to {
			later, from, to = gone, to, from
		}
		origins, err := originsOf(ctx, l, from, to, later)
		if err != nil {
			return err
		}
		for path, origin := range origins {
			before, after := gone[origin], came[path]
			if old.Rev > now.Rev {
				before, after = gone[path], came[origin]
			}
			if before != nil && after != nil && before.Kind == after.Kind {
				renamed[before], renamed[after] = after, before
			}
		}
	}
	for _, p := range pairs {
		switch {
		case p.after == nil && renamed[p.before] != nil:
			continue // shown where it is now
		case p.before == nil && renamed[p.after] != nil:
			p.before = renamed[p.after]
		}
		if err := visit(p.before, p.after); err != nil {
			return err
		}
	}
	return nil
}

// originsOf finds what the files at some paths after revision to were called after revision from: the renames between are followed
// back. A file that was made in between has no origin.
func originsOf(ctx context.Context, l Lister, from, to int64, paths map[string]*Entry) (map[string]string, error) {
	list, err := Revisions(ctx, l, Filter{After: from, Before: to + 1})
	if err != nil {
		return nil, err
	}
	names := map[string]string{} // the path then -> the path at the end
	for path := range paths {
		names[path] = path
	}
	for _, r := range slices.Backward(list) {
		switch {
		case r.Shape == Made:
			delete(names, r.Path)
		case r.Shape == Renamed && r.Kind == memstore.KindDir:
			moved := map[string]string{}
			for name, path := range names {
				if rest, below := strings.CutPrefix(name, r.Path+"/"); below {
					delete(names, name)
					moved[r.OldPath+"/"+rest] = path
				}
			}
			for name, path := range moved {
				names[name] = path
			}
		case r.Shape == Renamed:
			if path, ok := names[r.Path]; ok {
				delete(names, r.Path)
				names[r.OldPath] = path
			}
		}
	}
	origins := map[string]string{}
	for name, path := range names {
		if name != path {
			origins[path] = name
		}
	}
	return origins, nil
}
