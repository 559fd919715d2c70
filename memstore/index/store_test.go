package index_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/index"
)

func storeOf(texts map[string]string, loaded string) (*index.Store, func(string) ([]byte, error)) {
	s := &index.Store{Loaded: loaded}
	for p := range texts {
		s.Files = append(s.Files, "/memories/"+p)
	}
	slices.Sort(s.Files)
	s.Names = index.NewNames(s.Files)
	return s, func(p string) ([]byte, error) {
		text, ok := texts[strings.TrimPrefix(p, "/memories/")]
		if !ok || text == "unreadable" {
			return nil, errors.New("can't be read")
		}
		return []byte(text), nil
	}
}

func orphansOf(s *index.Store, read func(string) ([]byte, error)) (n int) {
	if _, notes := s.Orphans(s.Find(read)); len(notes) > 0 {
		n += len(notes)
	}
	return n
}

func TestOrphans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		loaded string
		texts  map[string]string
		want   int
	}{
		{"in step", at, map[string]string{"MEMORY.md": "- [A](a.md)\n- [B](b.md)\n", "a.md": "", "b.md": ""}, 0},
		{"each once", at, map[string]string{"MEMORY.md": "- [A](a.md)\n- [A](a.md) again\n- [X](x.md)\n", "a.md": "", "b.md": ""},
			1},
		{"nothing listed yet", at, map[string]string{"MEMORY.md": "# Notes\n", "a.md": ""}, 1},
		{"no index", "", map[string]string{"a.md": "", "b.md": ""}, 0},
		{"named in a sentence", at, map[string]string{"MEMORY.md": "See a.md and `b`.\n", "a.md": "", "b.md": ""}, 0},
		{"a readme that is none", "", map[string]string{"README.md": "- one\n- see [A](a.md)\n", "a.md": "", "b.md": "",
			"c.md": ""}, 0},
		{"a list of other things", at, map[string]string{"MEMORY.md": "- one\n- two\n", "a.md": ""}, 0},
		{"a folder is listed", at, map[string]string{"MEMORY.md": "- [Log](log/)\n- [A](a.md)\n", "a.md": "", "log/x.md": "",
			"log/y.md": ""}, 0},
		{"folders of which little is listed", at, map[string]string{"MEMORY.md": "- [X](log/x.md)\n", "log/x.md": "",
			"log/y.md": "", "log/z.md": ""},
			0},
		{"days", at, map[string]string{"MEMORY.md": "- [A](a.md)\n", "a.md": "", "2026-01-01.md": "", "2026-01-02.md": ""}, 0},
		{"other files", at, map[string]string{"MEMORY.md": "- [A](a.md)\n", "a.md": "", "data.json": "", "README.md": ""}, 0},
		{"out of the store", at, map[string]string{"MEMORY.md": "- [A](../../a.md)\n- [B](https://example.org)\n", "b.md": "", "c.md": ""},
			0},
		{"all of it is gone", at, map[string]string{"MEMORY.md": "- [A](a.md)\n", "b.md": ""}, 1},
		{"parts of a note", at, map[string]string{"MEMORY.md": "- [A](a.md#one)\n- [A](a.md#two)\n", "a.md": ""}, 0},
		{"source files", at, map[string]string{"MEMORY.md": "- main.go: entry\n- CLAUDE.md: rules\n- docs/a.md: x\n",
			"b.md": ""}, 0},
		{"unreadable", at, map[string]string{"MEMORY.md": "unreadable", "b.md": ""}, 0},
		{"an index below", at, map[string]string{"MEMORY.md": "- [P](p/README.md)\n", "p/README.md": "- [A](a.md)\n- [B](b.md)\n- [D](d.md)\n",
			"p/d.md": "", "p/a.md": "", "p/b.md": "", "p/c.md": ""},
			0},
	} {
		s, read := storeOf(c.texts, c.loaded)
		if got := orphansOf(s, read); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestRecognize(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"a.md": "", "b.md": "", "c.md": "", "n.md": ""}
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"map.md", "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n", false},
		{"map.txt", "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n", false},
		{"INDEX.md", "- [A](a.md)\n", true},
		{"INDEX.md", "- [A](x.md)\n- [B](y.md)\n", false},
		{"_index.md", "| n |\n|-|\n| [A](a.md) |\n", true},
		{"Readme.markdown", "Text alone.\n", false},
	} {
		s, _ := storeOf(texts, "")
		if got := s.Recognize(&index.File{Path: "/memories/" + c.path, Index: index.Parse([]byte(c.text))}); got != c.want {
			t.Errorf("%s %q: %v", c.path, c.text, got)
		}
	}
	s, _ := storeOf(maps.Clone(texts), "/memories/MEMORY.md")
	if !s.Recognize(&index.File{Path: "/memories/MEMORY.md", Index: index.Parse(nil)}) {
		t.Error("the loaded one is an index, whatever it holds")
	}
}
