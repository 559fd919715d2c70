// Package graph opens the memory of the reference server for memories of the Model Context Protocol: a file of JSON lines, each an entity
// with its observations or a relation between two entities. An entity is the file TYPE/NAME.md: its observations as a list, the relations
// from it as links.
//
// The server reads the file at each call, and rewrites it whole without a lock. It ignores keys that it doesn't know, and fails on a
// line that isn't JSON. Here every line that isn't changed keeps its bytes.
package graph

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Adapter opens the files of the server.
var Adapter = adapt.Adapter{Kind: "graph", Program: "the MCP memory server", Recognize: isMemory, Open: Open}

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
	s, err := open(file)
	if err != nil {
		return false
	}
	defer func() { _ = s.Close() }() // it was only read
	f, err := s.in.Open(filepath.Base(s.file), backend.Look)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // as above
	head, err := io.ReadAll(io.NewSectionReader(f, 0, headSize))
	if err != nil || len(head) == 0 {
		return err == nil && base == "memory.jsonl"
	}
	return slices.ContainsFunc(parse(head), func(l line) bool { return l.record != nil }) ||
		strings.HasPrefix(base, "memory.") && bytes.Contains(head, []byte(`"entityType"`))
}

// source is one file.
type source struct {
	named string // the path by which it was opened
	file  string // what that leads to
	in    *dir.Dir

	mu   sync.Mutex
	last *graph // what was read last
}

// Open opens the memory at a path.
func Open(file string) (adapt.Source, error) { return open(file) }

func open(file string) (*source, error) {
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
func (s *source) Files() []string { return slices.Compact([]string{s.named, s.file}) }

// Close implements [adapt.Source].
func (s *source) Close() error { return s.in.Close() }

// A write of the server empties the file first. A file that changed a moment ago and doesn't end with a whole line is read again.
const (
	freshFor    = 200 * time.Millisecond
	settlePause = 15 * time.Millisecond
)

// Read implements [adapt.Source].
func (s *source) Read(ctx context.Context) (*adapt.Image, error) {
	for base := filepath.Base(s.file); ; {
		info, err := s.in.Stat(base)
		var data []byte
		if err == nil {
			data, err = backend.ReadFile(s.in, base, backend.Look, most)
		}
		if errors.Is(err, backend.ErrTooBig) {
			err = &backend.Refusal{Why: "The file is larger than 256 MB"}
		}
		if err != nil {
			return nil, errors.Join(backend.ErrUnavailable, err)
		}
		g, known := s.parsed(data)
		if len(data) > 0 && g.lines[len(g.lines)-1].why == "" || known || time.Since(info.ModTime).Abs() > freshFor {
			s.keep(g)
			return g.image(), nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(settlePause):
		}
	}
}

// parsed returns the graph of some bytes, and whether it is the one that was read or written last.
func (s *source) parsed(data []byte) (g *graph, known bool) {
	digest := adapt.Digest(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && s.last.digest == digest {
		return s.last, true
	}
	return newGraph(parse(data), digest), false
}

func (s *source) keep(g *graph) {
	s.mu.Lock()
	s.last = g
	s.mu.Unlock()
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

// Form implements [adapt.Writer].
func (s *source) Form(image *adapt.Image, name string, data []byte) ([]byte, error) {
	g, err := s.of(image)
	if err != nil {
		return nil, err
	}
	return g.form(name, data)
}

// Ripples implements [adapt.Writer].
func (s *source) Ripples(image *adapt.Image, e adapt.Edit) ([]backend.Ripple, error) {
	g, err := s.of(image)
	if err != nil {
		return nil, err
	}
	return g.ripples(e)
}

// Write implements [adapt.Writer]: it replaces the file if that has the bytes that were read.
func (s *source) Write(_ context.Context, image *adapt.Image, e adapt.Edit) error {
	g, err := s.of(image)
	if err != nil {
		return err
	}
	now, err := g.edited(e)
	if err != nil {
		return err
	}
	data := now.bytes()
	if err := s.in.Replace(filepath.Base(s.file), g.bytes(), data); err != nil {
		return err
	}
	now.digest = adapt.Digest(data)
	s.keep(now)
	return nil
}
