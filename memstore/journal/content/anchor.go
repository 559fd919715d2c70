package content

import (
	"errors"

	"memcurator/memstore/journal/schema"
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
	Codec       int
	Data        []byte
	base, spent int64 // 0: it is stored whole
}

func Whole(text []byte) stored {
	codec, data := pack(text)
	return stored{Codec: codec, Data: data}
}

// Anchor is a blob that is stored whole, on which versions that follow are deltas. Every delta has such a blob as its base, never
// on another delta: a version is read in one step. A new anchor comes when the deltas together are as long as
// the one before: then neither the deltas, which grow with the distance, nor the anchors cost more than the other.
type Anchor struct {
	id     int64
	text   []byte
	length int64 // as stored
	spent  int64 // the sum of the deltas up to the version that the next one follows
}

// delta is a text as a delta on the anchor; ok is false where it must be stored whole. A nil anchor makes no deltas.
func (a *Anchor) delta(text []byte) (s stored, ok bool) {
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

// AnchorOf is the anchor of a version, nil where none can be used.
func (b *Blobs) AnchorOf(id int64) (*Anchor, error) {
	if id == 0 {
		return nil, nil
	}
	var spent int64
	var p Packed
	found, err := b.w.Row(`SELECT coalesce(b.spent, 0), a.id, a.size, a.codec, a.data FROM blob b JOIN blob a ON a.id = coalesce(b.base, b.id)
		WHERE b.id = ? AND b.data IS NOT NULL AND a.data IS NOT NULL AND a.base IS NULL AND a.size BETWEEN ? AND ?`,
		[]any{id, deltaFrom, deltaMost}, &spent, &p.ID, &p.Size, &p.Codec, &p.Data)
	if err != nil || !found || spent >= int64(len(p.Data)) {
		return nil, err
	}
	text, err := p.Unpack(nil)
	if errors.Is(err, past.ErrCorrupt) {
		return nil, nil // a check reports it; what comes now does not depend on it
	}
	return &Anchor{id: p.ID, text: text, length: int64(len(p.Data)), spent: spent}, err
}

// packNear is how a text is stored whose version before is the blob near, 0 for none.
func (b *Blobs) packNear(text []byte, near int64) (stored, error) {
	if len(text) < deltaFrom || len(text) > deltaMost {
		return Whole(text), nil
	}
	a, err := b.AnchorOf(near)
	if err != nil {
		return stored{}, err
	}
	if s, ok := a.delta(text); ok {
		return s, nil
	}
	return Whole(text), nil
}

// Rewrite stores the text of a blob on which nothing depends, on the anchor where that is shorter; next is the anchor for the
// version that follows.
func (b *Blobs) Rewrite(id int64, text []byte, a *Anchor) (next *Anchor, err error) {
	s, ok := a.delta(text)
	if ok {
		next = &Anchor{a.id, a.text, a.length, s.spent}
	} else {
		s = Whole(text)
		next = &Anchor{id: id, text: text, length: int64(len(s.Data))}
	}
	return next, b.w.Do("UPDATE blob SET size = ?, codec = ?, data = ?, base = ?, spent = ? WHERE id = ?",
		len(text), s.Codec, s.Data, schema.Optional(s.base), schema.Optional(s.spent), id)
}

// Dependents are the numbers of the blobs that are deltas on this one, in the order they came.
func (b *Blobs) Dependents(id int64) ([]int64, error) {
	return b.w.IDs("SELECT id FROM blob WHERE base = ? ORDER BY id", id)
}

// Detach lets a base be changed. What depends on it cannot be read by itself until it is stored again, in the
// same transaction.
func (b *Blobs) Detach(base int64) error {
	return b.w.Do("UPDATE blob SET base = NULL WHERE base = ?", base)
}

// Detached reads a blob that may have been detached from a base with this text.
func (b *Blobs) Detached(id int64, base []byte) ([]byte, error) {
	p := Packed{ID: id}
	if _, err := b.w.Row("SELECT size, codec, data FROM blob WHERE id = ?", []any{id}, &p.Size, &p.Codec, &p.Data); err != nil {
		return nil, err
	}
	if p.isDelta() {
		return p.apply(base)
	}
	return p.Unpack(nil)
}

// Drop removes the contents that nothing names and no delta depends on.
func (b *Blobs) Drop() error {
	return errors.Join(b.w.Do("DELETE FROM blob WHERE base IS NOT NULL AND "+unnamed),
		b.w.Do("DELETE FROM blob WHERE base IS NULL AND "+unnamed))
}

// Discard removes those of these contents that nothing names and no delta depends on.
func (b *Blobs) Discard(ids []int64) error {
	for _, deltas := range []string{"NOT NULL", "NULL"} { // a delta before its base
		for _, id := range ids {
			if err := b.w.Do("DELETE FROM blob WHERE id = ? AND base IS "+deltas+
				" AND NOT EXISTS (SELECT 1 FROM blob d WHERE d.base = blob.id) AND "+unnamed, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// unnamed is true of a blob that neither the past nor the present names.
const unnamed = `NOT EXISTS (SELECT 1 FROM revision r WHERE r.before = blob.id)
	AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.after = blob.id) AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.blob = blob.id)`

// Rebase removes the contents that only deltas need: the oldest of these deltas becomes the anchor of the others.
func (b *Blobs) Rebase() error {
	ids, err := b.w.IDs("SELECT id FROM blob WHERE id IN (SELECT base FROM blob WHERE base IS NOT NULL) AND " + unnamed)
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

func (b *Blobs) replaceBase(id int64) error {
	base, err := b.Bytes(id)
	if err != nil {
		return err
	}
	list, err := b.Dependents(id)
	if err != nil {
		return err
	}
	for _, d := range list { // all can be read, or nothing is touched
		if _, err := b.Bytes(d); err != nil {
			return err
		}
	}
	if err := b.Detach(id); err != nil {
		return err
	}
	var a *Anchor
	for _, d := range list {
		text, err := b.Detached(d, base)
		if err != nil {
			return err
		}
		if a, err = b.Rewrite(d, text, a); err != nil {
			return err
		}
	}
	return b.w.Do("DELETE FROM blob WHERE id = ?", id)
}
