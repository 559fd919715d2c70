package journal

import (
	"cmp"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// others records what other programs did, in the transaction of a writer.
type others struct {
	w *writer
	maker
	note past.Note
	name string // of a group that all of it belongs to; "" for none
	made int    // revisions

	beginning bool // what is not known was there when the journal began
}

// record makes the revision of a change.
func (o *others) record(c change) {
	m := o.maker
	m.actor, m.command, c.note = memstore.External, commandOf(c.shape), o.note
	o.w.countStored(&c)
	rev := o.w.record(&m, &c)
	if o.made++; o.name != "" && o.group == 0 {
		o.w.openGroup(&o.maker, o.name, rev)
	}
}

func commandOf(s past.Shape) string {
	switch s {
	case past.Made:
		return memstore.CmdCreate
	case past.Removed:
		return memstore.CmdDelete
	case past.Renamed:
		return memstore.CmdRename
	}
	return memstore.CmdEdit
}

// openWay records that anything above name that is not a folder is gone: folders were found there.
func (o *others) openWay(name string) {
	for _, dir := range parents(name) {
		if f := o.w.file(dir); f != nil && f.kind != memstore.KindDir {
			o.lose(f)
			return
		}
	}
}

// lose records the removal of what is known at a name, with everything below.
func (o *others) lose(f *file) {
	if f.kind == memstore.KindDir {
		o.loseBelow(f.name, nil)
	}
	o.loseOne(f)
}

// loseBelow records the removal of what is known below a folder, but for the names to keep.
func (o *others) loseBelow(name string, keep map[string]bool) {
	for _, f := range slices.Backward(o.w.filesBelow(name)) { // what a folder holds before the folder
		if !keep[f.name] {
			o.loseOne(f)
		}
	}
}

func (o *others) loseOne(f *file) {
	c := change{kind: f.kind, shape: past.Removed, name: f.name}
	c.follows(f)
	o.record(c)
}

// follows has a change begin with what is known of its file.
func (c *change) follows(f *file) {
	c.before, c.beforeMode, c.beforeTime = f.blob, f.mode, f.modTime
}

// meet brings what is known of a name up to what was found there: its bytes, nil for a folder, and its stamp.
func (o *others) meet(name string, info memstore.Info, got *content, s stamp) {
	if got != nil && got.why == whyNotRead {
		return // the next comparison reads it, if it is still there
	}
	e := o.w.file(name)
	if e != nil && e.kind != info.Kind {
		o.lose(e)
		e = nil
	}
	found := change{shape: past.Made, kind: info.Kind, name: name, stamp: s}
	switch {
	case e == nil:
		o.openWay(name)
	case got == nil, got.data == nil && e.isStamped(info):
		o.w.restamp(name, e.blob, s)
		return
	default:
		found.shape = past.Edited
		found.follows(e)
	}
	if got != nil {
		found.size, found.text = got.size, got.data
		found.after = o.w.put(got, found.before, nil)
	}
	switch {
	case e == nil && o.beginning:
		o.w.makeFolders(name)
		f := &file{name: name, kind: info.Kind, blob: found.after, size: found.size, stamp: s}
		if info.Kind != memstore.KindDir {
			f.life = life{born: o.time, changed: info.ModTime}
		}
		o.w.putFile(f)
	case e == nil, e.blob != found.after && !(e.isStamped(info) && o.w.unread(e.blob)):
		o.record(found)
	case !e.isStamped(info) || s.seen.After(e.seen):
		o.w.restamp(name, e.blob, s)
	}
}

// catchUp makes the journal agree with what one of our own edits found on the disk: a difference is an edit by another program that was not
// noticed.
func (j *Journal) catchUp(w *writer, in *announced) {
	o := &others{w: w, maker: maker{time: in.time, process: in.process}, note: past.NoteUnseen, beginning: !j.hasBegun(w)}
	own := map[string]bool{} // names that earlier changes of the same edit are about
	for i := range in.changes {
		c := &in.changes[i]
		if c.kind == memstore.KindOther {
			continue
		}
		name := cmp.Or(c.oldName, c.name)
		if !own[c.name] && (c.shape == past.Made || c.shape == past.Renamed) {
			o.clearWay(j.options.Backend, c)
		}
		if !own[name] && c.shape != past.Made {
			if c.shape == past.Removed && c.kind == memstore.KindDir {
				o.loseBelow(name, own)
			}
			s := &in.sides[i]
			o.meet(name, s.info, s.before, stampOf(s.info, s.info.ModTime))
		}
		own[c.name], own[c.oldName] = true, true
	}
}

// clearWay records that nothing is at the new name of an edit, and which of the folders above are there before it: they would count as made
// by it, and its undo would remove them.
func (o *others) clearWay(b memstore.Backend, c *change) {
	o.openWay(c.name)
	f := o.w.file(c.name)
	if f != nil && (c.shape == past.Renamed || c.kind != memstore.KindDir || f.kind != memstore.KindDir) {
		o.lose(f)
		return
	}
	if b == nil {
		return
	}
	for _, dir := range o.w.missingFolders(c.name) {
		info, err := b.Lstat(dir)
		if err != nil || info.Kind != memstore.KindDir {
			return // the edit makes it
		}
		o.meet(dir, info, nil, stamp{})
	}
}
