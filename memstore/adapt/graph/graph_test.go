package graph

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"path"
	"reflect"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
)

// pieces are what random names and observations are made of.
var pieces = []string{"a", "Acme", " ", "-", "- ", "\n", "\n\n", "  ", "#", "# x", "## Relations", "[[", "]]", "\"", "\\", "/", "..", ".", "~2", "[[a", "{",
	"=", "=2F", "%2e", "é", "日本", "\r", "\x00", "\u0085", "\u2028", "---", ":", "{", "}", "type", "missing", "damaged", "🦊", "\t", "*", ".md"}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	if r.IntN(40) == 0 {
		b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 300))
	}
	return b.String()
}

func randomMore(r *rand.Rand) map[string]json.RawMessage {
	if r.IntN(4) > 0 {
		return nil
	}
	more, values := map[string]json.RawMessage{}, []string{"1", "null", `"x"`, `{"a":[1,{"b":"}"}]}`, `[]`, `"\ud800"`, "1e400", `" "`}
	for i := range r.IntN(3) {
		more[randomText(r, 2)+string(rune('a'+i))] = json.RawMessage(values[r.IntN(len(values))])
	}
	return more
}

// randomMemory has names that repeat, and relations to and from names that no entity has.
func randomMemory(r *rand.Rand) *graph {
	var names []string
	for range 1 + r.IntN(6) {
		names = append(names, randomText(r, 4))
	}
	name := func() string { return names[r.IntN(len(names))] }
	var lines []line
	for range r.IntN(8) {
		e := record{name: name(), kind: randomText(r, 2), more: randomMore(r)}
		for range r.IntN(4) {
			e.observations = append(e.observations, randomText(r, 5))
		}
		lines = append(lines, e.line())
	}
	for range r.IntN(8) {
		one := record{relation: true, name: name(), to: name(), kind: randomText(r, 3), more: randomMore(r)}
		lines = append(lines, one.line())
	}
	for range r.IntN(3) {
		lines = append(lines, line{raw: []byte([]string{"", "{half", `{"type":"entity", "name":"Bo","entityType":"x","observations":["\ud800"]}`}[r.IntN(3)])})
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return newGraph(parse(joinLines(lines)), "")
}

func textsOf(g *graph) map[string]string {
	all := map[string]string{}
	for name := range g.files {
		all[name] = string(g.text(name))
	}
	return all
}

// Each file has the text that it would have once that were written to it, which changes no line.
func TestTextsAreReadAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 500 {
		g := randomMemory(r)
		for name, l := range g.files {
			if g.lines[l].why != "" {
				continue
			}
			was := g.text(name)
			if form, err := formOf(g, name, was); err != nil || !bytes.Equal(form, was) {
				t.Fatalf("%d: the text of %s isn't its own form: %v\n%q\n%q\nof %q", n, name, err, was, form, g.bytes())
			}
			if same, err := g.edited(adapt.Edit{Name: name, New: was}); err != nil || !bytes.Equal(same.bytes(), g.bytes()) {
				t.Fatalf("%d: writing the text that %s has changes the file: %v\n%q", n, name, err, g.bytes())
			}
			if strings.HasPrefix(string(was), "{") {
				continue // the keys are to stay in front of a new observation
			}
			more, err := formOf(g, name, append([]byte("- new\n"), was...))
			if err != nil {
				t.Fatalf("%d: a new observation of %s: %v", n, name, err)
			}
			now, err := g.edited(adapt.Edit{Name: name, New: more})
			if err != nil {
				t.Fatalf("%d: a new observation of %s: %v", n, name, err)
			}
			for i, l := range now.lines {
				if i != g.files[name] && !bytes.Equal(l.raw, g.lines[i].raw) {
					t.Fatalf("%d: an edit of %s changes line %d", n, name, i+1)
				}
			}
		}
	}
}

// What is deleted or renamed comes back, and no other file changes, unless the edit is refused.
func TestEditsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	deleted, renamed := 0, 0
	for n := range 300 {
		g := randomMemory(r)
		before := textsOf(g)
		for name := range before {
			folder, of := path.Split(name)
			to := []string{folder + "New name.md", "new/New name.md", "new/" + of}[r.IntN(3)]
			for _, e := range []adapt.Edit{{Name: name}, {Name: name, To: to}} {
				now, err := g.edited(e)
				if err != nil {
					continue
				}
				back := adapt.Edit{Name: e.To, To: e.Name}
				if e.To == "" {
					back = adapt.Edit{Name: name, New: []byte(before[name])}
					deleted++
				} else {
					renamed++
				}
				if again, err := now.edited(back); err != nil || !reflect.DeepEqual(before, textsOf(again)) {
					t.Fatalf("%d: %+v, and back: %v, was %q", n, e, err, before)
				}
			}
		}
	}
	if deleted < 300 || renamed < 300 {
		t.Errorf("only %d deletions and %d renames were undone", deleted, renamed)
	}
}

// formOf is the form that a text for a file gets.
func formOf(g *graph, name string, text []byte) ([]byte, error) {
	edited, err := g.Edit(adapt.Edit{Name: name, New: text})
	return edited.Text, err
}
