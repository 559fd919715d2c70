package graph

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
)

// pieces are what random names and observations are made of.
var pieces = []string{"a", "Acme", " ", "-", "- ", "\n", "\n\n", "  ", "#", "# x", "## Relations", "[[", "]]", "\"", "\\", "/", "..", ".", "~2",
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

func randomMore(r *rand.Rand) (more []member) {
	if r.IntN(4) > 0 {
		return nil
	}
	values := []string{"1", "null", `"x"`, `{"a":[1,{"b":"}"}]}`, `[]`, `"\ud800"`, "1e400", `" "`}
	for i := range r.IntN(3) {
		more = append(more, member{text{is: randomText(r, 2) + string(rune('a'+i))}, text{json: values[r.IntN(len(values))]}})
	}
	return more
}

// randomFile is a memory with names that repeat, and with relations to and from names that no entity has.
func randomFile(r *rand.Rand) *file {
	var names []string
	for range 1 + r.IntN(6) {
		names = append(names, randomText(r, 4))
	}
	f := &file{ended: r.IntN(2) == 0, crlf: r.IntN(5) == 0}
	for range r.IntN(8) {
		e := entity{name: text{is: names[r.IntN(len(names))]}, kind: text{is: randomText(r, 2)}, more: randomMore(r)}
		for range r.IntN(4) {
			e.observations = append(e.observations, text{is: randomText(r, 5)})
		}
		f.lines = append(f.lines, f.newLine(e.object()))
	}
	for range r.IntN(8) {
		one := relation{from: text{is: names[r.IntN(len(names))]}, to: text{is: names[r.IntN(len(names))]}, kind: text{is: randomText(r, 3)}, more: randomMore(r)}
		f.lines = append(f.lines, f.newLine(one.object()))
	}
	for range r.IntN(2) {
		f.lines = append(f.lines, f.newLine([]byte(`{"half`+strings.ReplaceAll(randomText(r, 1), "\n", ""))))
	}
	r.Shuffle(len(f.lines), func(i, j int) { f.lines[i], f.lines[j] = f.lines[j], f.lines[i] })
	return f
}

// The bytes of a memory, and the text of each file of it, are read as they were written.
func TestTextsAreReadAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 10_000 {
		f := randomFile(r)
		data := f.bytes()
		if again := parse(data).bytes(); !bytes.Equal(again, data) {
			t.Fatalf("%d: read as %q, want %q", n, again, data)
		}
		g := newGraph(parse(data), "")
		for name := range g.names {
			was := g.text(name)
			if strings.HasPrefix(name, damagedFolder+"/") {
				continue
			}
			form, err := g.form(name, was)
			if err != nil || !bytes.Equal(form, was) {
				t.Fatalf("%d: the text of %s isn't its own form: %v\n%q\n%q\nof %q", n, name, err, was, form, data)
			}
			same, err := g.written(name, was)
			if err != nil || !bytes.Equal(same.bytes(), data) {
				t.Fatalf("%d: writing the text that %s has changes the file: %v\n%q\n%q", n, name, err, data, same.bytes())
			}
			now, err := g.edited(adapt.Edit{Name: name})
			if err != nil {
				t.Fatalf("%d: delete %s: %v", n, name, err)
			}
			less := newGraph(now, "")
			if less.text(name) != nil && untwinned(strings.TrimSuffix(name, ending))+ending == name && len(g.names) == len(less.names) {
				t.Fatalf("%d: %s is still there: %q", n, name, now.bytes())
			}
		}
	}
}

// What is deleted comes back: with the files that the deletion changed, as an undo restores them.
func TestDeletedComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	restored := 0
	for n := range 10_000 {
		g := newGraph(randomFile(r), "")
		before := textsOf(g)
		if twins(g) {
			continue // several entities of one name: which of them has the relations changes with the deletion
		}
		for name := range before {
			ripples, err := g.ripples(name, "")
			if err != nil {
				t.Fatal(err)
			}
			f, err := g.edited(adapt.Edit{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			if f, err = newGraph(f, "").edited(adapt.Edit{Name: name, New: before[name]}); err != nil {
				t.Fatalf("%d: create %s again: %v\n%q\nof %q", n, name, err, before[name], g.bytes())
			}
			for _, also := range slices.Backward(ripples) {
				edit := adapt.Edit{Name: also.Name, Old: also.After, New: also.Before}
				if f, err = newGraph(f, "").edited(edit); err != nil {
					t.Fatalf("%d: restore %s with %s: %v\n%q", n, also.Name, name, err, g.bytes())
				}
			}
			after := textsOf(newGraph(f, ""))
			for name, text := range before {
				if !bytes.Equal(after[name], text) {
					t.Fatalf("%d: %s is %q, was %q", n, name, after[name], text)
				}
			}
			restored++
		}
	}
	if restored < 5000 {
		t.Errorf("only %d deletions were undone", restored)
	}
}

func twins(g *graph) bool {
	seen := map[string]bool{}
	for _, l := range g.lines {
		if l.entity != nil {
			if seen[l.entity.name.is] {
				return true
			}
			seen[l.entity.name.is] = true
		}
	}
	return false
}

func textsOf(g *graph) map[string][]byte {
	all := map[string][]byte{}
	for name := range g.names {
		all[name] = g.text(name)
	}
	return all
}

// A quotation mark that nothing closes is a mistake with its line, and twenty thousand entities of one name have names.
func TestAwkwardInput(t *testing.T) {
	t.Parallel()
	for _, s := range []string{`"abc\`, `"\`, `"`, `"\\`, `["`, `{"a":"\`} {
		if end := valueEnd(s, 0); end > len(s) {
			t.Errorf("%q ends at %d", s, end)
		}
	}
	g := &graph{names: map[string]int{}, twins: map[string]int{}, of: make([]string, 20_000)}
	for line := range g.of {
		g.name("person/Ann", ".md", line)
	}
	if len(g.names) != len(g.of) || g.of[1] != "person/Ann"+twin+"2.md" || g.of[19_999] != "person/Ann"+twin+"20000.md" {
		t.Errorf("%d names, %s, %s", len(g.names), g.of[1], g.of[19_999])
	}
}
