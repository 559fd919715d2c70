package memtest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

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
