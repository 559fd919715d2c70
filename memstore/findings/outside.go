package findings

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
)

// outsideFile lists, in the state folder, the files that this program wrote elsewhere: one per line, append-only.
const outsideFile = "outside.jsonl"

// outsideKind is the kind of such a file.
type outsideKind string

// Kinds of files outside.
const (
	Log    outsideKind = "log"    // the file of --log
	Export outsideKind = "export" // of a journal
	Bundle outsideKind = "bundle" // of notes; a purge searches it, and leaves it as it is: its digests would no longer fit
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

// NoteOutside records a file that this program wrote outside the state folder, so that a purge cleans and searches it too.
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

// cleanOutside removes the values from the files listed in a state folder.
func (s *Scrubber) cleanOutside(ctx context.Context, stateDir string, p *Purged) error {
	for _, one := range outsideOf(stateDir) {
		touched, err := false, ctx.Err()
		switch {
		case err != nil:
		case one.Kind == Log:
			touched, err = s.cleanLog(one.Path)
		case one.Kind == Export:
			touched, err = s.cleanExport(ctx, one.Path)
		}
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

// cleanExport imports an export into a temporary journal, removes the values there, and exports it again. A file that is no longer an
// export stays.
func (s *Scrubber) cleanExport(ctx context.Context, at string) (touched bool, err error) {
	err = s.imported(ctx, at, func(j *journal.Journal) error {
		done, err := j.Purge(ctx, past.Purge{Redact: s.cleanPast})
		if err != nil || done == (past.Purged{Number: 1}) {
			return err
		}
		f, err := os.CreateTemp(filepath.Dir(at), "."+filepath.Base(at)+".*.tmp") // 0600
		if err != nil {
			return err
		}
		err = j.Export(ctx, f)
		if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
			err = os.Rename(f.Name(), at)
		}
		if err != nil {
			return errors.Join(err, os.Remove(f.Name()))
		}
		touched = true
		return nil
	})
	if errors.Is(err, journal.ErrFormat) {
		err = nil
	}
	return touched, err
}

// exportDirs begins the names of the temporary folders for checking exports.
const exportDirs = "export-"

// imported opens an export as a temporary journal for visit.
func (s *Scrubber) imported(ctx context.Context, at string, visit func(*journal.Journal) error) (err error) {
	from, err := os.Open(at)
	if err != nil {
		return err
	}
	defer from.Close()
	dir, err := os.MkdirTemp(s.StateDir, exportDirs) // 0700
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		return err
	}
	if _, err = j.Import(ctx, from); err == nil {
		reach("export")
		err = visit(j)
	}
	return errors.Join(err, j.Close())
}

// outside searches the files listed in a state folder.
func (p *proof) outside(stateDir string) error {
	for _, one := range outsideOf(stateDir) {
		if err := p.onDisk(one.Path, one.Path, one.Kind == Log); err != nil {
			return err
		}
		if one.Kind != Export {
			continue
		}
		err := p.s.imported(p.ctx, one.Path, func(j *journal.Journal) error { return p.past(one.Path+": ", j) })
		switch {
		case p.ctx.Err() != nil:
			return p.ctx.Err()
		case err != nil && !errors.Is(err, journal.ErrFormat) && !errors.Is(err, fs.ErrNotExist):
			p.skip(one.Path, Unreadable)
		}
	}
	return nil
}
