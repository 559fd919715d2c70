package past

import (
	"bytes"
	"context"

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
		m.engine = m.run.ScrubRules().SomeEngine(m.p.Settings, m.p.OfStore().Scrub, m.run.Noted)
		state := ""
		if m.p.Backend == nil || !session.IsSealed(m.p.Backend) {
			state = m.run.State().Left(m.p.Dir)
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
	return findings.MaskLine(m.engine, m.memory, path, text, at, at+len(line))
}

// present loads a note as it is now.
func present(b memstore.Backend, path string) []byte {
	data, err := memstore.ReadFile(b, memstore.BackendName(path), memstore.Look, wholeMost)
	if err != nil {
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
