package journal

import (
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
)

// What was there when the journal began is not a revision. It is listed first, without its bytes, which takes a second for
// 100,000 files. From then on changes count as edits and new paths as new. The bytes are read after that.

// listStep is how many paths one transaction lists, which takes some 20 ms.
const listStep = 500

// listPatience is how long comparisons of names wait for the listing.
const listPatience = 10 * time.Second

// awaitsListing reports whether a comparison of names is to wait until what was there when the journal began has been listed. A
// watcher starts before that: without the stamps of the listing, its changes would look like the original state. Where
// listing it takes longer than [listPatience], the comparison does without.
func (j *Journal) awaitsListing() bool {
	now := time.Now().UnixNano()
	j.unlisted.CompareAndSwap(0, now)
	return now-j.unlisted.Load() < int64(listPatience)
}

// listBeginning lists what is there when the journal begins, without reading it.
func (c *comparison) listBeginning(snap *memstore.Snapshot) error {
	var list []candidate
	snap.Walk(func(agentPath string, n *memstore.Node) bool {
		name := memstore.BackendName(agentPath)
		if memstore.InGit(name) {
			return false
		}
		if name != "." && c.known[name] == nil {
			list = append(list, candidate{name: name, info: n.Info, shut: n.Problem != nil})
		}
		return n.Kind == memstore.KindDir
	})
	for step := range slices.Chunk(list, listStep) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		err := c.record(nil, func(w *tableWriter, busy busy) error {
			for i := range step {
				t := &step[i]
				ours, err := w.isOurs(t.name)
				if err != nil {
					return err
				}
				early, err := w.beforeBaseline(t.name)
				if err != nil {
					return err
				}
				if busy.touch(t.name) {
					c.passed = true
				} else if early && !ours {
					if err := c.keep(w, t, nil, nil); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if c.passed {
		return nil // an edit in progress must not count the file it edits as new
	}
	return c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error { return w.set(schema.MetaListed, c.j.options.Now().UnixNano()) })
}

// keep adds the entry of something that was there when the journal began.
func (c *comparison) keep(w *tableWriter, t *candidate, got *content.Content, err error) error {
	if err != nil {
		return err
	}
	if got != nil {
		got = c.bounded(got)
	}
	if err := w.entries.ensureParents(t.name, 0); err != nil {
		return err
	}
	if e, err := w.entries.current(t.name); err != nil || e != nil {
		return err // a folder implied by something inside it
	}
	s := c.beginning(t)
	if got != nil {
		s.size = got.Size
	}
	if s.blob, err = w.blobs.Put(got, 0); err != nil {
		return err
	}
	return w.entries.begin(t.name, 0, s)
}

// keepFolders adds the folders above what an edit is about to change that are there before it. An edit may come before the
// listing: the folders would count as made by it, and its undo would remove them.
func (w *tableWriter) keepFolders(b memstore.Backend, in *intent) error {
	if b == nil {
		return nil
	}
	for i := range in.changes {
		for _, dir := range pathname.Parents(in.changes[i].name) {
			early, err := w.beforeBaseline(dir)
			if err != nil {
				return err
			}
			if !early {
				continue
			}
			busy, err := w.busyPaths()
			if err != nil {
				return err
			}
			if busy.touch(dir) { // an edit that is not settled yet may have made it
				break
			}
			if info, err := b.Lstat(dir); err != nil || info.Kind != memstore.KindDir {
				break
			}
			if err := w.entries.begin(dir, 0, state{kind: memstore.KindDir}); err != nil {
				return err
			}
		}
	}
	return nil
}

// beginning is the state of something that was there when the journal began, without its bytes.
func (c *comparison) beginning(t *candidate) state {
	s := state{kind: t.info.Kind, size: t.info.Size, stamp: stampOf(t.info, time.Now())}
	if t.shut {
		s.stamp = stamp{} // to notice when it becomes readable
	}
	if t.info.Kind != memstore.KindDir {
		s.life = life{born: c.j.options.Now(), changed: t.info.ModTime}
	}
	return s
}

// fill stores the bytes of an entry that was never read and has not changed since.
func (c *comparison) fill(w *tableWriter, t *candidate, e *entry, got *content.Content, s stamp) error {
	if t.was.first == 0 && c.baseline {
		got = c.bounded(got)
	}
	blob, err := w.blobs.Put(got, 0)
	if err != nil {
		return err
	}
	if err := w.Do("UPDATE entry SET blob = ?, size = ? WHERE id = ?", blob, got.Size, e.id); err != nil {
		return err
	}
	return w.entries.restamp(t.name, blob, s)
}

// bounded drops the bytes if the first comparison has kept too many already, and counts the others.
func (c *comparison) bounded(got *content.Content) *content.Content {
	if got.Data != nil && c.kept+got.Size > c.j.options.MaxBaseline {
		got = &content.Content{Sum: got.Sum, Hashed: true, Size: got.Size, Why: content.WhyBaseline}
	}
	if got.Data == nil {
		c.progress.LeftOut++
		return got
	}
	c.kept += got.Size
	c.progress.Bytes = c.kept
	return got
}
