package past

import (
	"bytes"
	"context"
	"io"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
)

// masks hides secrets in lines that are printed for people.
type masks struct {
	run    *session.Session
	p      *session.Recorded
	engine *scrub.Engine // nil until a line is masked
	memory *findings.Memory
}

// wholeMost bounds the notes that are scanned as a whole for what is in a line of theirs, in bytes: of larger ones the line is.
const wholeMost = 1 << 20

// line hides the secrets in a line of a note that whole loads, nil for a note that can't be loaded.
func (m *masks) line(path string, number int, line string, whole func() []byte) string {
	if m.engine == nil {
		m.engine = m.run.SomeEngine(m.p.Settings, m.p.OfStore().Scrub, m.run.Noted)
		state := ""
		if m.p.Backend == nil || !session.IsSealed(m.p.Backend) {
			state = m.run.StateLeft(m.p.Dir)
		}
		var err error
		if m.memory, err = findings.OpenMemory(state); err != nil {
			m.run.Log.Warn("can't read which values are dismissed", "error", err)
		}
	}
	text, at := []byte(line), 0
	if data := whole(); data != nil {
		from := 0
		for range number - 1 {
			from += bytes.IndexByte(data[from:], '\n') + 1
		}
		if i := bytes.Index(data[from:], text); i >= 0 {
			text, at = data, from+i
		}
	}
	masked, done := []byte(nil), at
	end := at + len(line)
	for _, f := range m.engine.Find(path, text) {
		start, stop := max(f.Start, done), min(f.End, end)
		if start >= stop {
			continue
		}
		value := m.engine.Plain(path, text, f)
		if m.memory != nil && m.memory.Harmless(f.Class, value, path) {
			continue
		}
		masked = append(masked, text[done:start]...)
		if start == f.Start && stop == f.End {
			masked = append(masked, findings.Mask(f.Class, value)...)
		} else { // the rest of it is in another line
			masked = append(masked, findings.Mask("", "")...)
		}
		done = stop
	}
	return string(append(masked, text[done:end]...))
}

// present loads a note as it is now.
func present(b memstore.Backend, path string) []byte {
	f, err := b.Open(memstore.BackendName(path), memstore.Look)
	if err != nil {
		return nil
	}
	defer f.Close() // it was only read
	data, err := io.ReadAll(io.NewSectionReader(f, 0, wholeMost+1))
	if err != nil || len(data) > wholeMost {
		return nil
	}
	return data
}

// recorded loads a note as a revision left it.
func (m *masks) recorded(ctx context.Context, rev int64) []byte {
	r, err := m.p.Journal.Revision(ctx, rev)
	if err != nil || !r.After.Kept || r.After.Size > wholeMost {
		return nil
	}
	data, err := m.p.Journal.Bytes(ctx, r.After)
	if err != nil {
		return nil
	}
	return data
}
