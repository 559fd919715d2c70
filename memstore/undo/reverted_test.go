package undo

import (
	"context"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// trail is a file in versions, the first of which an edit was made to.
type trail struct {
	list  []past.Revision
	texts map[memstore.Digest][]byte
}

// trailOf are the revisions of a file, from 1: revision n made texts[n] of texts[n-1].
func trailOf(texts ...string) *trail {
	t := &trail{texts: map[memstore.Digest][]byte{}}
	side := func(s string) past.Side {
		d := memstore.Sum([]byte(s))
		t.texts[d] = []byte(s)
		return past.Side{Exists: true, Kept: true, Digest: d, Size: int64(len(s))}
	}
	for i := range texts[1:] {
		t.list = append(t.list, past.Revision{
			Rev: int64(i) + 1, Path: "/memories/a.md", Kind: memstore.KindFile, Shape: past.Edited, Before: side(texts[i]), After: side(texts[i+1]),
		})
	}
	return t
}

func (t *trail) Revision(_ context.Context, rev int64) (past.Revision, error) {
	return t.list[rev-1], nil
}

func (t *trail) Forward(_ context.Context, r past.Revision, _ map[int64]bool) (string, error) {
	return r.Path, nil
}

func (t *trail) Bytes(_ context.Context, s past.Side) ([]byte, error) { return t.texts[s.Digest], nil }

func (t *trail) History(_ context.Context, _ string, visit func(past.Revision) bool) error {
	for _, r := range slices.Backward(t.list) {
		if !visit(r) {
			break
		}
	}
	return nil
}

func TestRevertedSinceFindsHunks(t *testing.T) {
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	after := strings.NewReplacer("2\n", "two\n", "5\n", "five\n", "8\n", "eight\n").Replace(before)
	without := func(text, old, new string) string { return strings.Replace(text, new+"\n", old+"\n", 1) }
	second := without(after, "5", "five")
	both := without(second, "8", "eight")
	for name, c := range map[string]struct {
		texts []string
		want  []int64
	}{
		"nothing since":            {[]string{before, after}, nil},
		"another place":            {[]string{before, after, after + "10\n"}, nil},
		"the second":               {[]string{before, after, second}, []int64{0, 2, 0}},
		"after a later edit":       {[]string{before, after, "0\n" + after, "0\n" + second}, []int64{0, 3, 0}},
		"before a later edit":      {[]string{before, after, second, "0\n" + second + "10\n"}, []int64{0, 2, 0}},
		"two, one after the other": {[]string{before, after, second, both}, []int64{0, 2, 3}},
		"and undone again":         {[]string{before, after, second, after}, nil},
		"and changed again":        {[]string{before, after, second, strings.Replace(after, "five", "FIVE", 1)}, nil},
		"and reverted again":       {[]string{before, after, second, after, second}, []int64{0, 4, 0}},
		"all":                      {[]string{before, after, before}, []int64{2, 2, 2}},
	} {
		got, err := RevertedSince(t.Context(), trailOf(c.texts...), 1)
		if err != nil || !slices.Equal(got.Hunks, c.want) || got.By != 0 {
			t.Errorf("%s: %+v %v, want %v", name, got, err, c.want)
		}
	}
}

// What redid a revert is the revert again.
func TestRevertedSinceNamesTheRevertOfARedo(t *testing.T) {
	before, after := "1\n2\n3\n", "one\n2\nthree\n"
	first := "1\n2\nthree\n"
	tr := trailOf(before, after, first, after, first)
	tr.list[1].Command = "revert"
	tr.list[2].Command, tr.list[2].Undoes = "undo", 2
	tr.list[3].Command, tr.list[3].Undoes = "redo", 3
	got, err := RevertedSince(t.Context(), tr, 1)
	if want := []int64{2, 0}; err != nil || !slices.Equal(got.Hunks, want) {
		t.Errorf("%+v %v, want %v", got, err, want)
	}
}
