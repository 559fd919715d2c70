package memstore

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// masking is a guard that takes a word out wherever an edit would leave it.
func masking() Guard {
	mask := func(s string) string { return strings.ReplaceAll(s, "hidden", "[it]") }
	return Guard{
		Amend: func(_ context.Context, _ Command, _, after []byte) (Amendment, error) {
			if bytes.Contains(after, []byte("forbidden")) {
				return Amendment{}, errors.New("not that word")
			}
			if !bytes.Contains(after, []byte("hidden")) {
				return Amendment{}, nil
			}
			return Amendment{Data: []byte(mask(string(after))), Note: "1 word\ntaken out"}, nil
		},
		Recall: func(_ context.Context, c Command, _ []byte) string { return mask(c.OldStr) },
	}
}

func TestAmendChangesTheBytesWritten(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Options{Guards: []Guard{masking()}}, "half", "a hid\nb\n")
	for _, c := range []struct {
		do           Command
		answer, left string
	}{
		{create("/memories/a", "x hidden\ny\n"), "File created successfully at: /memories/a\n1 word taken out", "x [it]\ny\n"},
		// What was masked is found by the words that the agent wrote, and the answer does not repeat them.
		{replace("/memories/a", "x hidden", "z"), snippet + "     1\tz\n     2\ty\n     3\t", "z\ny\n"},
		{replace("/memories/a", "gone hidden", "z"),
			"No replacement was performed, old_str `gone [it]` did not appear verbatim in /memories/a.", "z\ny\n"},
		// A word that the edit completes is removed, including the half that was there.
		{replace("/memories/half", "\nb", "den b"), snippet + "     1\ta [it] b\n     2\t\n1 word taken out", "a [it] b\n"},
		{insert("/memories/a", 1, "hidden"), "The file /memories/a has been edited.\n1 word taken out", "z\n[it]\ny\n"},
		{insert("/memories/a", 1, "forbidden"), "Error: not that word", "z\n[it]\ny\n"},
	} {
		shown, _ := s.Preview(ctx, c.do)
		got := s.Do(ctx, c.do)
		name := strings.TrimPrefix(c.do.Path, "/memories/")
		if got.Content != c.answer || textOf(t, s, name) != c.left {
			t.Errorf("%+v: %q, left %q", c.do, got.Content, textOf(t, s, name))
		}
		if shown.Content != got.Content {
			t.Errorf("%+v: the preview says %q", c.do, shown.Content)
		}
	}
	if r := s.Replace(ctx, "/memories/half", []byte("hidden"), nil); r.IsError || textOf(t, s, "half") != "[it]" {
		t.Error(r)
	}
}
