package journal

import (
	"errors"

	"memcurator/memstore/past"
)

// Sizes, in bytes, of the texts that are stored as deltas: below, a row costs as much as the text; above, the
// two texts and the index of one take too much memory.
const (
	deltaFrom = 256
	deltaMost = 32 << 20
)

// stored is a text as a blob has it.
type stored struct {
	codec       int
	data        []byte
	base, spent int64 // 0: it is stored whole
}

func whole(text []byte) stored {
	codec, data := pack(text)
	return stored{codec: codec, data: data}
}

// anchor is a blob that is stored whole, on which versions that follow are deltas. Every delta is on such a blob, never
// on another delta: a version is read in one step. A new anchor comes when the deltas together are as long as
// the one before: then neither the deltas, which grow with the distance, nor the anchors cost more than the other.
type anchor struct {
	id     int64
	text   []byte
	length int64 // as it is stored
	spent  int64 // the sum of the deltas up to the version that the next one follows
}

// delta is a text as a delta on the anchor; ok is false where it is to be stored whole. A nil anchor has none.
func (a *anchor) delta(text []byte) (s stored, ok bool) {
	if a == nil || a.spent >= a.length || len(text) < deltaFrom || len(text) > deltaMost {
		return s, false
	}
	d, ok := deltaOf(a.text, text, len(text)/4)
	if !ok {
		return s, false
	}
	codec, data := packDelta(d)
	spent := a.spent + int64(len(data))
	return stored{codec, data, a.id, spent}, spent <= a.length
}

// anchorOf is the anchor of a version, nil where none can be used.
func (b *blobs) anchorOf(id int64) (*anchor, error) {
	if id == 0 {
		return nil, nil
	}
	var spent int64
	var p packed
	found, err := b.w.row(`SELECT coalesce(b.spent, 0), a.id, a.size, a.codec, a.data FROM blob b JOIN blob a ON a.id = coalesce(b.base, b.id)
		WHERE b.id = ? AND b.data IS NOT NULL AND a.data IS NOT NULL AND a.base IS NULL AND a.size BETWEEN ? AND ?`,
		[]any{id, deltaFrom, deltaMost}, &spent, &p.id, &p.size, &p.codec, &p.data)
	if err != nil || !found || spent >= int64(len(p.data)) {
		return nil, err
	}
	text, err := p.unpack(nil)
	if errors.Is(err, past.ErrCorrupt) {
		return nil, nil // a check reports it; what comes now does not depend on it
	}
	return &anchor{id: p.id, text: text, length: int64(len(p.data)), spent: spent}, err
}

// packNear is how a text is stored whose version before is the blob near, 0 for none.
func (b *blobs) packNear(text []byte, near int64) (stored, error) {
	if len(text) < deltaFrom || len(text) > deltaMost {
		return whole(text), nil
	}
	a, err := b.anchorOf(near)
	if err != nil {
		return stored{}, err
	}
	if s, ok := a.delta(text); ok {
		return s, nil
	}
	return whole(text), nil
}

// store stores the text of a blob on which nothing depends, on the anchor where that is shorter; next is the anchor for the
// version that follows.
func (b *blobs) store(id int64, text []byte, a *anchor) (next *anchor, err error) {
	s, ok := a.delta(text)
	if ok {
		next = &anchor{a.id, a.text, a.length, s.spent}
	} else {
		s = whole(text)
		next = &anchor{id: id, text: text, length: int64(len(s.data))}
	}
	return next, b.w.do("UPDATE blob SET size = ?, codec = ?, data = ?, base = ?, spent = ? WHERE id = ?",
		len(text), s.codec, s.data, optional(s.base), optional(s.spent), id)
}

// dependents are the numbers of the blobs that are deltas on this one, in the order they came.
func (b *blobs) dependents(id int64) ([]int64, error) {
	return b.w.ids("SELECT id FROM blob WHERE base = ? ORDER BY id", id)
}

// detach lets a base be changed. What depends on it cannot be read by itself until it is stored anew, in the
// same transaction.
func (b *blobs) detach(base int64) error {
	return b.w.do("UPDATE blob SET base = NULL WHERE base = ?", base)
}

// detached reads a blob that may have been detached from a base with this text.
func (b *blobs) detached(id int64, base []byte) ([]byte, error) {
	p := packed{id: id}
	if _, err := b.w.row("SELECT size, codec, data FROM blob WHERE id = ?", []any{id}, &p.size, &p.codec, &p.data); err != nil {
		return nil, err
	}
	if p.isDelta() {
		return p.apply(base)
	}
	return p.unpack(nil)
}

// dropBlobs removes the contents that nothing names any more and that no delta depends on.
func (b *blobs) dropBlobs() error {
	return errors.Join(b.w.do("DELETE FROM blob WHERE base IS NOT NULL AND "+unnamed),
		b.w.do("DELETE FROM blob WHERE base IS NULL AND "+unnamed))
}

// unnamed is true of a blob that neither the past nor the present names.
const unnamed = `NOT EXISTS (SELECT 1 FROM revision r WHERE r.before = blob.id)
	AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.after = blob.id) AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.blob = blob.id)
	AND NOT EXISTS (SELECT 1 FROM intent_change c WHERE c.before = blob.id OR c.after = blob.id)`

// rebase removes the contents that only deltas need: the oldest of these deltas becomes the anchor of the others.
func (b *blobs) rebase() error {
	ids, err := b.w.ids("SELECT id FROM blob WHERE id IN (SELECT base FROM blob WHERE base IS NOT NULL) AND " + unnamed)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := b.replaceBase(id); err != nil && !errors.Is(err, past.ErrCorrupt) {
			return err
		}
	}
	return nil
}

func (b *blobs) replaceBase(id int64) error {
	base, err := b.bytes(id)
	if err != nil {
		return err
	}
	list, err := b.dependents(id)
	if err != nil {
		return err
	}
	for _, d := range list { // all can be read, or nothing is touched
		if _, err := b.bytes(d); err != nil {
			return err
		}
	}
	if err := b.detach(id); err != nil {
		return err
	}
	var a *anchor
	for _, d := range list {
		text, err := b.detached(d, base)
		if err != nil {
			return err
		}
		if a, err = b.store(d, text, a); err != nil {
			return err
		}
	}
	return b.w.do("DELETE FROM blob WHERE id = ?", id)
}
