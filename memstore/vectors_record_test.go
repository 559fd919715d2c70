//go:build linux

package memstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// The conformance vectors are written by hand, except for the answers and the trees that they expect:
//
//	go test ./memstore -run Vectors -update
//
// fills them in from our handlers, to be read with the rule beside them. TestDifferential compares the handlers with
// the original tools.
var updateVectors = flag.Bool("update", false, "record what the conformance vectors expect")

// rawVector is a vector as it is written. What does not change keeps its spelling.
type rawVector struct {
	Name    string          `json:"name"`
	Rule    string          `json:"rule"`
	Dialect string          `json:"dialect"`
	Needs   json.RawMessage `json:"needs"`
	Tree    json.RawMessage `json:"tree"`
	Steps   []rawStep       `json:"steps"`
	After   json.RawMessage `json:"tree_after"`
}

type rawStep struct {
	Input   json.RawMessage `json:"input"`
	Content json.RawMessage `json:"content"`
	IsError bool            `json:"is_error"`
}

// plain is a JSON value without HTML escapes.
func plain(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings and trees can be encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

// format writes a file of vectors: a line for each field, two for each step.
func format(list []rawVector) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, v := range list {
		b.WriteString("  {\n")
		for _, f := range []struct {
			name  string
			value json.RawMessage
		}{{"name", plain(v.Name)}, {"rule", plain(v.Rule)}, {"dialect", plain(v.Dialect)}, {"needs", v.Needs}, {"tree", v.Tree}} {
			if f.value != nil {
				b.WriteString("    \"" + f.name + "\": " + string(f.value) + ",\n")
			}
		}
		b.WriteString("    \"steps\": [\n")
		for j, s := range v.Steps {
			b.WriteString("      {\"input\": " + string(s.Input) + ",\n       \"content\": " + string(s.Content) + ", \"is_error\": ")
			b.Write(plain(s.IsError))
			b.WriteString("}" + comma(j, len(v.Steps)) + "\n")
		}
		b.WriteString("    ]")
		if v.After != nil {
			b.WriteString(",\n    \"tree_after\": " + string(v.After))
		}
		b.WriteString("\n  }" + comma(i, len(list)) + "\n")
	}
	b.WriteString("]\n")
	return b.Bytes()
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// The files are in the form in which they are written, and with -update hold what our handlers answer.
func TestVectorsAreCurrent(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("memtest/vectors/*/*.json")
	must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		must(t, err)
		var list []rawVector
		must(t, json.Unmarshal(data, &list))
		if *updateVectors {
			vectors, err := memtest.ReadVectors(data)
			must(t, err)
			for i, v := range vectors {
				list[i].record(t, v)
			}
		}
		if got := format(list); bytes.Equal(got, data) {
			continue
		} else if *updateVectors {
			must(t, os.WriteFile(file, got, 0o644))
		} else {
			t.Errorf("%s is not as it would be recorded now; see -update", file)
		}
	}
}

// record puts into a vector what our handlers answer, where it is not there already.
func (raw *rawVector) record(t *testing.T, v memtest.Vector) {
	t.Helper()
	place := memtest.Place(t.TempDir())
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		return
	} else if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	d, err := ParseDialect(raw.Dialect)
	must(t, err)
	s, err := Open(place.Store(), Options{Dialect: d})
	must(t, err)
	defer s.Close()
	for i, step := range v.Steps {
		if got := s.DoJSON(t.Context(), step.Input); got.IsError != step.IsError || !memtest.Match(step.Content, got.Content) {
			raw.Steps[i].Content, raw.Steps[i].IsError = plain(anySizes(raw.Dialect, got)), got.IsError
		}
	}
	after, err := place.Tree()
	must(t, err)
	switch after.String() {
	case v.After.String():
	case v.Tree.String():
		raw.After = nil
	default:
		raw.After = plain(after)
	}
}

// anySizes replaces the sizes that a file system reports for folders by [memtest.AnySize].
func anySizes(dialect string, r Result) string {
	head, body, found := strings.Cut(r.Content, "\n")
	if dialect == Docs.String() || r.IsError || !found || !strings.HasPrefix(head, "Here're the files") {
		return r.Content
	}
	rows := strings.Split(body, "\n")
	for i, row := range rows {
		if _, name, ok := strings.Cut(row, "\t"); ok && (i == 0 || strings.HasSuffix(name, "/")) {
			rows[i] = memtest.AnySize + "\t" + name
		}
	}
	return head + "\n" + strings.Join(rows, "\n")
}
