package ccmemory

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// shown are the tables whose records have a text.
var shown = []*table{workingTable, episodeTable, entityTable, patternTable, insightTable, wisdomTable, sharedTable}

// pieces are what random strings are made of: all that means something in a text.
var pieces = []string{"a", "Deploy", " ", "\n", "\n\n", "## Learnings", "\n## Learnings\n", `\## Resolution`, "\n\\\\## Context\n", "---", "\n---\n", "# ",
	"- ", "\n  ", "```json\n", "\n```", "\"", "'", ":", ": ", " #", ",", "[", "]", "[[", "]]", "{", "}", "\\", "\r\n", "\r", "\t", "\x00", "\x1b[31m", "é", "日本語",
	"\u2028", "\u202e", "\ufffd", "../", "/", "%2e%2e", ".", "0", "-1", "null", "~", "  ", strings.Repeat("x", 300)}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomList(r *rand.Rand) []string {
	l := []string{}
	for range r.IntN(4) {
		l = append(l, randomText(r))
	}
	return l
}

func randomJSON(r *rand.Rand, depth int) any {
	switch n := r.IntN(7); {
	case n < 3:
		return randomText(r)
	case n == 3:
		return r.NormFloat64() * 1e6
	case n == 4:
		return []any{nil, true, 0}[r.IntN(3)]
	case depth > 2:
		return "deep"
	case n == 5:
		return []any{randomJSON(r, depth+1), randomJSON(r, depth+1)}
	}
	return map[string]any{randomText(r): randomJSON(r, depth+1), "steps": randomList(r)}
}

// randomRow makes a record as the program could store it, with every column that is shown.
func randomRow(r *rand.Rand, t *table) row {
	out := row{table: t, values: make([]any, len(t.columns))}
	for i, c := range t.columns {
		if c.at == hidden || !c.needed && r.IntN(4) == 0 {
			continue
		}
		var v any
		switch c.form {
		case text:
			if v = randomText(r); len(c.choices) > 0 && r.IntN(3) > 0 {
				v = c.choices[r.IntN(len(c.choices))]
			}
		case number:
			v = []float64{r.Float64(), float64(r.IntN(11)), r.NormFloat64() * 1e20}[r.IntN(3)]
		case count:
			v = r.Int64N(1 << 40)
		case moment:
			v = []int64{1767225600000 + r.Int64N(1e11), int64(never), 1<<53 - 1, -1, -62167219200001}[r.IntN(5)]
		case list, refs:
			v = randomList(r)
		case object:
			j := marshal(randomJSON(r, 0))
			switch {
			case c.at == outcome && r.IntN(3) > 0:
				o := Outcome{Status: randomText(r), Learnings: randomList(r)}
				if s := randomText(r); r.IntN(2) > 0 {
					o.Resolution = &s
				}
				j = marshal(o)
			case c.at == lists && r.IntN(3) > 0:
				j = marshal(map[string][]string{"steps": randomList(r), "preconditions": randomList(r)})
			}
			v = j
		}
		out.values[i] = v
	}
	return out
}

// refer and resolve name half of all IDs.
func refer(id string) string {
	if len(id)%2 == 0 || safe(id, nameMost) != id {
		return ""
	}
	return "semantic/fact/" + id + ".md"
}

func resolve(name string) (string, bool) {
	return strings.TrimSuffix(strings.TrimPrefix(name, "semantic/fact/"), ".md"), true
}

func segmentsOf(t *table, name string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(name, t.folder+"/"), extension), "/")
}

func TestTextsAreInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 10000 {
		want := randomRow(r, shown[i%len(shown)])
		n := namer{taken: map[string]*row{}}
		name := n.nameOf(&want)
		segments := segmentsOf(want.table, name)
		data := encode(want, segments, refer)
		got, err := decode(want.table, segments, data, resolve)
		if err != nil {
			t.Fatalf("%d %s: %v\n%s", i, name, err, data)
		}
		for _, c := range want.table.columns {
			if c.at != hidden && !same(c.form, want.value(c.name), got.values[c.name]) {
				t.Fatalf("%d %s: %s is %q, want %q\n%s", i, name, c.name, got.values[c.name], want.value(c.name), data)
			}
		}
		if table, _, ok := placeOf(name); !ok || table != want.table {
			t.Fatalf("%d: %s is not in the place of %s", i, name, want.table.name)
		}
		for _, s := range strings.Split(name, "/") {
			if s == "" || len(s) > 255 || strings.HasPrefix(s, ".") || strings.Contains(s, "..") || strings.ContainsAny(s, "\x00\n\r[]") {
				t.Fatalf("%d: %q is no name", i, name)
			}
		}
	}
}

// What is wrong with a text is said with its line.
func TestRefusedTexts(t *testing.T) {
	const head = "---\nid: 1\n"
	for _, c := range []struct {
		t    *table
		text string
		line int
		says string
	}{
		{workingTable, "Nothing.", 1, "begin with a line ---"},
		{workingTable, head, 2, "end with a line ---"},
		{workingTable, head + "colour: red\n---\n", 3, "colour is not a field of working memory; fields are id, kind, key, priority, session, tags, created, expires."},
		{workingTable, head + "id: 2\n---\n", 3, "id is already above"},
		{workingTable, head + "tags: a, b\n---\n", 3, "tags is a list such as [database, performance]"},
		{workingTable, head + "tags: [a,]\n---\n", 3, "tags is a list"},
		{workingTable, head + "expires: soon\n---\n", 3, "expires is a time such as"},
		{workingTable, head + "kind: scratch\n---\n", 3, "kind doesn't fit the name of the file: move the file instead"},
		{workingTable, head + "---\n```json\n{\"a\": 1,\n \"b\" 2}\n```\n", 6, "this is not valid JSON"},
		{workingTable, head + "---\n```json\n{}\n", 4, "JSON is in a block"},
		{workingTable, head + "priority\n---\n", 3, "is not a field: write “key: value”"},
		{workingTable, head + "---\na\nb\xffc\n", 5, "not text (UTF-8)"},
		{episodeTable, head + "importance: high\n---\n# a\n", 3, "importance is a number"},
		{episodeTable, head + "---\nno heading\n", 4, "here is a heading with the summary"},
		{episodeTable, head + "---\n# a\nb\n\n## Learnings\n- one\ntwo\n", 7, "Learnings needs a field outcome"},
		{episodeTable, head + "outcome: success\n---\n# a\nb\n\n## Learnings\n- one\ntwo\n", 10, "items of a list begin with"},
		{episodeTable, head + "relates: [[nothing]\n---\n# a\n", 3, "relates has links such as"},
		{entityTable, head + "---\na\n\n## Content\nnone\n", 7, "JSON is in a block"},
		{entityTable, head + "---\na\n\n## Steps\n- a\n\n## Steps\n- b\n", 9, "Steps is already above"},
	} {
		segments := []string{"task_state", "plan"}
		_, err := decode(c.t, segments, []byte(c.text), resolve)
		var bad *lineError
		if !errors.As(err, &bad) || bad.Line != c.line || !strings.Contains(bad.Reason, c.says) {
			t.Errorf("%q: %v, want line %d: %s", c.text, err, c.line, c.says)
		}
	}
}

// Any text is read or refused with a line that is there; what is read is the same when it is written again.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 3 * len(shown) {
		row := randomRow(r, shown[i%len(shown)])
		f.Add(uint8(i), encode(row, []string{"fact", "name"}, refer))
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		table := shown[int(n)%len(shown)]
		segments := []string{"fact", "name"}[:table.depth()]
		got, err := decode(table, segments, data, resolve)
		var bad *lineError
		if errors.As(err, &bad) {
			if lines := bytes.Count(data, []byte("\n")) + 1; bad.Line < 1 || bad.Line > lines {
				t.Fatalf("%v of %d lines", err, lines)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(table, segments, encode(rowWith(table, got.values), segments, func(string) string { return "" }), resolve)
		if err != nil {
			t.Fatalf("written again: %v", err)
		}
		for _, c := range table.columns {
			if c.at != hidden && !same(c.form, got.values[c.name], again.values[c.name]) {
				t.Fatalf("%s: %q, again %q", c.name, got.values[c.name], again.values[c.name])
			}
		}
	})
}
