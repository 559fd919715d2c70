package journal

import (
	"cmp"
	"database/sql"
	"runtime"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/past"
)

// A transaction records at most this many paths and bytes, so that no other writer waits long.
const (
	recordFiles = 256
	recordBytes = 16 << 20
)

// record runs a transaction of a comparison, unless a purge happened since the comparison began: what was read may have been
// purged. busy holds the paths of open intents.
func (c *comparison) record(names []string, f func(w *tableWriter, busy busy) error) error {
	return c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error {
		purges, _, err := w.purges()
		if err != nil {
			return err
		}
		if purges != c.purges {
			c.putOff(names...)
			return nil
		}
		busy, err := w.busyPaths()
		if err != nil {
			return err
		}
		return f(w, busy)
	})
}

// putOff leaves names to a later comparison.
func (c *comparison) putOff(names ...string) {
	c.passed = true
	for _, name := range names {
		if name != "" {
			c.again[name] = true
		}
	}
}

// rootThere fails unless the store's directory is the one that was compared: in another directory nothing was removed.
func (c *comparison) rootThere() error {
	root, err := c.j.options.Backend.Lstat(".")
	if err == nil && root.ID != c.root {
		err = memstore.ErrUnavailable
	}
	return err
}

// recordMoves records the folders that were renamed. Their contents get new entries under their new names. If a folder is put
// off, so are its contents.
func (c *comparison) recordMoves() error {
	var names, skipped []string
	for _, m := range c.moves {
		names = append(names, m.From, m.To)
	}
	err := c.record(names, func(w *tableWriter, busy busy) error {
		if err := c.rootThere(); err != nil {
			return err
		}
		for i, m := range c.moves {
			done, err := c.recordMove(w, m, c.moves[i+1:], busy)
			if err != nil {
				return err
			}
			if !done {
				skipped = append(skipped, m.From, m.To)
			}
		}
		return nil
	})
	if err == nil && c.again[names[0]] && len(skipped) == 0 {
		skipped = names // a purge happened in between
	}
	if err == nil && len(skipped) > 0 {
		c.leaveOut(skipped)
	}
	return err
}

// recordMove records one renamed folder, unless something else happened to it since. later are the moves that follow: c.known
// has their paths under the final names already.
func (c *comparison) recordMove(w *tableWriter, m past.Move, later []past.Move, busy busy) (done bool, err error) {
	e, err := w.entries.current(m.From)
	if err != nil {
		return false, err
	}
	there, err := w.entries.current(m.To)
	if err != nil {
		return false, err
	}
	info, lost := c.j.options.Backend.Lstat(m.To)
	if e == nil || e.id != c.known[m.To].id || there != nil || busy.touch(m.From) || busy.touch(m.To) || lost != nil || c.isThere(m.From) {
		return false, nil
	}
	ch := change{shape: past.Renamed, kind: memstore.KindDir, name: m.To, oldName: m.From, stamp: stampOf(info, time.Now())}
	if _, err := c.revision(w, ch); err != nil {
		return false, err
	}
	list, err := w.entries.below(m.To)
	for _, n := range list {
		for _, l := range later {
			if n.name == l.From || pathname.Inside(n.name, l.From) {
				n.name = pathname.Moved(n.name, l.From, l.To)
			}
		}
		if known := c.known[n.name]; known != nil {
			known.id = n.id
		}
	}
	return true, err
}

// leaveOut puts off folders with all their contents.
func (c *comparison) leaveOut(dirs []string) {
	c.putOff(dirs...)
	isOut := func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return name == dir || pathname.Inside(name, dir) })
	}
	c.todo = slices.DeleteFunc(c.todo, func(t candidate) bool { return isOut(t.name) })
	c.folders = slices.DeleteFunc(c.folders, func(t candidate) bool { return isOut(t.name) })
	for name := range c.gone {
		if isOut(name) {
			delete(c.gone, name)
		}
	}
}

// recordAll records moves, then removals, then what appeared or changed, so that each revision applies to the result of those
// before it.
func (c *comparison) recordAll() error {
	c.matchContents()
	moves, rest := c.todo[:0:0], c.todo[:0:0]
	for _, t := range c.todo {
		if t.from != "" {
			moves = append(moves, t)
		} else {
			rest = append(rest, t)
		}
	}
	c.todo = rest
	if err := c.recordTodo(moves); err != nil {
		return err
	}
	if err := c.recordGone(nil); err != nil {
		return err
	}
	c.todo = nil
	return c.recordTodo(rest)
}

// recordTodo reads candidates and records them.
func (c *comparison) recordTodo(todo []candidate) error {
	for len(todo) > 0 {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		var batch []candidate
		var read []*content.Content
		var size int64
		for len(todo) > 0 && len(batch) < recordFiles && size < recordBytes {
			t := todo[0]
			todo = todo[1:]
			runtime.Gosched() // the user waits for keys, not for this
			got, ok := c.readOne(&t)
			if !ok {
				c.progress.Done++
				continue
			}
			if got != nil {
				size += int64(len(got.Data))
			}
			batch, read = append(batch, t), append(read, got)
		}
		if err := c.recordBatch(batch, read); err != nil {
			return err
		}
		c.j.checkpoint()
		c.progress.Done += len(batch)
		c.report(c.progress)
	}
	return nil
}

// readOne reads a candidate; ok is false if it is gone or unreadable, in which case its entry stays.
func (c *comparison) readOne(t *candidate) (_ *content.Content, ok bool) {
	if c.lent && !c.lookAgain(t) {
		return nil, false
	}
	switch t.info.Kind {
	case memstore.KindDir, memstore.KindOther:
		return nil, true
	case memstore.KindLink:
		got, err := c.j.disk.linkContent(t.name)
		return got, err == nil
	}
	var last int64
	if t.was != nil && t.was.kind == memstore.KindFile {
		last = t.was.size
	}
	got, info, err := c.j.disk.readWhole(c.ctx, t.name, last)
	if err != nil {
		return nil, false
	}
	t.info = info
	return got, true
}

// lookAgain brings a candidate from an old tree up to date; false means that it is unchanged or gone.
func (c *comparison) lookAgain(t *candidate) bool {
	if t.was == nil && t.info.Kind == memstore.KindFile {
		return true // reading it will tell
	}
	now, err := c.j.options.Backend.Lstat(t.name)
	if err != nil || now.Kind != t.info.Kind || t.from != "" && c.isThere(t.from) {
		return false // the watch will report its new state
	}
	t.info = now
	return t.from != "" || t.was == nil || !t.was.fits(now)
}

func (c *comparison) isThere(name string) bool {
	_, err := c.j.options.Backend.Lstat(name)
	return !memstore.IsAbsent(err)
}

// isStill reports whether something of this kind is at name.
func (c *comparison) isStill(name string, kind memstore.Kind) bool {
	info, err := c.j.options.Backend.Lstat(name)
	return !memstore.IsAbsent(err) && (err != nil || info.Kind == kind)
}

func (c *comparison) recordBatch(batch []candidate, read []*content.Content) error {
	if len(batch) == 0 {
		return nil
	}
	var names []string
	for i := range batch {
		names = append(names, batch[i].name, batch[i].from)
	}
	return c.record(names, func(w *tableWriter, busy busy) error {
		for i := range batch {
			t := &batch[i]
			if busy.touch(t.name) || busy.touch(t.from) {
				c.putOff(t.name, t.from) // one of our own edits is in progress there
				continue
			}
			ours, err := w.isOurs(t.name)
			if err == nil && !ours && t.info.Kind == memstore.KindDir && t.was == nil {
				ours, err = w.isLeftFolder(t.name)
			}
			if err != nil {
				return err
			}
			if ours {
				continue
			}
			if err := c.recordOne(w, t, read[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordOne records a candidate, unless the journal has recorded something there since it was compared.
func (c *comparison) recordOne(w *tableWriter, t *candidate, got *content.Content) error {
	e, stale, err := c.entryOf(w, t)
	if err != nil {
		return err
	}
	if stale {
		c.putOff(t.name, t.from)
		return nil
	}
	if e == nil && slices.ContainsFunc(c.opened, func(dir string) bool { return pathname.Inside(t.name, dir) }) {
		return c.keep(w, t, got, nil)
	}
	if e == nil && !c.listed {
		if early, err := w.beforeBaseline(t.name); err != nil || early {
			return c.keep(w, t, got, err)
		}
	}
	s := stampOf(t.info, time.Now())
	if t.from != "" {
		ch := change{shape: past.Renamed, kind: t.info.Kind, name: t.name, oldName: t.from, before: e.blob, after: e.blob, size: e.size, stamp: s}
		if _, err := c.revision(w, ch); err != nil {
			return err
		}
		if e, err = w.entries.current(t.name); err != nil || e == nil {
			return err
		}
	}
	if e != nil && e.kind == t.info.Kind && e.blob == 0 && got != nil && t.was.isStamped(t.info) {
		return c.fill(w, t, e, got, s)
	}
	if e != nil && e.kind == t.info.Kind && got != nil && !got.Hashed && t.was.isStamped(t.info) {
		return w.entries.restamp(t.name, e.blob, s) // huge files are identified by size and time
	}
	var near int64
	if e != nil {
		near = e.blob
	}
	blob, err := w.blobs.Put(got, near)
	if err != nil {
		return err
	}
	ch := change{shape: past.Made, kind: t.info.Kind, name: t.name, after: blob, size: t.info.Size, stamp: s}
	if got != nil {
		ch.size, ch.text = got.Size, got.Data
	}
	if e != nil && e.kind == t.info.Kind {
		if e.blob == blob {
			return w.entries.restamp(t.name, e.blob, s)
		}
		ch.shape, ch.before, ch.beforeMode, ch.hasMode, ch.beforeTime = past.Edited, e.blob, e.mode, e.hasMode, e.modTime
	}
	_, err = c.revision(w, ch)
	return err
}

// entryOf returns the entry that a candidate was compared with, nil for none; stale means that it has been replaced since.
func (c *comparison) entryOf(w *tableWriter, t *candidate) (e *entry, stale bool, err error) {
	if e, err = w.entries.current(cmp.Or(t.from, t.name)); err != nil {
		return nil, false, err
	}
	if t.was == nil || t.from != "" {
		if moved, err := c.movedOn(w, t.name); err != nil || moved {
			return e, moved, err
		}
	}
	return e, (e == nil) != (t.was == nil) || e != nil && e.id != t.was.id, nil
}

// movedOn reports whether our own edits touched a path that did not exist when the comparison began: what was seen there may be
// gone again.
func (c *comparison) movedOn(w *tableWriter, name string) (bool, error) {
	return w.Row("SELECT 1 FROM entry e JOIN path p ON p.id = e.path WHERE p.name = ?1 AND (e.first > ?2 OR e.last > ?2) LIMIT 1",
		[]any{name, max(c.since, c.cleared[name])}, new(int))
}

// revision records a change made by another program.
func (c *comparison) revision(w *tableWriter, ch change) (rev int64, err error) {
	if c.unseen {
		ch.note = past.NoteUnseen // at an unknown time
	}
	if err := w.countStored(&ch); err != nil {
		return 0, err
	}
	m := maker{
		time: c.j.options.Now(), actor: memstore.External, command: commandOf(ch.shape),
		process: c.j.options.Process, group: c.group,
	}
	if rev, err = w.record(&m, &ch); err == nil && c.accepts {
		err = c.asOne(w, rev)
	}
	c.progress.Revisions++
	return rev, err
}

// matchContents pairs vanished files with new ones that have the same bytes: a move by copying
// and deleting, or from another file system.
func (c *comparison) matchContents() {
	bySize := map[int64]bool{}
	for _, e := range c.gone {
		if e.kind == memstore.KindFile && e.size > 0 {
			bySize[e.size] = true
		}
	}
	if len(bySize) == 0 {
		return
	}
	byBlob := map[int64]string{}
	for name, e := range c.gone {
		if e.kind == memstore.KindFile && e.size > 0 && e.blob != 0 && !c.replaced[name] {
			byBlob[e.blob] = name
		}
	}
	for i := range c.todo {
		t := &c.todo[i]
		if t.was != nil || t.info.Kind != memstore.KindFile || !bySize[t.info.Size] || c.replaced[t.name] || c.ctx.Err() != nil {
			continue
		}
		sum, _, err := c.j.disk.digest(t.name)
		if err != nil {
			continue
		}
		blob, err := c.blobWith(sum)
		if err != nil {
			continue
		}
		if from, ok := byBlob[blob]; ok {
			t.from, t.was = from, c.gone[from]
			delete(c.gone, from)
			delete(byBlob, blob)
		}
	}
}

// recordGone records removals, the contents of a folder before the folder; only selects names, nil selects all.
func (c *comparison) recordGone(only func(name string) bool) error {
	names := make([]string, 0, len(c.gone))
	for name := range c.gone {
		if only == nil || only(name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(a+"/\xff", b+"/\xff") })
	for batch := range slices.Chunk(names, recordFiles) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		err := c.record(batch, func(w *tableWriter, busy busy) error {
			if err := c.rootThere(); err != nil {
				return err
			}
			for _, name := range batch {
				if c.holdsMoves(name) {
					continue
				}
				e, err := w.entries.current(name)
				if err != nil {
					return err
				}
				known := c.gone[name]
				delete(c.gone, name)
				switch {
				case e == nil:
					continue
				case e.id != known.id, busy.touch(name):
					c.putOff(name)
					continue
				case c.isStill(name, e.kind):
					if !c.lent {
						c.putOff(name)
					}
					continue
				}
				gone := change{
					shape: past.Removed, kind: e.kind, name: name,
					before: e.blob, beforeMode: e.mode, hasMode: e.hasMode, beforeTime: e.modTime,
				}
				if c.cleared[name], err = c.revision(w, gone); err != nil {
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

// holdsMoves reports whether something below the folder name will be recorded as moved away; then the folder is removed after
// that.
func (c *comparison) holdsMoves(name string) bool {
	return slices.ContainsFunc(c.todo, func(t candidate) bool { return t.from != "" && pathname.Inside(t.from, name) })
}

// finish records that the first comparison is complete, and on which device the store is.
func (c *comparison) finish(snap *memstore.Snapshot) error {
	return c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error {
		// What was skipped existed before; its edit must not count it as new.
		if c.baseline && !c.passed {
			if err := w.set("baseline", c.j.options.Now().UnixNano()); err != nil {
				return err
			}
		}
		return w.set("device", int64(snap.Root.ID.Device))
	})
}

// restampFolders keeps the current modes and times of folders, in case other programs remove or rename them. A new time alone
// is not a change; it comes from a change inside the folder.
func (c *comparison) restampFolders() error {
	for batch := range slices.Chunk(c.folders, recordFiles) {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		err := c.j.txUntil(c.ctx, "compare", func(w *tableWriter) error {
			for i := range batch {
				now := batch[i].info
				if again, err := c.j.options.Backend.Lstat(batch[i].name); c.lent && err == nil && again.Kind == now.Kind {
					now = again
				}
				if err := w.entries.restamp(batch[i].name, 0, stampOf(now, time.Now())); err != nil {
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

// busy are the paths of open intents.
type busy []string

// touch reports whether an open intent is about name, or about something above or below it.
func (b busy) touch(name string) bool {
	return name != "" && slices.ContainsFunc(b, func(p string) bool {
		return p == name || pathname.Inside(name, p) || pathname.Inside(p, name)
	})
}

func (w *tableWriter) busyPaths() (busy, error) {
	var list busy
	err := database.Rows(w.Query("SELECT path, coalesce(old_path, path) FROM intent_change")).Each(func(row *sql.Rows) error {
		var a, b string
		err := row.Scan(&a, &b)
		list = append(list, a)
		if b != a {
			list = append(list, b)
		}
		return err
	})
	return list, err
}
