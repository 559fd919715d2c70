package feed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// record is a record in memory, which counts how often its unread revisions were read.
type record struct {
	mu    sync.Mutex
	rows  []past.Revision
	state past.State
	more  past.Health
	reset bool
	reads int
}

func (r *record) add(revs ...past.Revision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rev := range revs {
		r.state.Last++
		rev.Rev = r.state.Last
		r.rows = append(r.rows, rev)
	}
}

func (r *record) State(context.Context) (past.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, nil
}

func (r *record) List(_ context.Context, f past.Filter, visit func(past.Revision) bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.Unread {
		r.reads++
	}
	left := f.Limit
	for _, row := range slices.Backward(r.rows) {
		if row.Rev > f.After && (f.Before == 0 || row.Rev < f.Before) && (row.Unread || !f.Unread) && left > 0 {
			if left--; !visit(row) {
				break
			}
		}
	}
	return nil
}

// Follow fails if there is nothing new, so that no test waits.
func (r *record) Follow(_ context.Context, seen past.State, most int) (b past.Batch, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b = past.Batch{Next: r.state, Newest: r.state.Last, Health: r.more, Reset: r.reset}
	if r.reset = false; b.Reset {
		return b, nil
	}
	b.Next.Level = r.more.Level
	if b.Next == seen {
		return b, errors.New("a follower would wait here")
	}
	for _, row := range r.rows {
		if row.Rev > seen.Last && len(b.Revisions) < most {
			b.Revisions = append(b.Revisions, row)
		}
	}
	if n := len(b.Revisions); n == most {
		b.Next.Last = b.Revisions[n-1].Rev
	}
	return b, nil
}

// follower carries out the commands of a feed.
type follower struct {
	t    *testing.T
	feed *Feed
	next func() Message
}

func follow(t *testing.T, r *record) *follower {
	f := &follower{t: t, feed: New(t.Context(), r)}
	f.arm()
	f.step()
	return f
}

// arm captures the question of the command under way.
func (f *follower) arm() {
	turn, q := f.feed.turn, question{f.feed.source, f.feed.state, f.feed.begun, f.feed.reread}
	f.next = func() Message {
		m, err := q.answer(f.t.Context())
		if err != nil {
			f.t.Helper()
			f.t.Fatal(err)
		}
		m.turn = turn
		return m
	}
}

// step takes the next message.
func (f *follower) step() News {
	f.t.Helper()
	news, cmd := f.feed.Take(f.next())
	if cmd == nil {
		f.t.Fatal("no command delivers the next message")
	}
	f.arm()
	return news
}

func (f *follower) holds(arrived, unread string) {
	f.t.Helper()
	if got := numbers(f.feed.Revisions()); got != arrived {
		f.t.Errorf("%s have arrived, not %s", got, arrived)
	}
	if got := numbers(f.feed.Unread()); got != unread {
		f.t.Errorf("%s are unread, not %s", got, unread)
	}
	paths := map[string]int{}
	for _, r := range f.feed.Unread() {
		paths[r.Path]++
	}
	if got := f.feed.UnreadPaths(); fmt.Sprint(got) != fmt.Sprint(paths) {
		f.t.Errorf("%v are counted, not %v", got, paths)
	}
}

func numbers(list []past.Revision) string {
	out := []int64{}
	for _, r := range list {
		out = append(out, r.Rev)
	}
	return fmt.Sprint(out)
}

func edited(path string) past.Revision {
	return past.Revision{Path: path, Kind: memstore.KindFile, Shape: past.Edited, Actor: memstore.Agent, Unread: true, Before: past.Side{Size: 1}, After: past.Side{Size: 2}}
}

func removed(path string) past.Revision {
	r := edited(path)
	r.Shape, r.After = past.Removed, past.Side{}
	return r
}

func own(path string) past.Revision {
	r := edited(path)
	r.Actor, r.Unread = memstore.Curator, false
	return r
}

func TestWhatCameSinceTheStartAndWhatIsUnread(t *testing.T) {
	r := &record{}
	r.add(edited("a"), own("b"), edited("c"))
	f := follow(t, r)
	f.holds("[]", "[1 3]")
	r.add(edited("a"), own("a"), removed("c"))
	if news := f.step(); numbers(news.Revisions) != "[4 5 6]" || !f.feed.TakeUnreadChange() || news.Flags {
		t.Errorf("news: %+v", news)
	}
	f.holds("[4 5 6]", "[1 3 4 6]")
	if got, ok := f.feed.LastOf("a"); !ok || got.Rev != 5 {
		t.Errorf("the last of a is %d", got.Rev)
	}
	if got := numbers(f.feed.Since(4)); got != "[5 6]" || f.feed.Newest() != 6 {
		t.Errorf("since 4: %s of %d", got, f.feed.Newest())
	}
	if _, ok := f.feed.Find(3); ok {
		t.Error("a revision from before the start is found")
	}
}

func TestAPurgeDropsWhatWasRead(t *testing.T) {
	r := &record{}
	r.add(edited("a"))
	f := follow(t, r)
	r.add(edited("secret"))
	f.step()
	r.mu.Lock()
	r.rows[1].Path = "redacted"
	r.state.Purges++
	r.mu.Unlock()
	r.add(own("redacted"))
	if news := f.step(); news.Purges != 1 || numbers(news.Revisions) != "[3]" {
		t.Errorf("news: %+v", news)
	}
	f.holds("[3]", "[]")
	f.step()
	f.holds("[3]", "[1 2]")
	if f.feed.UnreadPaths()["secret"] != 0 {
		t.Error("a name from before the purge is kept")
	}
	before := Message{turn: f.feed.turn, batch: past.Batch{Next: r.state, Revisions: []past.Revision{edited("secret")}}}
	cmd := f.feed.Forget()
	if _, next := f.feed.Take(before); next != nil || cmd == nil {
		t.Error("a message from before the purge is accepted")
	}
	f.holds("[]", "[]")
	f.arm()
	f.step()
	f.holds("[]", "[1 2]")
}

func TestAnotherRecordStartsOver(t *testing.T) {
	r := &record{}
	r.add(edited("a"), edited("b"))
	f := follow(t, r)
	r.add(edited("c"))
	f.step()
	r.mu.Lock()
	r.rows, r.state, r.reset = r.rows[:1], past.State{Last: 1, Epoch: "another"}, true
	r.mu.Unlock()
	if news := f.step(); !news.Reset || !f.feed.TakeUnreadChange() {
		t.Errorf("news: %+v", news)
	}
	f.holds("[]", "[1]")
	r.add(edited("d"))
	f.step()
	f.holds("[2]", "[1 2]")
}

// The count of what is unread of a file goes with it when it is renamed, and back.
func TestUnreadFollowsRenames(t *testing.T) {
	r := &record{}
	r.add(edited("d/a"), edited("da"))
	f := follow(t, r)
	for _, c := range [][2]string{{"d", "e/f"}, {"e/f", "d"}} {
		moved := own(c[1])
		moved.Shape, moved.Kind, moved.OldPath = past.Renamed, memstore.KindDir, c[0]
		r.add(moved)
		f.step()
		if got := f.feed.UnreadPaths(); !maps.Equal(got, map[string]int{c[1] + "/a": 1, "da": 1}) {
			t.Errorf("after the move to %s: %v", c[1], got)
		}
	}
	f.feed.ReadBelow("d")
	if got := f.feed.UnreadPaths(); !maps.Equal(got, map[string]int{"da": 1}) {
		t.Errorf("then %v is unread", got)
	}
}

// The unread revisions are read again at times, and then may be newer than the news: all of them are read by approving all.
func TestApprovingAllReachesWhatIsNoNewsYet(t *testing.T) {
	r := &record{}
	r.add(edited("a"))
	f := follow(t, r)
	r.state.Flags++
	f.step()
	r.add(edited("b"))
	f.step()
	f.holds("[]", "[1 2]")
	if upTo := f.feed.readAll(0); upTo != 2 {
		t.Errorf("all up to %d is read", upTo)
	}
	f.step()
	f.holds("[2]", "[]")
}

// An answer that was asked for before a mark was recorded does not take the mark back.
func TestAnOlderAnswerTakesNoMarkBack(t *testing.T) {
	r := &record{}
	r.add(edited("a"))
	f := follow(t, r)
	r.state.Flags++ // another change of marks: the unread revisions are read again
	f.step()
	older := f.next()
	f.feed.Read(1)
	r.rows[0].Unread = false
	r.state.Flags++
	f.feed.recorded([]int64{1}, 0)
	f.feed.Take(older)
	f.holds("[]", "[]")
	f.arm()
	f.step()
	f.step()
	f.holds("[]", "[]")
	r.rows[0].Unread = true // another program takes it back
	r.state.Flags++
	f.step()
	f.step()
	f.holds("[]", "[1]")
}
