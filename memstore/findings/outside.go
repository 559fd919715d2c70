package findings

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore/scrub"
)

// outsideFile lists, in the state folder, the files that this program wrote elsewhere: one per line, append-only.
const outsideFile = "outside.jsonl"

// outsideKind is the kind of such a file.
type outsideKind string

// Kinds of files outside.
const (
	Log    outsideKind = "log"    // the file of --log
	Export outsideKind = "export" // of notes or of a journal; a purge searches it, and leaves it as it is
)

// outside is one of them.
type outside struct {
	Kind outsideKind `json:"kind"`
	Path string      `json:"path"` // absolute
}

// Limits of the list, in bytes: above outsideTidy, missing files are dropped from it; above outsideMost, this program can't have written
// it.
const (
	outsideTidy = 64 << 10
	outsideMost = 64 << 20
)

// NoteOutside records a file that this program wrote outside the state folder, so that a purge searches it too.
func NoteOutside(stateDir string, kind outsideKind, path string) error {
	path, err := filepath.Abs(path)
	if err != nil || stateDir == "" {
		return err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	one, list := outside{kind, path}, outsideOf(stateDir)
	if slices.Contains(list, one) {
		return nil
	}
	name := filepath.Join(stateDir, outsideFile)
	if info, err := os.Stat(name); err == nil && info.Size() > outsideTidy {
		if err := tidyOutside(name, list); err != nil {
			return err
		}
	}
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n')) // in one write, so that lines of two programs don't mix
	return errors.Join(err, f.Close())
}

// tidyOutside rewrites the list.
func tidyOutside(name string, list []outside) error {
	var out bytes.Buffer
	for _, one := range list {
		if err := json.NewEncoder(&out).Encode(one); err != nil {
			return err
		}
	}
	return writeFile(name, out.Bytes())
}

// outsideOf returns the listed files that still exist.
func outsideOf(stateDir string) (list []outside) {
	f, err := os.Open(filepath.Join(stateDir, outsideFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > outsideMost {
		return nil
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var one outside
		if json.Unmarshal(lines.Bytes(), &one) != nil || !filepath.IsAbs(one.Path) || slices.Contains(list, one) {
			continue
		}
		if info, err := os.Lstat(one.Path); err == nil && info.Mode().IsRegular() {
			list = append(list, one)
		}
	}
	return list
}

// cleanOutside removes the values from the logs listed in a state folder.
func (s *Scrubber) cleanOutside(ctx context.Context, stateDir string, p *Purged) error {
	for _, one := range outsideOf(stateDir) {
		if one.Kind != Log {
			continue
		}
		touched, err := s.cleanLog(one.Path)
		if err = cmp.Or(ctx.Err(), leftToProof(err)); err != nil {
			return err
		}
		if touched && !slices.Contains(p.Outside, one.Path) {
			p.Outside = append(p.Outside, one.Path)
		}
	}
	return nil
}

// cleanLog overwrites values with asterisks, byte by byte, so that a program that has the log open can keep appending.
func (s *Scrubber) cleanLog(at string) (touched bool, err error) {
	info, err := os.Stat(at)
	if err != nil || info.Size() > s.MaxFile {
		return false, err
	}
	text, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	var found []scrub.Finding
	s.onlyAccepted(func() { found = s.find(filepath.Base(at), text) })
	if len(found) == 0 {
		return false, nil
	}
	f, err := os.OpenFile(at, os.O_WRONLY, 0)
	if err != nil {
		return false, err
	}
	for _, one := range found {
		stars := bytes.Repeat([]byte{'*'}, one.End-one.Start)
		for i, c := range text[one.Start:one.End] {
			if c == '\n' {
				stars[i] = c
			}
		}
		if _, e := f.WriteAt(stars, int64(one.Start)); e != nil {
			err = e
		}
	}
	return true, errors.Join(err, f.Sync(), f.Close())
}

// outside searches the files listed in a state folder.
func (p *proof) outside(stateDir string) error {
	for _, one := range outsideOf(stateDir) {
		if err := p.onDisk(one.Path, one.Path, one.Kind == Log); err != nil {
			return err
		}
	}
	return nil
}
