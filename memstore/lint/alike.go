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

var likeness = check{
	rules: []Rule{Duplicate, Alike},
	content: func(in *inspection) fact {
		if s := sign(in.data); s != nil {
			return s
		}
		return nil
	},
	store: func(ctx context.Context, w *checking) error { return w.alike(ctx) },
}

func (*signature) weight() int64 { return signatureBytes }

func (*signature) places(func(*Place)) {}

const (
	// minDuplicate is the size from which two files with the same bytes are reported, in bytes.
	minDuplicate = 16
	// maxBucket is how many texts of one band a text is compared with: a thousand copies of one
	// template cost at most a thousand comparisons with a few.
	maxBucket = 4
	// keptSets is how many sets of shingles are kept while texts are compared exactly.
	keptSets = 8
)

// alike reports files with the same bytes, and files with nearly the same text.
func (w *checking) alike(ctx context.Context) error {
	byContent := map[memstore.Digest][]File{}
	var order []seen // one file for each content, the one to keep
	for _, s := range w.seen {
		if s.file.Digest == (memstore.Digest{}) || s.content.Size < minDuplicate {
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
			found := Finding{
				Path: f.Path, Rule: Duplicate, Severity: Warning, Count: 1, Others: []string{keep.Path}, Content: f.Digest,
				Reason: "same bytes as " + inStore(keep.Path),
			}
			if _, sure := w.compareOriginals(keep, f); !sure {
				found.Undecided = true
				found.Reason += "; choose which one stays"
			}
			w.add(found)
		}
	}
	return w.near(ctx, order)
}

// keepFirst puts the file first that is the one to keep: changed last, then the shorter path.
func keepFirst(a, b File) int {
	return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
}

// near reports different contents with nearly the same text. Texts whose signatures share a band
// are compared; each is reported with the one it resembles most.
func (w *checking) near(ctx context.Context, order []seen) error {
	slices.SortStableFunc(order, func(a, b seen) int { return keepFirst(a.file, b.file) })
	buckets := map[uint64][]int{}
	sets := setKeeper{w: w}
	for i, s := range order {
		own := factOf[*signature](s.content)
		if own == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		var candidates []int
		own.bands(func(band uint64) {
			for _, j := range buckets[band] {
				if !slices.Contains(candidates, j) {
					candidates = append(candidates, j)
				}
			}
			if len(buckets[band]) < maxBucket {
				buckets[band] = append(buckets[band], i)
			}
		})
		best, percent := -1, 0
		for _, j := range candidates {
			if own.agree(factOf[*signature](order[j].content)) < likelyBins {
				continue
			}
			p, err := sets.share(ctx, s, order[j])
			if err != nil {
				return err
			}
			if p >= alikeShare && p > percent {
				best, percent = j, p
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

// setKeeper rereads contents for an exact comparison, and keeps the last few.
type setKeeper struct {
	w    *checking
	last []reread // the newest last
}

// reread is the set of shingles of a content that was read again.
type reread struct {
	of  memstore.Digest
	set []uint64
}

// share is what two contents have in common, in percent; 0 where one of them cannot be read.
func (k *setKeeper) share(ctx context.Context, a, b seen) (int, error) {
	p := pair{a.file.Digest, b.file.Digest}
	if percent, ok := k.w.cache.share(p); ok {
		return percent, nil
	}
	one, err := k.read(ctx, a.file)
	if err != nil || one == nil {
		return 0, err
	}
	two, err := k.read(ctx, b.file)
	if err != nil || two == nil {
		return 0, err
	}
	percent := share(one, two)
	k.w.cache.putShare(p, percent)
	return percent, nil
}

// read has no set where the file has changed or is gone: nothing is said of it then.
func (k *setKeeper) read(ctx context.Context, f File) ([]uint64, error) {
	if i := slices.IndexFunc(k.last, func(r reread) bool { return r.of == f.Digest }); i >= 0 {
		return k.last[i].set, nil
	}
	data, _, err := k.w.source.Read(ctx, f, MaxBytes)
	if err != nil {
		return nil, ctx.Err()
	}
	if len(data) < MaxBytes && memstore.Sum(data) != f.Digest {
		return nil, nil
	}
	if len(k.last) >= keptSets {
		k.last = k.last[1:]
	}
	set := shingleSet(data)
	k.last = append(k.last, reread{f.Digest, set})
	return set, nil
}
