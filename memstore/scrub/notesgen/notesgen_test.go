package notesgen

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func TestNotesAreWhatTheySay(t *testing.T) {
	seen := map[string]int{}
	for _, seed := range []uint64{1, 2} {
		notes := Store(seed, 120)
		if !reflect.DeepEqual(notes, Store(seed, 120)) {
			t.Error("a seed makes different notes")
		}
		for _, n := range notes {
			for _, v := range n.Truths {
				seen[v.Class]++
				if v.Start < 0 || v.End > len(n.Text) || v.Start >= v.End {
					t.Errorf("%s: %+v", n.Name, v)
				}
			}
			for _, d := range n.Decoys {
				seen[d.Name]++
			}
			if err := Parses(n.Format, n.Text); err != nil {
				t.Errorf("%s: %v\n%s", n.Name, err, n.Text)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d classes and look-alikes: %v", len(seen), seen)
	}
}

// Parses says why a text can't be parsed in its format.
func Parses(f Format, text []byte) error {
	switch f {
	case JSON:
		var v any
		return json.Unmarshal(text, &v)
	case jsonl:
		for line := range bytes.Lines(text) {
			var v any
			if err := json.Unmarshal(line, &v); err != nil {
				return err
			}
		}
	}
	return nil
}
