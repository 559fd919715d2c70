package journal

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// A transaction records at most so many paths and bytes, so that nobody waits long for it.
const (
	recordFiles = 256
	recordBytes = 16 << 20
)

// recordAll reads the candidates and records them, the gone ones before those that came.
func (r *reconciler) recordAll() error {
	r.matchContents()
	if err := r.recordGone(); err != nil {
		return err
	}
	for len(r.todo) > 0 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		var batch []candidate
		var read []*content
		var size int64
		for len(r.todo) > 0 && len(batch) < recordFiles && size < recordBytes {
			c := r.todo[0]
			r.todo = r.todo[1:]
			runtime.Gosched() // nobody waits for this; who presses a key does
			got, ok := r.readOne(&c)
			if !ok {
				r.progress.Done++
				continue
			}
			if got != nil {
				size += int64(len(got.data))
			}
			batch, read = append(batch, c), append(read, got)
		}
		if err := r.recordBatch(batch, read); err != nil {
			return err
		}
		r.j.checkpoint()
		r.progress.Done += len(batch)
		r.report(r.progress)
	}
	return nil
}

// readOne reads a candidate; ok is false where it has gone or cannot be read: then what is
// known stays.
func (r *reconciler) readOne(c *candidate) (*content, bool) {
	if r.lent && !r.lookAgain(c) {
		return nil, false
	}
	switch c.info.Kind {
	case memstore.KindDir, memstore.KindOther:
		return nil, true
	case memstore.KindLink:
		got, err := r.j.linkContent(c.name)
		return got, err == nil
	}
	got, err := r.j.readContent(c.name)
	if err != nil {
		return nil, false
	}
	return got, true
}

// lookAgain brings a candidate of an old tree up to date; false: it is as it is known, or gone.
func (r *reconciler) lookAgain(c *candidate) bool {
	if c.was == nil && c.info.Kind == memstore.KindFile {
		return true // it is going to be read, or is not there
	}
	now, err := r.j.options.Backend.Lstat(c.name)
	if err != nil || now.Kind != c.info.Kind || c.from != "" && r.isThere(c.from) {
		return false // what it is now is told by who watches
	}
	c.info = now
	return c.from != "" || c.was == nil || !c.was.fits(now)
}

func (r *reconciler) isThere(name string) bool {
	_, err := r.j.options.Backend.Lstat(name)
	return !memstore.IsAbsent(err)
}

func (r *reconciler) recordBatch(batch []candidate, read []*content) error {
	if len(batch) == 0 {
		return nil
	}
	return r.j.txUntil(r.ctx, "compare", func(w *writer) error {
		busy, err := w.busyPaths()
		if err != nil {
			return err
		}
		for i := range batch {
			if busy.touch(batch[i].name) || busy.touch(batch[i].from) {
				r.passed = true
				continue // an edit of ours is under way there
			}
			if ours, err := w.isOurs(batch[i].name); err != nil || ours {
				if err != nil {
					return err
				}
				continue
			}
			if err := r.recordOne(w, &batch[i], read[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordOne records a candidate, unless the journal has moved on since it was loaded.
func (r *reconciler) recordOne(w *writer, c *candidate, got *content) error {
	name := c.name
	if c.from != "" {
		name = c.from
	}
	if busy, err := r.movedOn(w, c); err != nil || busy {
		return err
	}
	e, err := w.current(name)
	switch {
	case err != nil:
		return err
	case e == nil && c.was != nil && c.from == "" && r.gone[name] == nil && c.was.kind != c.info.Kind:
		// Another kind was there, and its removal is recorded.
	case (e == nil) != (c.was == nil), e != nil && e.id != c.was.id:
		return nil
	}
	if e == nil && r.baseline {
		if early, err := w.beforeBaseline(c.name); err != nil || early {
			return r.keep(w, c, got, err)
		}
	}
	var near int64
	if e != nil {
		near = e.blob
	}
	blob, err := w.put(got, near)
	if err != nil {
		return err
	}
	s := stampOf(c.info, time.Now())
	if c.from != "" {
		if err := r.revision(w, change{shape: past.Renamed, kind: c.info.Kind, name: c.name, oldName: c.from, before: e.blob, after: e.blob, size: e.size, stamp: s}); err != nil {
			return err
		}
		if e, err = w.current(c.name); err != nil || e == nil {
			return err
		}
	}
	ch := change{shape: past.Made, kind: c.info.Kind, name: c.name, after: blob, size: c.info.Size, stamp: s}
	if got != nil {
		ch.size = got.size
	}
	if e != nil && e.kind == c.info.Kind {
		if e.blob == blob || e.blob == 0 || (got != nil && !got.hashed && e.size == got.size) {
			if e.blob == 0 && blob != 0 {
				if err := w.do("UPDATE entry SET blob = ?, size = ? WHERE id = ?", blob, got.size, e.id); err != nil {
					return err
				}
			}
			return w.restamp(c.name, blob, s)
		}
		ch.shape, ch.before, ch.beforeMode, ch.hasMode, ch.beforeTime = past.Edited, e.blob, e.mode, e.hasMode, e.modTime
	} else if e != nil {
		if err := r.revision(w, change{shape: past.Removed, kind: e.kind, name: c.name, before: e.blob}); err != nil {
			return err
		}
	}
	return r.revision(w, ch)
}

// movedOn reports whether edits of ours have been at a path that was not there when the comparison
// began: what the scan saw of it may be gone again.
func (r *reconciler) movedOn(w *writer, c *candidate) (bool, error) {
	return w.row("SELECT 1 FROM entry e JOIN path p ON p.id = e.path WHERE p.name = ?1 AND (e.first > ?2 OR e.last > ?2) LIMIT 1",
		[]any{c.name, r.since}, new(int))
}

// revision records what somebody else has done at an unknown time.
func (r *reconciler) revision(w *writer, c change) error {
	c.note = past.NoteUnseen
	if err := w.countStored(&c); err != nil {
		return err
	}
	m := maker{time: r.j.options.Now(), actor: memstore.External, command: cmp.Or(c.like, commandOf(c.shape)), process: r.j.options.Process, group: r.group}
	rev, err := w.record(&m, &c)
	if err == nil && r.accepts {
		err = r.asOne(w, rev)
	}
	r.progress.Revisions++
	return err
}

// keep takes what was there when the journal began.
func (r *reconciler) keep(w *writer, c *candidate, got *content, err error) error {
	if err != nil {
		return err
	}
	if got != nil && got.data != nil && r.kept+got.size > r.j.options.MaxBaseline {
		got = &content{sum: got.sum, hashed: true, size: got.size, why: whyBaseline}
	}
	s := state{kind: c.info.Kind, size: c.info.Size, stamp: stampOf(c.info, time.Now())}
	if c.info.Kind != memstore.KindDir {
		s.life = life{born: r.j.options.Now(), changed: c.info.ModTime}
	}
	if got != nil {
		s.size = got.size
		if got.data == nil {
			r.progress.LeftOut++
		} else {
			r.kept += got.size
			r.progress.Bytes = r.kept
		}
	}
	if s.blob, err = w.put(got, 0); err != nil {
		return err
	}
	if err := w.ensureParents(c.name, 0); err != nil {
		return err
	}
	if e, err := w.current(c.name); err != nil || e != nil {
		return err // a folder that something inside has implied
	}
	return w.begin(c.name, 0, s)
}

// matchContents finds gone files among new ones with the same bytes: a move by copying
// and deleting, or to another file system.
func (r *reconciler) matchContents() {
	bySize := map[int64]bool{}
	for _, e := range r.gone {
		if e.kind == memstore.KindFile && e.size > 0 {
			bySize[e.size] = true
		}
	}
	if len(bySize) == 0 {
		return
	}
	byBlob := map[int64]string{}
	for name, e := range r.gone {
		if e.kind == memstore.KindFile && e.size > 0 {
			byBlob[e.blob] = name
		}
	}
	for i := range r.todo {
		c := &r.todo[i]
		if c.was != nil || c.info.Kind != memstore.KindFile || !bySize[c.info.Size] || r.ctx.Err() != nil {
			continue
		}
		sum, _, err := r.j.digest(c.name)
		if err != nil {
			continue
		}
		var blob int64
		if err := r.j.txUntil(r.ctx, "compare", func(w *writer) error {
			blob, err = w.find(&content{sum: sum, hashed: true})
			return err
		}); err != nil {
			continue
		}
		if from, ok := byBlob[blob]; ok && blob != 0 {
			c.from, c.was = from, r.gone[from]
			delete(r.gone, from)
			delete(byBlob, blob)
		}
	}
}

// recordGone records what is no longer there, what a folder holds before the folder.
func (r *reconciler) recordGone() error {
	names := make([]string, 0, len(r.gone))
	for name := range r.gone {
		names = append(names, name)
	}
	// What became something else is told where it came.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	for batch := range slices.Chunk(names, recordFiles) {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		err := r.j.txUntil(r.ctx, "compare", func(w *writer) error {
			busy, err := w.busyPaths()
			if err != nil {
				return err
			}
			for _, name := range batch {
				e, err := w.current(name)
				if err != nil {
					return err
				}
				if e == nil || e.id != r.gone[name].id || busy.touch(name) || r.holdsMoves(name) || r.lent && r.isThere(name) {
					continue
				}
				if err := r.revision(w, change{shape: past.Removed, kind: e.kind, name: name, before: e.blob, beforeMode: e.mode, hasMode: e.hasMode, beforeTime: e.modTime}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// holdsMoves reports whether something below the folder name is going to be recorded as moved
// away: then the folder goes after it.
func (r *reconciler) holdsMoves(name string) bool {
	return slices.ContainsFunc(r.todo, func(c candidate) bool { return c.from != "" && inside(c.from, name) })
}

// finish records the folders that were waiting for moves out of them, and that the first
// comparison is complete.
func (r *reconciler) finish(snap *memstore.Snapshot) error {
	if err := r.recordGone(); err != nil {
		return err
	}
	if err := r.restampFolders(snap); err != nil {
		return err
	}
	return r.j.txUntil(r.ctx, "compare", func(w *writer) error {
		// What was passed over was there before: its edit must not find that it came later.
		if r.baseline && !r.passed {
			if err := w.set("baseline", r.j.options.Now().UnixNano()); err != nil {
				return err
			}
		}
		return w.set("device", int64(snap.Root.ID.Device))
	})
}

// restampFolders keeps the modes and times that folders have now, for when they are removed by
// somebody who does not tell. Another time is no change: something in the folder is.
func (r *reconciler) restampFolders(snap *memstore.Snapshot) error {
	var names []string
	var infos []memstore.Info
	snap.Walk(func(agentPath string, n *memstore.Node) bool {
		name := memstore.BackendName(agentPath)
		if memstore.InGit(name) {
			return false
		}
		if was := r.known[name]; n.Kind == memstore.KindDir && name != "." && (was == nil || was.mtime != n.ModTime.UnixNano()) {
			now := n.Info
			if r.lent {
				if again, err := r.j.options.Backend.Lstat(name); err == nil && again.Kind == n.Kind {
					now = again
				}
			}
			names, infos = append(names, name), append(infos, now)
		}
		return n.Kind == memstore.KindDir
	})
	for len(names) > 0 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		batch := min(recordFiles, len(names))
		err := r.j.txUntil(r.ctx, "compare", func(w *writer) error {
			for i, name := range names[:batch] {
				if err := w.restamp(name, 0, stampOf(infos[i], time.Now())); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		names, infos = names[batch:], infos[batch:]
	}
	return nil
}

// busy are the paths of open intents.
type busy []string

// touch reports whether an open intent is about name, something above or something below.
func (b busy) touch(name string) bool {
	return name != "" && slices.ContainsFunc(b, func(p string) bool { return p == name || inside(name, p) || inside(p, name) })
}

func (w *writer) busyPaths() (busy, error) {
	rows, err := w.query("SELECT path, coalesce(old_path, path) FROM intent_change")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list busy
	for rows.Next() {
		var a, b string
		if err := rows.Scan(&a, &b); err != nil {
			return nil, err
		}
		list = append(list, a)
		if b != a {
			list = append(list, b)
		}
	}
	return list, errors.Join(rows.Err(), rows.Close())
}
