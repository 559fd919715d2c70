package cli

import (
	"bytes"
	"context"

	"memcurator/cli/session"
	"memcurator/memstore/past"
)

// masks hides secrets in lines that are printed for people.
type masks struct {
	*session.Masks
	p *session.Recorded
}

func masksOf(run *session.Session, p *session.Recorded) masks {
	state := func() string {
		if p.Backend != nil && session.IsSealed(p.Backend) {
			return ""
		}
		return run.State().Left(p.Dir)
	}
	return masks{run.Masks(func() session.Settings { return p.Settings }, state), p}
}

// line hides the secrets in a line of a note that whole loads, nil for a note that can't be loaded.
func (m *masks) line(path string, number int, line string, whole func() []byte) string {
	text, note, at := []byte(line), whole(), -1
	from := 0
	for range number - 1 {
		from += bytes.IndexByte(note[from:], '\n') + 1
	}
	if i := bytes.Index(note[from:], text); i >= 0 {
		at = from + i
	}
	return m.Line(path, text, note, at)
}

// recorded loads a side of a revision.
func (m *masks) recorded(ctx context.Context, side past.Side) []byte {
	if !side.Kept || side.Size > session.MaskedNote {
		return nil
	}
	data, err := m.p.Journal.Bytes(ctx, side)
	if err != nil {
		return nil
	}
	return data
}
