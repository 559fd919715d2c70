// Package graph opens the memory of the reference server for memories of the Model Context Protocol: a file of JSON lines, each an entity
// with its observations or a relation between two entities. An entity is the file TYPE/NAME.md: its name as heading, its observations as a
// list, the relations from it as links.
//
// The server reads the file at each call, and rewrites it whole without a lock. It ignores keys that it doesn't know, and fails on a
// line that isn't JSON. Here every line that isn't changed keeps its bytes.
package graph

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Adapter opens the files of the server.
var Adapter = adapt.Adapter{Kind: "graph", Program: "the MCP memory server", Recognize: isMemory, Open: Open, Count: countFiles}

// most bounds the files that are read, in bytes: they are held in memory.
const most = 256 << 20

// headSize is how much of a file is enough to recognize it.
const headSize = 1 << 20

// isMemory reports whether a file is a memory of the server: named like one, it has a line that is an entity or a relation. An empty file
// is one if it has the server's name for it, and so is a damaged one that has the word for an entity.
func isMemory(file string) bool {
	base := filepath.Base(file)
	if ext := filepath.Ext(base); ext != ".jsonl" && ext != ".json" {
		return false
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() == 0 {
		return base == "memory.jsonl"
	}
	d, err := dir.Open(filepath.Dir(file), dir.Options{})
	if err != nil {
		return false
	}
	defer func() { _ = d.Close() }() // it was only read
	f, err := open(d, file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // as above
	head := make([]byte, min(info.Size(), headSize))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	for line := range bytes.SplitSeq(bytes.TrimPrefix(head[:n], []byte(byteOrderMark)), []byte("\n")) {
		if l := parseLine(line); l.entity != nil || l.relation != nil {
			return true
		}
	}
	return strings.HasPrefix(base, "memory.") && bytes.Contains(head[:n], []byte(`"entityType"`))
}

// countFiles counts the files of a memory. It holds the names of entities, and one line.
func countFiles(ctx context.Context, open func(suffix string) (io.ReadCloser, error)) (int, error) {
	r, err := open("")
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close() }() // it was only read
	n, entities, orphans := 0, map[string]bool{}, map[string]bool{}
	in := bufio.NewReaderSize(r, 1<<16)
	for first := true; ; first = false {
		raw, err := in.ReadBytes('\n')
		if first {
			raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
		}
		switch l := parseLine(bytes.TrimSuffix(raw, []byte("\n"))); {
		case l.entity != nil:
			entities[strings.Clone(l.entity.name.is)] = true
			n++
		case l.damage != "":
			n++
		case l.relation != nil:
			orphans[strings.Clone(l.relation.from.is)] = true
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return n, err
		}
	}
	for name := range orphans {
		if !entities[name] {
			n++
		}
	}
	return n, nil
}

// open opens the file that a path leads to, without a trace where the system allows that.
func open(d *dir.Dir, file string) (backend.File, error) {
	return d.Open(filepath.Base(file), backend.Look)
}

// source is one file.
type source struct {
	named string // the path by which it was opened
	file  string // what that leads to
	in    *dir.Dir

	mu   sync.Mutex
	last *graph // what was read last
	ours string // the digest of what was written here last
}

// Open opens the memory at a path.
func Open(file string) (adapt.Source, error) {
	named, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(named)
	if err != nil {
		return nil, err
	}
	in, err := dir.Open(filepath.Dir(real), dir.Options{})
	if err != nil {
		return nil, err
	}
	return &source{named: named, file: real, in: in}, nil
}

// Files implements [adapt.Source].
func (s *source) Files() []string {
	if s.file != s.named {
		return []string{s.named, s.file}
	}
	return []string{s.named}
}

// Close implements [adapt.Source].
func (s *source) Close() error { return s.in.Close() }

// A write of the server empties the file first. A file that changed a moment ago is read again until it stays as it is.
const (
	freshFor     = 200 * time.Millisecond
	settlePause  = 15 * time.Millisecond
	settleAtMost = time.Second
)

// Read implements [adapt.Source].
func (s *source) Read(ctx context.Context) (*adapt.Image, error) {
	g, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return g.image(), nil
}

func (s *source) read(ctx context.Context) (*graph, error) {
	until := time.Now().Add(settleAtMost)
	data, fresh, err := s.bytes()
	for err == nil && fresh && !s.wrote(data) && time.Now().Before(until) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(settlePause):
		}
		was := data
		if data, fresh, err = s.bytes(); err == nil && bytes.Equal(was, data) && whole(data) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	digest := adapt.Digest(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || s.last.digest != digest {
		s.last = newGraph(parse(data), digest)
	}
	return s.last, nil
}

// wrote reports whether bytes are those that were written here last.
func (s *source) wrote(data []byte) bool {
	s.mu.Lock()
	ours := s.ours
	s.mu.Unlock()
	return ours != "" && ours == adapt.Digest(data)
}

// whole reports whether the last line of a file is complete.
func whole(data []byte) bool {
	last := data[bytes.LastIndexByte(data, '\n')+1:]
	return len(data) > 0 && parseLine(last).damage == ""
}

// bytes reads the file. fresh reports that it changed a moment ago.
func (s *source) bytes() (data []byte, fresh bool, err error) {
	base := filepath.Base(s.file)
	info, err := s.in.Stat(base)
	if err != nil {
		return nil, false, unavailable(err)
	}
	if info.Size > most {
		return nil, false, errors.Join(backend.ErrUnavailable, &backend.Refusal{Why: "The file is larger than 256 MB"})
	}
	data, err = backend.ReadFile(s.in, base, backend.Look, most)
	return data, time.Since(info.ModTime).Abs() < freshFor, unavailable(err)
}

// unavailable is the error of a store whose file is gone or can't be read.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(backend.ErrUnavailable, err)
}

// of returns the graph of an image, if that is still what the file has.
func (s *source) of(image *adapt.Image) (*graph, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || s.last.digest != image.Digest {
		return nil, backend.ErrChanged
	}
	return s.last, nil
}

// Form implements [adapt.Former].
func (s *source) Form(image *adapt.Image, name string, _, data []byte) ([]byte, error) {
	g, err := s.of(image)
	if err != nil {
		return nil, err
	}
	return g.form(name, data)
}

// Ripples implements [adapt.Rippler].
func (s *source) Ripples(image *adapt.Image, name, newname string, data []byte) ([]backend.Ripple, error) {
	g, err := s.of(image)
	if err != nil {
		return nil, err
	}
	if data != nil {
		return g.adopts(name, data), nil
	}
	return g.ripples(name, newname)
}

// Write implements [adapt.Writer].
func (s *source) Write(_ context.Context, image *adapt.Image, e adapt.Edit) error {
	g, err := s.of(image)
	if err != nil {
		return err
	}
	f, err := g.edited(e)
	if err != nil {
		return err
	}
	return s.replace(g, f.bytes())
}

// replace writes other bytes than those of a graph, if the file still has these.
func (s *source) replace(g *graph, data []byte) error {
	s.mu.Lock()
	s.ours = adapt.Digest(data)
	s.mu.Unlock()
	return s.in.ReplaceVia(filepath.Base(s.file), backend.NewTempName(), g.bytes(), data)
}

// Redacted implements [adapt.Redactor].
func (s *source) Redacted(image *adapt.Image, name string, clean func([]byte) []byte) (backend.Redaction, error) {
	g, err := s.of(image)
	if err != nil {
		return backend.Redaction{}, err
	}
	return g.redacted(name, clean)
}

// CleanAll implements [backend.Cleaner]: it cleans what no rename and no edit of a file could.
func (s *source) CleanAll(ctx context.Context, clean func([]byte) []byte) error {
	g, err := s.read(ctx)
	if err != nil {
		return err
	}
	if data := g.cleaned(clean).bytes(); !bytes.Equal(data, g.bytes()) {
		return s.replace(g, data)
	}
	return nil
}
