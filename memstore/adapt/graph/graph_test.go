package graph

import (
	"bytes"
	"math/rand/v2"
	"path"
	"reflect"
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
	for n := range 1_000 {
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
			if ofTwins(err) {
				continue
			}
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
	for n := range 1_000 {
		g := newGraph(randomFile(r), "")
		before := textsOf(g)
		for name := range before {
			ripples, err := g.ripples(name, "")
			if ofTwins(err) {
				continue
			}
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
	if restored == 0 {
		t.Error("no deletion was undone")
	}
}

// ofTwins reports whether an edit is refused because it would give another entity of the same name another file.
func ofTwins(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "Other entities have the name ")
}

// No text of a cleaned memory has what was to go, each line is still what it was, and what isn't concerned keeps its bytes.
func TestCleaned(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	clean := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("e"), []byte("[x]")) }
	for n := range 300 {
		g := newGraph(parse(randomFile(r).bytes()), "")
		f := g.cleaned(clean)
		now := newGraph(parse(f.bytes()), "")
		if len(now.lines) != len(g.lines) {
			t.Fatalf("%d: %d lines, were %d", n, len(now.lines), len(g.lines))
		}
		for i, l := range now.lines {
			was := g.lines[i]
			if (l.entity == nil) != (was.entity == nil) || (l.relation == nil) != (was.relation == nil) || (l.damage == "") != (was.damage == "") {
				t.Fatalf("%d: line %d is %q, was %q", n, i, l.raw, was.raw)
			}
			if l.relation != nil {
				if (now.ends[i].to.first < 0) != (g.ends[i].to.first < 0) || now.orphan(i) != g.orphan(i) {
					t.Fatalf("%d: %q leads elsewhere than %q", n, l.raw, was.raw)
				}
			}
			for _, of := range textsIn(l) {
				if strings.Contains(of, "e") {
					t.Fatalf("%d: %q is left in %q", n, of, l.raw)
				}
			}
		}
		none := func(text []byte) []byte { return text }
		if same := g.cleaned(none).bytes(); !bytes.Equal(same, g.bytes()) {
			t.Fatalf("%d: cleaned of nothing it is %q, was %q", n, same, g.bytes())
		}
		for name := range g.names {
			if is, err := g.redacted(name, none); err != nil || is.Name != name || !bytes.Equal(is.Text, g.text(name)) || is.Remade {
				t.Fatalf("%d: redacted of nothing %s is %+v, %v", n, name, is, err)
			}
		}
	}
}

func textsIn(l *line) (list []string) {
	switch {
	case l.entity != nil:
		list = append(list, l.entity.name.is, l.entity.kind.is)
		for _, o := range l.entity.observations {
			list = append(list, o.is)
		}
	case l.relation != nil:
		list = append(list, l.relation.from.is, l.relation.to.is, l.relation.kind.is)
	}
	return list
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

// A rename that isn't refused can be undone, whatever has the same name: with the files that it changed, as an undo does it.
func TestRenamedComesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	undone, numbered := 0, 0
	for n := range 500 {
		g := newGraph(randomFile(r), "")
		before := textsOf(g)
		for name := range before {
			folder, of, ok := split(name)
			if !ok {
				continue
			}
			to := []string{folder + "/New name.md", "new/New name.md", "new/" + path.Base(name)}[r.IntN(3)]
			f, err := g.edited(adapt.Edit{Name: name, To: to})
			if err != nil {
				continue
			}
			ripples, err := g.ripples(name, to)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = newGraph(f, "").edited(adapt.Edit{Name: to, To: name}); err != nil {
				t.Fatalf("%d: rename %s to %s, and back: %v\n%q", n, name, to, err, g.bytes())
			}
			for _, also := range slices.Backward(ripples) {
				if now := newGraph(f, ""); !bytes.Equal(now.text(also.Name), also.Before) {
					if f, err = now.edited(adapt.Edit{Name: also.Name, Old: also.After, New: also.Before}); err != nil {
						t.Fatalf("%d: restore %s with %s: %v\n%q", n, also.Name, name, err, g.bytes())
					}
				}
			}
			if after := textsOf(newGraph(f, "")); !reflect.DeepEqual(before, after) {
				t.Fatalf("%d: %s to %s, and back: %q, was %q", n, name, to, after, before)
			}
			if undone++; untwinned(of) != of {
				numbered++
			}
		}
	}
	if numbered == 0 {
		t.Errorf("%d renames were undone, and none of a numbered name", undone)
	}
}
