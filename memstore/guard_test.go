package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder writes down what it is told. fail makes Begin fail.
type recorder struct {
	mu    sync.Mutex
	log   []string
	edits []*Edit
	fail  error
	on    func(*Edit) // runs in Begin
}

func (r *recorder) Begin(_ context.Context, e *Edit) (func(error), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return nil, r.fail
	}
	r.edits = append(r.edits, e)
	for _, c := range e.Changes {
		r.log = append(r.log, fmt.Sprintf("%s %d %s<%s %s>%s", e.Command.Name, c.Kind, c.Path, c.OldPath, side(c.Before), side(c.After)))
	}
	if r.on != nil {
		r.on(e)
	}
	return func(err error) { r.log = append(r.log, fmt.Sprint("end ", err)) }, nil
}

func (r *recorder) Viewed(_ context.Context, path string, o Origin, _ time.Time) {
	r.log = append(r.log, "viewed "+path+" by "+string(o.Actor))
}

func side(c *Content) string {
	if c == nil {
		return "-"
	}
	data, err := c.Bytes()
	if err != nil {
		return "error"
	}
	return string(data)
}

func TestRecorder(t *testing.T) {
	ctx := context.Background()
	rec := &recorder{}
	start := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	s := linkedStore(t, Options{Recorders: []Recorder{rec}, Now: func() time.Time { return start }, Origin: Origin{Session: "s1", Model: "m"}},
		map[string]string{"d/link": "../a", "alias": "d"}, "a", "one\n", "d/x", "X", "d/e/y", "Y", "d/z", "Z")
	s.Create(ctx, "/memories//new", "n")
	s.StrReplace(ctx, "/memories/a", "one", "two")
	s.StrReplace(ctx, "/memories/a", "two", "two") // no change, no record
	s.Insert(ctx, "/memories/alias/x", 1, "more")
	s.Rename(ctx, "/memories/a", "/memories/alias/b")
	s.View(ctx, "/memories/d/b", nil)
	s.View(WithOrigin(ctx, Origin{Actor: Curator}), "/memories/d/b", nil)
	s.View(ctx, "/memories/none", nil)
	s.Create(ctx, "/memories/new", "again")
	s.Delete(ctx, "/memories/new")
	s.Delete(ctx, "/memories/d/link")
	s.Rename(ctx, "/memories/d", "/memories/dd")
	s.Delete(WithOrigin(ctx, Origin{Actor: Replay, ToolUseID: "t1"}), "/memories/dd")
	want := []string{
		"create 1 /memories/new< ->n", "end <nil>",
		"str_replace 1 /memories/a< one\n>two\n", "end <nil>",
		"insert 1 /memories/d/x< X>X\nmore", "end <nil>",
		"rename 1 /memories/d/b</memories/a two\n>two\n", "end <nil>",
		"viewed /memories/d/b by agent",
		"delete 1 /memories/new< n>-", "end <nil>",
		"delete 3 /memories/d/link< ->-", "end <nil>",
		"rename 2 /memories/dd</memories/d ->-", "end <nil>",
		"delete 1 /memories/dd/b< two\n>-", "delete 1 /memories/dd/e/y< Y>-", "delete 2 /memories/dd/e< ->-",
		"delete 1 /memories/dd/x< X\nmore>-", "delete 1 /memories/dd/z< Z>-", "delete 2 /memories/dd< ->-", "end <nil>",
	}
	if !slices.Equal(rec.log, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rec.log, "\n"), strings.Join(want, "\n"))
	}
	first, last := rec.edits[0], rec.edits[len(rec.edits)-1]
	if first.Origin != (Origin{Actor: Agent, Session: "s1", Model: "m"}) || !first.Time.Equal(start) ||
		first.Command.Path != "/memories//new" {
		t.Errorf("first edit %+v", first)
	}
	if last.Origin != (Origin{Actor: Replay, Session: "s1", Model: "m", ToolUseID: "t1"}) {
		t.Errorf("last edit %+v", last.Origin)
	}
}

// Only the curator may say, through the context, under which name to record an edit, and through a step, which revision it undoes: not an
// agent, a transcript, a client or the settings of a store.
func TestOnlyTheCuratorMarksAnEditAsAnUndo(t *testing.T) {
	said := Origin{As: "undo"}
	input := []byte(`{"command":"create","path":"/memories/a","file_text":"x","as":"undo","As":"undo","undoes":7,"Undoes":7,` +
		`"origin":{"Actor":"curator","As":"undo","Undoes":7},"Origin":{"Actor":"curator","As":"undo","Undoes":7}}`)
	for _, actor := range []Actor{"", Agent, External, Replay, Curator} {
		for from, settings := range map[string]Origin{"the context": {}, "the settings": said, "the input": {}} {
			rec := &recorder{}
			settings.Actor = actor
			s := storeOf(t, Options{Recorders: []Recorder{rec}, Overwrite: true, Origin: settings})
			ctx, want := context.Background(), Origin{Actor: cmp.Or(actor, Agent)}
			if from == "the context" {
				ctx = WithOrigin(ctx, said)
				if actor == Curator {
					want.As = said.As
				}
			}
			if from == "the input" {
				s.DoJSON(ctx, input)
			}
			s.Create(ctx, "/memories/a", from)
			for _, e := range rec.edits {
				if e.Origin != want || e.Changes[0].Undoes != 0 {
					t.Errorf("said by %s as %q: %+v", from, actor, e)
				}
			}
			if len(rec.edits) == 0 {
				t.Errorf("nothing happened for %q", actor)
			}
		}
	}
}

func TestReadOnly(t *testing.T) {
	s := storeOf(t, Options{ReadOnly: true}, "a", "x")
	for _, c := range []Command{create("/memories/b", ""), replace("/memories/a", "x", "y"), insert("/memories/a", 0, "x"),
		remove("/memories/a"), move("/memories/a", "/memories/b")} {
		r := s.Do(context.Background(), c)
		if r.Content != "Error: The memory directory is read-only" || !errors.Is(r.Err, ErrReadOnly) {
			t.Errorf("%+v: %q", c, r.Content)
		}
		if shown, _ := s.Preview(context.Background(), c); shown.Content != r.Content {
			t.Error("preview:", shown.Content)
		}
	}
	if r := s.View(context.Background(), "/memories/a", nil); r.IsError {
		t.Error(r.Content)
	}
}
