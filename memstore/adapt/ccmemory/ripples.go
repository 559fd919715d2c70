package ccmemory

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// Ripples implements [adapt.Rippler]: links to a record are in the texts of others, and a transcript goes with its episode.
func (s *Source) Ripples(image *adapt.Image, name, newname string, data []byte) ([]backend.Ripple, error) {
	st, err := s.of(context.Background(), image)
	if err != nil {
		return nil, err
	}
	after := map[string]string{} // the names of records that come, go or move, by ID
	var list []backend.Ripple
	if data != nil {
		if isTranscript(name) {
			return nil, nil
		}
		r, err := st.rowOf(name, nil, data, s.now(), time.Time{})
		if err != nil {
			return nil, err
		}
		after[r.id()] = name
	}
	if newname != "" {
		r, moved, err := st.moved(name, newname, s.now())
		if err != nil {
			return nil, err
		}
		after[r.id()] = newname
		refer := func(id string) string { return st.names[id] }
		if text := encode(moved, segments(moved.table, newname), refer); !bytes.Equal(text, st.text(name, *r)) {
			list = append(list, backend.Ripple{Name: name, Before: st.text(name, *r), After: text})
		}
	}
	goes := func(file string) bool { return file == name || strings.HasPrefix(file, name+"/") }
	for file, r := range st.rows {
		if newname == "" && data == nil && goes(file) && r.table != transcriptTable {
			after[r.id()] = ""
		}
	}
	for _, file := range slices.Sorted(maps.Keys(st.rows)) {
		r := st.rows[file]
		if goes(file) {
			continue
		}
		before := st.text(file, *r)
		if r.table == transcriptTable {
			to, known := after[r.text("episode_id")]
			switch {
			case data != nil: // it is an orphan, and stays one until it is read again
			case known && to == "":
				list = append(list, backend.Ripple{Name: file, Before: before})
			case known:
				return nil, refuse("The episode has a transcript, which is named by it: the name stays")
			}
			continue
		}
		if !r.refersTo(after) {
			continue
		}
		text := encode(*r, segments(r.table, file), func(id string) string {
			if to, ok := after[id]; ok {
				return to
			}
			return st.names[id]
		})
		if text = odds(*r, text); !bytes.Equal(text, before) {
			list = append(list, backend.Ripple{Name: file, Before: before, After: text})
		}
	}
	return list, nil
}

// refersTo reports whether the text of a record has one of the IDs.
func (r row) refersTo(ids map[string]string) bool {
	for _, c := range r.table.columns {
		if c.form != refs {
			continue
		}
		for _, id := range r.list(c.name) {
			if _, ok := ids[id]; ok {
				return true
			}
		}
	}
	return false
}
