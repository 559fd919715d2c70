package findings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore/journal"
)

// cleanState takes the values out of what else lies in the state folder: what the interface remembers, copies that an
// editor had, leftovers of writes that were killed. Only files that hold a value are touched.
func (s *Scrubber) cleanState(ctx context.Context) (changed []string, err error) {
	if s.StateDir == "" {
		return nil, nil
	}
	s.Report(StepState, 0, 1)
	err = filepath.WalkDir(s.StateDir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(ctx.Err(), ignoreGone(err))
		}
		if !e.Type().IsRegular() || isJournal(e.Name()) {
			return nil
		}
		touched, err := s.cleanFile(at)
		if touched {
			rel, _ := filepath.Rel(s.StateDir, at) // at lies below it
			changed = append(changed, filepath.ToSlash(rel))
		}
		return ignoreGone(err)
	})
	s.Report(StepState, 1, 1)
	return changed, err
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func isJournal(base string) bool { return strings.HasPrefix(base, journal.FileName) }

// cleanFile rewrites one file where it holds a value; JSON string by string, so that it can be read afterwards.
func (s *Scrubber) cleanFile(at string) (touched bool, err error) {
	info, err := os.Stat(at)
	if err != nil || info.Size() > s.MaxFile {
		return false, err
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	clean := data
	if d.Decode(&v) == nil && !d.More() {
		if s.cleanJSON(&v) {
			if clean, err = json.Marshal(v); err != nil {
				return false, err
			}
		}
	} else {
		clean, _ = s.Clean(filepath.Base(at), data)
	}
	if bytes.Equal(clean, data) {
		return false, nil
	}
	return true, writeFile(at, clean)
}

// cleanJSON cleans every string of a value, keys too.
func (s *Scrubber) cleanJSON(v *any) (changed bool) {
	switch x := (*v).(type) {
	case string:
		clean, _ := s.Clean("", []byte(x))
		if changed = string(clean) != x; changed {
			*v = string(clean)
		}
	case []any:
		for i := range x {
			changed = s.cleanJSON(&x[i]) || changed
		}
	case map[string]any:
		for key, inner := range x {
			changed = s.cleanJSON(&inner) || changed
			clean, _ := s.Clean("", []byte(key))
			if string(clean) != key {
				delete(x, key)
				changed = true
			}
			x[string(clean)] = inner
		}
	}
	return changed
}
