// Package graph opens the memory of the reference server for memories of the Model Context Protocol: a file of JSON lines, each an entity
// with its observations or a relation between two entities. An entity is the file TYPE/NAME.md: its observations as a list, the relations
// from it as links.
//
// The server reads the file at each call, and rewrites it whole without a lock. It ignores keys that it doesn't know, and fails on a
// line that isn't JSON. Here every line that isn't changed keeps its bytes.
package graph

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/adapt"
)

// Adapter opens the files of the server.
var Adapter = adapt.Adapter{Kind: "graph", Recognize: isMemory, Read: read}

// headSize is how much of a file is enough to recognize it.
const headSize = 1 << 20

// isMemory reports whether a file is a memory of the server: named like one, it has a line that is an entity or a relation. An empty file
// is one if it has the server's name for it, and so is a damaged one that has the word for an entity.
func isMemory(file string) bool {
	base := filepath.Base(file)
	if ext := filepath.Ext(base); ext != ".jsonl" && ext != ".json" {
		return false
	}
	head, err := adapt.Head(file, headSize)
	if err != nil || len(head) == 0 {
		return err == nil && base == "memory.jsonl"
	}
	return slices.ContainsFunc(parse(head), func(l line) bool { return l.record != nil }) ||
		strings.HasPrefix(base, "memory.") && bytes.Contains(head, []byte(`"entityType"`))
}

// read reads the file at a path.
func read(ctx context.Context, path string) (*adapt.Image, error) {
	files, err := adapt.Read(ctx, isWhole, path)
	if err != nil {
		return nil, err
	}
	return newGraph(parse(files[0]), path).image(adapt.Digest(files[0])), nil
}

// isWhole reports whether the last line is one that the server writes: there it ends with no newline.
func isWhole(data []byte) bool {
	return len(data) > 0 && parseLine(data[bytes.LastIndexByte(data, '\n')+1:]).why == ""
}

// Edit implements [adapt.Editor]. To write it replaces the file if that has the bytes that were read.
func (g *graph) Edit(e adapt.Edit) (adapt.Edited, error) {
	now, err := g.edited(e)
	if err != nil {
		return adapt.Edited{}, err
	}
	return adapt.Edited{Text: now.text(cmp.Or(e.To, e.Name)), Write: func(context.Context) error {
		return adapt.Replace(g.path, g.bytes(), now.bytes())
	}}, nil
}
