package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// full lets everything that the journal writes fail as on a full disk, or lets it go again. What is written into the reserve
// needs no room.
func (d *desk) full(is bool) {
	d.t.Helper()
	limit := "PRAGMA max_page_count=1073741823"
	if is {
		d.j.Flush()
		limit = "PRAGMA max_page_count=1" // SQLite takes the present size
	}
	d.j.mu.Lock()
	defer d.j.mu.Unlock()
	_, err := d.j.write.Row(limit, nil, new(int64))
	d.must(err)
	d.j.reserve.mu.Lock()
	d.j.reserve.next = time.Time{}
	d.j.reserve.mu.Unlock()
	if !is {
		return
	}
	// Use up the pages that are free within the present size.
	for {
		if err := d.j.write.tx(context.Background(), false, func() error {
			return d.j.write.Do("INSERT INTO blob (size, codec, data) VALUES (3000, 0, zeroblob(3000))")
		}); err != nil {
			break
		}
	}
}

// crowded is a journal that has no more room, with a few edits by an agent.
func crowded(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), state: t.TempDir()}
	d.open(Options{Warn: func(err error) {
		if !errors.Is(err, past.ErrFull) {
			t.Errorf("the journal warns: %v", detail(err))
		}
	}})
	t.Cleanup(d.close)
	d.do(create("/memories/old.md", "old\n"))
	d.do(create("/memories/dir/a.md", "a\n"))
	d.do(create("/memories/dir/b.md", "b\n"))
	d.reconcile()
	for i := 0; !fileIs(filepath.Join(d.state, "reserve.bin"), 256<<10) && i < 500; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	d.full(true)
	return d
}

func fileIs(at string, size int64) bool {
	info, err := os.Stat(at)
	return err == nil && info.Size() == size
}

// byAgent runs commands that an agent sends in a session.
func (d *desk) byAgent(list ...memstore.Command) {
	d.t.Helper()
	for i, c := range list {
		ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: "tester", Session: "session 7", Model: "m-1", ToolUseID: fmt.Sprint("call ", i)})
		if r := d.store.Do(ctx, c); r.IsError {
			d.t.Fatal(r.Content)
		}
	}
}

// bulky is a text that needs pages of its own.
var bulky = func() string {
	r := rand.New(rand.NewPCG(3, 3))
	var b strings.Builder
	for range 500 {
		fmt.Fprintf(&b, "%016x\n", r.Uint64())
	}
	return b.String()
}()

var crowd = []memstore.Command{
	create("/memories/new.md", bulky),
	replace("/memories/old.md", "old", "changed"),
	rename("/memories/dir", "/memories/moved"),
	replace("/memories/old.md", "changed", "changed again"),
	remove("/memories/moved/b.md"),
	create("/memories/brief.md", "brief\n"),
	remove("/memories/brief.md"),
}

var crowdStory = []string{
	"tester create /memories/new.md", "tester str_replace /memories/old.md", "tester rename /memories/dir /memories/moved",
	"tester str_replace /memories/old.md", "tester delete /memories/moved/b.md", "tester create /memories/brief.md", "tester delete /memories/brief.md",
}

// told looks at what the past says once there was room again.
func (d *desk) told() {
	d.t.Helper()
	if got := d.story()[3:]; len(got) < len(crowdStory) || strings.Join(got[:len(crowdStory)], "|") != strings.Join(crowdStory, "|") {
		d.t.Errorf("the past says %q", got)
	}
	for i, r := range d.revisions()[3 : 3+len(crowdStory)] {
		if r.Session != "session 7" || r.Model != "m-1" || r.ToolUseID != fmt.Sprint("call ", i) || time.Since(r.Time) > time.Minute {
			d.t.Errorf("revision %d is of session %q, model %q, call %q, %v", r.Rev, r.Session, r.Model, r.ToolUseID, r.Time)
		}
	}
	for _, name := range []string{"new.md", "old.md"} {
		want, err := os.ReadFile(filepath.Join(d.dir, name))
		d.must(err)
		list, err := past.Revisions(context.Background(), d.j, past.Filter{Path: "/memories/" + name, Newest: true, Limit: 1})
		d.must(err)
		if got, err := d.j.Bytes(context.Background(), list[0].After); err != nil || !bytes.Equal(got, want) {
			d.t.Errorf("%s: %v", name, err)
		}
	}
	if rep := d.check(); !rep.OK() || rep.Open > 0 {
		d.t.Errorf("%+v", rep)
	}
	data, err := os.ReadFile(filepath.Join(d.state, "reserve.bin"))
	d.must(err)
	if bytes.Contains(data, []byte("brief.md")) || bytes.Contains(data, []byte("session")) || len(data) != 256<<10 {
		d.t.Error("the reserve holds names although nothing waits in it")
	}
}

// A full disk does not take the agent's name off what it does: the next edit that has room records what came before it.
func TestReserveKeepsTheAgentsName(t *testing.T) {
	d := crowded(t)
	d.byAgent(crowd...)
	if !d.j.reserve.Pending() {
		t.Fatal("nothing waits in the reserve: the disk was not full")
	}
	d.full(false)
	d.do(create("/memories/later.md", "later\n"))
	if got := d.story(); len(got) != 11 || got[10] != "agent create /memories/later.md" {
		t.Fatalf("the past says %q", got)
	}
	d.told()
	d.reconcile()
}

// TestReserveSurvivesKill: the process is killed in the middle of the full disk, and the next start has room.
func TestReserveSurvivesKill(t *testing.T) {
	d := crowded(t)
	d.byAgent(crowd...)
	if !d.j.reserve.Pending() {
		t.Fatal("nothing waits in the reserve: the disk was not full")
	}
	d.die()
	d.open(Options{})
	d.told()
	d.reconcile()
	d.told()
}

// What was taken over is not taken over again where the process is killed before it can empty the reserve.
func TestReserveIsTakenOverOnce(t *testing.T) {
	d := crowded(t)
	d.byAgent(crowd...)
	at := filepath.Join(d.state, "reserve.bin")
	was, err := os.ReadFile(at)
	d.must(err)
	d.full(false)
	d.reconcile()
	d.told()
	d.die()
	d.must(os.WriteFile(at, was, 0o600))
	d.open(Options{})
	d.told()
}

// An edit that failed, and one whose process was killed before the act, are not revisions.
func TestReserveReportsTheEdits(t *testing.T) {
	d := crowded(t)
	edit := func(name, text string) func(error) {
		end, err := d.j.Begin(context.Background(), &memstore.Edit{Command: memstore.Command{Name: memstore.CmdCreate}, Time: time.Now(),
			Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/" + name, After: memstore.NewContent([]byte(text))}}})
		d.must(err)
		return end
	}
	edit("failed.md", "x"+bulky)(errors.New("no"))
	edit("killed.md", "y"+bulky)
	if !d.j.reserve.Pending() {
		t.Fatal("nothing waits in the reserve: the disk was not full")
	}
	d.die()
	d.open(Options{})
	if got := d.story(); len(got) != 3 {
		t.Errorf("the past says %q", got)
	}
}

// A reserve that is full lets go of older edits of a path before the last of any, and never of what there is room for.
func TestReserveMakesRoom(t *testing.T) {
	database := filepath.Join(t.TempDir(), fileName)
	if err := sidecar.MakeReserve(database); err != nil {
		t.Fatal(err)
	}
	r := &reserve{Reserve: sidecar.NewReserve(database)}
	defer r.Close()
	dropped, n := 0, 2000
	for i := range n {
		in := &intent{maker: maker{time: time.Now(), actor: "tester", session: "s"}, changes: []change{{kind: memstore.KindFile, shape: past.Edited, name: fmt.Sprintf("%d.md", i%200)}}}
		gone, err := r.add(in, []sides{{nil, content.Of([]byte("x"))}})
		if err != nil {
			t.Fatal(err)
		}
		dropped += gone
		if err := r.End(in.id, sidecar.Done); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := r.read()
	if err != nil || len(list)+dropped != n || len(list) < 400 {
		t.Fatalf("%d are there, %d dropped, %v", len(list), dropped, err)
	}
	last := map[string]bool{}
	for _, rec := range list {
		last[rec.in.changes[0].name] = true
		if rec.status != sidecar.Done || rec.in.actor != "tester" {
			t.Fatalf("%+v", rec)
		}
	}
	if len(last) != 200 {
		t.Errorf("of %d paths the last edit is there, want 200", len(last))
	}
}

// A purge takes the names over before it rewrites them.
func TestPurgeEmptiesTheReserve(t *testing.T) {
	d := crowded(t)
	d.byAgent(create("/memories/"+hidden+".md", hidden+bulky))
	d.gone(hidden + ".md")
	if len(leftIn(t, d.state)) == 0 {
		t.Fatal("the value is not in the reserve")
	}
	d.full(false)
	_, err := d.j.Purge(context.Background(), past.Purge{Redact: without})
	d.must(err)
	d.close()
	if found := leftIn(t, d.state); len(found) > 0 {
		t.Errorf("the value is still in %q", found)
	}
	d.open(Options{})
}

// The contents of the file are not trusted: it may be damaged.
func FuzzReserved(f *testing.F) {
	in := &intent{id: 5, maker: maker{time: time.Now(), actor: "tester", session: "s"}, changes: []change{{kind: memstore.KindFile, shape: past.Edited, name: "a.md"}}}
	f.Add(encodeReserved(in, []sides{{content.Of([]byte("a")), content.Of([]byte("b"))}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, sides, err := decodeReserved(data)
		if err == nil && len(in.changes) != len(sides) {
			t.Errorf("%d changes and %d sides", len(in.changes), len(sides))
		}
	})
}
