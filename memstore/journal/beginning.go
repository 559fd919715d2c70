package journal

import (
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
)

// What was there when the journal began is not a revision. It is listed first, without its bytes, which takes a second for
// 100,000 files. From then on changes count as edits and new paths as new. The bytes are read after that.

// listBeginning lists what is there when the journal begins, without reading it, unless that was done before.
func (c *comparison) listBeginning(snap *memstore.Snapshot) error {
	if c.listed {
		return nil
	}
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
	err := c.inTurns(len(list), func(i int) (int64, error) {
		t := &list[i]
		early, err := c.w.beforeBaseline(t.name)
		if err != nil || !early {
			return 0, err
		}
		return 0, c.keep(t, nil)
	})
	if err != nil {
		return err
	}
	return c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error { return w.set(schema.MetaListed, c.j.options.Now().UnixNano()) })
}

// beforeBaseline reports whether what is at name may have been there when the journal began:
// its beginning is not listed yet, and nothing was ever at name.
func (w *tableWriter) beforeBaseline(name string) (bool, error) {
	if done, err := w.Row("SELECT 1 FROM meta WHERE key IN ('baseline', ?)", []any{schema.MetaListed}, new(int)); err != nil || done {
		return false, err
	}
	ever, err := w.Row("SELECT 1 FROM entry e JOIN path p ON p.id = e.path WHERE p.name = ? LIMIT 1", []any{name}, new(int))
	return !ever, err
}

// keep adds the entry of something that was there when the journal began.
func (c *comparison) keep(t *candidate, got *content.Content) error {
	if err := c.w.entries.ensureParents(t.name, 0); err != nil {
		return err
	}
	if e, err := c.w.entries.current(t.name); err != nil || e != nil {
		return err // a folder implied by something inside it
	}
	s := state{kind: t.info.Kind, size: t.info.Size, stamp: stampOf(t.info, time.Now())}
	if t.shut {
		s.stamp = stamp{} // to notice when it becomes readable
	}
	if t.info.Kind != memstore.KindDir {
		s.life = life{born: c.j.options.Now(), changed: t.info.ModTime}
	}
	if got != nil {
		got = c.bounded(got)
		s.size = got.Size
	}
	var err error
	if s.blob, err = c.w.blobs.Put(got, 0); err != nil {
		return err
	}
	return c.w.entries.begin(t.name, 0, s)
}

// keepFolders adds the folders above what an edit is about to change that are there before it. An edit may come before the
// listing: the folders would count as made by it, and its undo would remove them.
func (w *tableWriter) keepFolders(b memstore.Backend, in *announced) error {
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

// fill stores the bytes of an entry that was never read and has not changed since.
func (c *comparison) fill(t *candidate, e *entry, got *content.Content, s stamp) error {
	if e.first == 0 && c.baseline {
		got = c.bounded(got)
	}
	blob, err := c.w.blobs.Put(got, 0)
	if err != nil {
		return err
	}
	if err := c.w.Do("UPDATE entry SET blob = ?, size = ? WHERE id = ?", blob, got.Size, e.row); err != nil {
		return err
	}
	return c.w.entries.restamp(t.name, blob, s)
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
