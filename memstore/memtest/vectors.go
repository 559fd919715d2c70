// Package memtest holds test material that any implementation of the memory tool can use: the conformance vectors of the three dialects
// with a suite that runs them on any handler ([Run]).
//
// Tests import it, and the command that runs the vectors on other programs. It writes below the directory it is given, nowhere else. It
// imports the standard library only, nothing of memstore: the tests inside package memstore could not use it otherwise, and the vectors
// must not come from what they judge.
package memtest

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Vector is one rule of the memory tool in one dialect, shown by a few commands on a
// small tree. docs/conformance.md describes the files that vectors are read from.
type Vector struct {
	// Name is unique: dialect/command/what.
	Name string `json:"name"`
	// Rule is the sentence of the specification that the vector holds.
	Rule    string `json:"rule"`
	Dialect string `json:"dialect"`
	// Needs is what the place of the store must be able to hold: "links",
	// NeedsHoles, NeedsFIFO and so on. Elsewhere the vector cannot be tried.
	Needs []string `json:"needs,omitempty"`
	Tree  Tree     `json:"tree"`
	Steps []Step   `json:"steps"`
	// After is the tree that the steps leave. In the files it is left out where that is
	// the one before.
	After Tree `json:"tree_after"`
}

// What a vector may need, beside "links" and "long-names".
const (
	NeedsHoles = "holes" // files of many gigabytes that take no room
	NeedsFIFO  = "fifo"  // named pipes
	// Names that differ in case or normal form, and names that end in dots.
	NeedsExactNames = "exact-names"
)

// Step is one command and what it has to answer.
type Step struct {
	Input   json.RawMessage `json:"input"` // as it goes over the wire
	Content string          `json:"content"`
	IsError bool            `json:"is_error"`
}

// AnySize represents in the expected content the size of a directory where that is what the
// file system says: a number, with one decimal or none, and a unit.
const AnySize = "{dirsize}"

//go:embed vectors
var files embed.FS

// Dialects are the names of the dialects with vectors, sorted.
func Dialects() []string {
	entries, err := fs.ReadDir(files, "vectors")
	if err != nil {
		panic(err) // the folder is embedded: it is there
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Vectors returns the vectors of a dialect in the order of their files.
func Vectors(dialect string) ([]Vector, error) {
	if !slices.Contains(Dialects(), dialect) {
		return nil, fmt.Errorf("there are no vectors for the dialect %q", dialect)
	}
	folder := path.Join("vectors", dialect)
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, err
	}
	var all []Vector
	for _, e := range entries {
		data, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		list, err := readVectors(data)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", dialect, e.Name(), err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// readVectors reads a file of vectors: a JSON array. Fields that it does not know are errors,
// so that a typo is not a rule that is never checked.
func readVectors(data []byte) ([]Vector, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []Vector
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the array")
	}
	for i := range list {
		v := &list[i]
		if v.Tree == nil {
			v.Tree = Tree{}
		}
		if v.After == nil {
			v.After = v.Tree
		}
		if v.Name == "" || v.Rule == "" || len(v.Steps) == 0 {
			return nil, fmt.Errorf("vector %d (%q) lacks its name, rule or steps", i+1, v.Name)
		}
	}
	return list, nil
}

// anySize matches a size in the place of AnySize.
const anySize = `[0-9]+(\.[0-9]+)?[BKMGTPE]`

// match reports whether content is what a step expects, in which AnySize matches
// any size.
func match(expected, content string) bool {
	if !strings.Contains(expected, AnySize) {
		return expected == content
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(expected), regexp.QuoteMeta(AnySize), anySize)
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(content)
}
