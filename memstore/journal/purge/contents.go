package purge

import (
	"bytes"
	"errors"
	"memcurator/memstore/journal/content"
)

// contents rewrites every blob that holds a value. A delta on such a blob is rewritten with it, so that
// neither a base nor a delta holds anything of the value.
func (r *rewriter) contents() error {
	all, err := r.w.IDs("SELECT id FROM blob WHERE data IS NOT NULL")
	if err != nil {
		return err
	}
	bases, err := r.w.IDs("SELECT id FROM blob WHERE data IS NOT NULL AND base IS NULL ORDER BY id")
	if err != nil {
		return err
	}
	for _, id := range bases {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.family(id); err != nil {
			return err
		}
	}
	r.Report(len(all), len(all)) // the last report comes before the end of the transaction
	return nil
}

// family rewrites what holds a value of a base and of the deltas on it.
func (r *rewriter) family(id int64) error {
	deltas, err := r.blobs.Dependents(id)
	if err != nil {
		return err
	}
	dirty := !r.clean[id]
	for _, d := range deltas {
		dirty = dirty || !r.clean[d]
	}
	if !dirty {
		return nil
	}
	base, err := r.blobs.Bytes(id)
	if err != nil {
		return err
	}
	do, clean, err := r.judge(id, base)
	if err != nil {
		return err
	}
	moves := do != toLeave
	if moves {
		if err := r.blobs.Detach(id); err != nil {
			return err
		}
	}
	a, err := r.carryOut(id, base, do, clean, nil, false)
	if err != nil {
		return err
	}
	for _, d := range deltas {
		if !moves && r.clean[d] {
			continue
		}
		text, err := r.blobs.Detached(d, base)
		if err != nil {
			return err
		}
		do, clean, err := r.judge(d, text)
		if err == nil {
			a, err = r.carryOut(d, text, do, clean, a, moves)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// verdict is what to do with a content.
type verdict int

const (
	toLeave   verdict = iota // it holds no value, or is what a file has now: that is not the journal's to change
	toReplace                // it gets other bytes
	toForget                 // its bytes are kept no more
)

// judge searches the text of a blob for values. clean is what replaces it.
func (r *rewriter) judge(id int64, text []byte) (do verdict, clean []byte, err error) {
	if r.clean[id] {
		return toLeave, nil, nil
	}
	name, err := r.blobs.NameOf(id)
	if err != nil {
		return toLeave, nil, err
	}
	clean = r.Redact(name, text)
	switch {
	case clean == nil && len(text) > 0:
		now, err := r.w.Row("SELECT 1 FROM entry WHERE blob = ? AND last IS NULL", []any{id}, new(int))
		if err != nil || now {
			return toLeave, nil, err
		}
		return toForget, nil, nil
	case bytes.Equal(clean, text):
		return toLeave, nil, nil
	}
	return toReplace, clean, nil
}

// carryOut applies the verdict on a blob; text is its content, and the last argument forces it to be stored again. a is the anchor
// that it may be a delta on, next the one for the next blob.
func (r *rewriter) carryOut(id int64, text []byte, do verdict, clean []byte, a *content.Anchor, anew bool) (
	next *content.Anchor, err error) {
	switch {
	case do == toForget:
		return a, r.forget(id)
	case do == toReplace:
		r.done.Contents++
		return r.replace(id, clean, a)
	case anew:
		return r.blobs.Rewrite(id, text, a)
	case a == nil:
		return r.blobs.AnchorOf(id)
	}
	return a, nil
}

// touch notes that the revisions with a blob on either side are rewritten.
func (r *rewriter) touch(id int64) error {
	touched, err := r.w.IDs("SELECT rev FROM revision WHERE before = ? OR after = ?", id, id)
	for _, rev := range touched {
		r.revisions[rev] = true
	}
	return err
}

func (r *rewriter) forget(id int64) error {
	r.done.Contents++
	r.done.Forgotten++
	return errors.Join(r.touch(id), // a hash of few bytes is as good as they are
		r.w.Do("UPDATE blob SET sum = NULL, codec = 0, data = NULL, base = NULL, spent = NULL, why = ? WHERE id = ?", content.WhyTakenOut, id))
}

// replace replaces the bytes of a blob. If another blob has the new bytes already, that one takes its place.
func (r *rewriter) replace(id int64, data []byte, a *content.Anchor) (next *content.Anchor, err error) {
	if err := r.touch(id); err != nil {
		return nil, err
	}
	c := content.Of(data)
	var other int64
	var kept bool
	found, err := r.w.Row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{c.Sum[:]}, &other, &kept)
	if err != nil {
		return nil, err
	}
	if !found {
		if next, err = r.blobs.Rewrite(id, data, a); err != nil {
			return nil, err
		}
		return next, errors.Join(
			r.w.Do("UPDATE blob SET sum = ?, why = NULL WHERE id = ?", c.Sum[:], id),
			r.w.Do("UPDATE entry SET size = ? WHERE blob = ?", c.Size, id))
	}
	if !kept {
		s := content.Whole(data)
		if err := r.w.Do("UPDATE blob SET codec = ?, data = ?, size = ?, why = NULL WHERE id = ?", s.Codec, s.Data, c.Size, other); err != nil {
			return nil, err
		}
	}
	return a, errors.Join(
		r.w.Do("UPDATE revision SET before = ? WHERE before = ?", other, id),
		r.w.Do("UPDATE revision SET after = ? WHERE after = ?", other, id),
		r.w.Do("UPDATE entry SET blob = ?, size = ? WHERE blob = ?", other, c.Size, id),
		r.w.Do("DELETE FROM blob WHERE id = ?", id))
}
