package transcript_test

import (
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// A file that is one long JSON value is read alike, whether it is held as a whole or as a stream.
func TestLongSpreadValue(t *testing.T) {
	all := conversation()
	for name, text := range map[string]string{
		"body":        indented(body(all)),
		"array":       indented("[" + strings.Join(all, ",") + "]"),
		"requests":    indented("[" + body(all[:3]) + "," + body(all) + "]"),
		"other":       indented(`{"log":{"entries":[{"request":` + body(all) + `}]}}`),
		"model after": indented(`{"messages":[` + strings.Join(all, ",") + `],"model":"m-1"}`),
	} {
		whole := read(t, transcript.Options{}, text).Calls()
		for held := 160; held < len(text)+2; held += 37 {
			undo := transcript.SetHeldWhole(held)
			r := read(t, transcript.Options{}, text)
			undo()
			if len(r.Calls()) != len(whole) {
				t.Fatalf("%s: %d calls with %d bytes held, want %d", name, len(r.Calls()), held, len(whole))
			}
			for i, c := range r.Calls() {
				w := whole[i]
				sameResult := (c.Result == nil) == (w.Result == nil) && (c.Result == nil || string(c.Result.Raw) == string(w.Result.Raw))
				if string(c.Input) != string(w.Input) || !sameResult || c.Turn != w.Turn || name != "model after" && c.Model != w.Model {
					t.Fatalf("%s: call %d with %d bytes held is %+v, want %+v", name, i, held, c, w)
				}
			}
		}
	}
	defer transcript.SetHeldWhole(300)()
	text := indented(body(all))
	cut := read(t, transcript.Options{}, text[:strings.Index(text, `"t4"`)])
	if n := len(cut.Calls()); n != 3 {
		t.Errorf("%d calls of a value that was cut off, want 3", n)
	}
	if !cut.Summary().CutLast {
		t.Error("a value that was cut off does not say so")
	}
}
