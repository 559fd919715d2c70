package memtest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func all(t *testing.T) []Vector {
	t.Helper()
	var list []Vector
	for _, d := range Dialects() {
		vectors, err := Vectors(d)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, vectors...)
	}
	return list
}

func TestVectorsAreInOrder(t *testing.T) {
	needs := []string{needsLinks, NeedsHoles, NeedsFIFO, NeedsExactNames, needsLongNames}
	seen := map[string]bool{}
	count := map[string]int{}
	for _, v := range all(t) {
		if seen[v.Name] {
			t.Errorf("two vectors are called %s", v.Name)
		}
		seen[v.Name] = true
		count[v.Dialect]++
		if !strings.HasPrefix(v.Name, v.Dialect+"/") || strings.Count(v.Name, "/") != 2 {
			t.Errorf("%s is not a name for a vector of the dialect %s", v.Name, v.Dialect)
		}
		for _, n := range v.Needs {
			if !slices.Contains(needs, n) {
				t.Errorf("%s needs %q, which is unknown", v.Name, n)
			}
		}
		if !strings.HasSuffix(v.Rule, ".") && !strings.HasSuffix(v.Rule, ".)") {
			t.Errorf("the rule of %s is not a sentence: %q", v.Name, v.Rule)
		}
		for _, s := range v.Steps {
			if !json.Valid(s.Input) || s.Content == "" {
				t.Errorf("%s has a step without input or content", v.Name)
			}
		}
		checkNeeds(t, v)
	}
	for _, d := range Dialects() {
		if count[d] < 200 {
			t.Errorf("%s has %d vectors", d, count[d])
		}
	}
}

// A vector says what its tree needs, so that it is not tried elsewhere.
func checkNeeds(t *testing.T, v Vector) {
	t.Helper()
	for _, n := range v.Tree {
		for need, has := range map[string]bool{needsLinks: n.Link != "", NeedsHoles: n.Holes > 0, NeedsFIFO: n.FIFO} {
			if has && !slices.Contains(v.Needs, need) {
				t.Errorf("%s does not say that it needs %s", v.Name, need)
			}
		}
	}
}

// What a place is furnished with is what is read back.
func TestPlaceKeepsTheTree(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range all(t) {
		if seen[v.Tree.String()] {
			continue
		}
		seen[v.Tree.String()] = true
		place := Place(filepath.Join(t.TempDir(), "place"))
		err := place.Furnish(v)
		if errors.Is(err, errors.ErrUnsupported) && len(v.Needs) > 0 {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		got, err := place.Tree()
		if err != nil || got.String() != v.Tree.String() {
			t.Errorf("%s: %v\n got %s\nwant %s", v.Name, err, got, v.Tree)
		}
		if err := os.RemoveAll(string(place)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expected, content string
		want              bool
	}{
		{"a", "a", true},
		{"a", "b", false},
		{"{dirsize}\t/memories", "4K\t/memories", true},
		{"{dirsize}\t/memories", "4.5K\t/memories", true},
		{"{dirsize}\t/memories", "123B\t/memories", true},
		{"{dirsize}\t/memories", "\t/memories", false},
		{"{dirsize}\t/memories", "4\t/memories", false},
		{"{dirsize}\t/memories", "4.K\t/memories", false},
		{"{dirsize}\t/memories", "x4K\t/memories", false},
		{"{dirsize}\t/memories", "4K\t/memories\n", false},
		{"{dirsize}\ta\n{dirsize}\tb", "4K\ta\n1.0M\tb", true},
		{"{dirsize}\ta\n{dirsize}\tb", "4K\ta\nb", false},
		{"x{dirsize}", "", false},
	} {
		if got := Match(c.expected, c.content); got != c.want {
			t.Errorf("Match(%q, %q) is %v", c.expected, c.content, got)
		}
	}
}

func TestReadVectorsRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `[{}]`, `[] []`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{},"steps":[]}]`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{},"step":[{}]}]`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{"a":{}},"steps":[{"input":1}]}]`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{"a":{"bytes":"x"}},"steps":[{"input":1}]}]`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{"a":{"base64":"!"}},"steps":[{"input":1}]}]`,
		`[{"name":"a","rule":"r.","dialect":"docs","tree":{"a":3},"steps":[{"input":1}]}]`,
	} {
		if list, err := ReadVectors([]byte(text)); err == nil {
			t.Errorf("%s is read as %v", text, list)
		}
	}
	if _, err := Vectors("klingon"); err == nil {
		t.Error("there are vectors for klingon")
	}
}

// always answers the same.
type always string

func (a always) Do(context.Context, json.RawMessage) (string, bool) { return string(a), true }

func TestTryFindsWhatIsWrong(t *testing.T) {
	list, err := ReadVectors([]byte(`[{"name":"a","rule":"r.","dialect":"docs","tree":{"a":"x"},
		"steps":[{"input":1,"content":"no","is_error":true},{"input":2,"content":"no","is_error":false},
			{"input":3,"content":"yes","is_error":true}],
		"tree_after":{"d/b":"y"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	v := list[0]
	fail := errors.New("out of reach")
	for _, c := range []struct {
		left  Tree
		err   error
		steps []int
	}{
		{v.After, nil, []int{2, 3}},
		{v.Tree, nil, []int{2, 3, 0}},
		{Tree{"d": {Dir: true}, "d/b": {Data: []byte("y")}}, nil, []int{2, 3}},
		{v.After, fail, []int{2, 3, 0}},
	} {
		var steps []int
		for _, f := range v.Try(t.Context(), always("no"), func() (Tree, error) { return c.left, c.err }) {
			steps = append(steps, f.Step)
		}
		if !slices.Equal(steps, c.steps) {
			t.Errorf("with %v %v the failures are in %v, want %v", c.left, c.err, steps, c.steps)
		}
	}
}

// Trees are written as they are read.
func TestTreeJSON(t *testing.T) {
	tree := Tree{
		"a": {Data: []byte("text\n")}, "b": {Data: []byte("\xff")}, "c/d": {Dir: true}, "l": {Link: "a"},
		"p": {FIFO: true}, "h": {Holes: 1 << 40}, "e": {},
	}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var back Tree
	if err := json.Unmarshal(data, &back); err != nil || back.String() != tree.String() {
		t.Errorf("%v: %s became\n%s", err, data, back)
	}
	if inside, outside := (Tree{"a": {}, outsideStore + "b": {}}).Split(); len(inside) != 1 || len(outside) != 1 {
		t.Error("what is outside was not told from what is inside")
	}
	if got := filepath.Base(Place("x").Store()); got != "memories" {
		t.Errorf("the store is called %s", got)
	}
}
