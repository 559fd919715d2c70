package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"memcurator/memstore"
)

// The rules of files that say the same.
const (
	Duplicate Rule = "duplicate" // the same bytes as another file
	Alike     Rule = "alike"     // nearly the same text as another file
)

const (
	// minDuplicate is the size from which two files with the same bytes are reported, in bytes.
	minDuplicate = 16
	// maxHolders is how many texts with the same hash a text is compared with: a thousand copies of one template cost at most a thousand
	// comparisons with a few.
	maxHolders = 4
)

// alike reports files with the same bytes, and files with nearly the same text.
func (w *checking) alike(ctx context.Context) error {
	byContent := map[memstore.Digest][]File{}
	var order []seen // one file for each content, the one to keep
	for _, s := range w.seen {
		if s.file.Size < minDuplicate {
			continue
		}
		if byContent[s.file.Digest] == nil {
			order = append(order, s)
		}
		byContent[s.file.Digest] = append(byContent[s.file.Digest], s.file)
	}
	for i := range order {
		same := byContent[order[i].file.Digest]
		keep := w.original(same)
		order[i].file = keep
		for _, f := range same {
			if f.Path == keep.Path {
				continue
			}
			w.add(Finding{
				Path: f.Path, Rule: Duplicate, Severity: Warning, Count: 1, Others: []string{keep.Path}, Content: f.Digest,
				Reason: "same bytes as " + inStore(keep.Path),
			})
		}
	}
	return w.near(ctx, order)
}

// original is the file to keep of several with the same bytes: the one that more files name, else the one with the shortest path, as
// copies have longer names.
func (w *checking) original(same []File) File {
	return slices.MinFunc(same, func(a, b File) int {
		return cmp.Or(cmp.Compare(w.links[b.Path], w.links[a.Path]), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
	})
}

// keepFirst puts the file first that is the one to keep: changed last, then the shorter path.
func keepFirst(a, b File) int {
	return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
}

// near reports different contents with nearly the same text, each with the one it resembles most.
func (w *checking) near(ctx context.Context, order []seen) error {
	slices.SortStableFunc(order, func(a, b seen) int { return keepFirst(a.file, b.file) })
	holders := map[uint64][]int{} // by hash
	for i, s := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		own := s.content.sketch
		best, percent := -1, alikeShare-1
		for _, h := range own[:min(len(own), sharedHashes)] {
			for _, j := range holders[h] {
				if p := share(own, order[j].content.sketch); p > percent {
					best, percent = j, p
				}
			}
			if len(holders[h]) < maxHolders {
				holders[h] = append(holders[h], i)
			}
		}
		if best < 0 {
			continue
		}
		other := order[best].file
		f := Finding{
			Path: s.file.Path, Rule: Alike, Severity: Warning, Count: 1, Others: []string{other.Path}, Content: s.file.Digest,
			Reason: fmt.Sprintf("%d%% the same as %s", percent, inStore(other.Path)),
		}
		if other.Changed.After(s.file.Changed) {
			f.Reason += " (newer)"
		}
		w.add(f)
	}
	return nil
}
