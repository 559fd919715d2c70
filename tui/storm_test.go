package tui

import (
	"fmt"
	"testing"
	"time"

	"memcurator/memstore"
)

// A hundred changes a second while the user scrolls: each key counts, the place stays the
// user's, and every change arrives.
func TestNoKeyIsLostInAStormOfChanges(t *testing.T) {
	t.Parallel()
	const changes = 200
	d := start(t, setup{dir: files(t, map[string]string{"a.md": numbered(2000), "log.md": "start\n"}), w: 110, h: 30, theme: dark})
	d.opens("/memories/a.md")
	stormed := make(chan struct{})
	go func() {
		defer close(stormed)
		for i := range changes {
			r := d.agent.Do(t.Context(), memstore.Command{Name: memstore.CmdInsert, Path: "/memories/log.md", InsertLine: 0, InsertText: fmt.Sprintf("entry %d\n", i)})
			if r.IsError {
				t.Error(r.Content)
				return
			}
			time.Sleep(10 * time.Millisecond) // the pace of the storm
		}
	}()
	for pressed := 1; ; pressed++ {
		d.take(keyPress("j"))
		for len(d.messages) > 0 { // what came in meanwhile, as the toolkit would take it
			d.take(<-d.messages)
		}
		if want := fmt.Sprintf("%d/2001", pressed); d.browse().View.Place() != want {
			t.Fatalf("after %d keys the place is %s", pressed, d.browse().View.Place())
		}
		if d.browse().View.Path() != "/memories/a.md" {
			t.Fatalf("the view went to %s", d.browse().View.Path())
		}
		select {
		case <-stormed:
			d.until("every change is listed", func() bool {
				_, ok := d.m.feed.LastOf("/memories/log.md")
				return ok && len(d.m.feed.Unread()) > 0
			})
			d.run(d.browse().Select("/memories/log.md", true))
			d.sees(fmt.Sprintf("entry %d", changes-1))
			return
		case <-time.After(2 * time.Millisecond):
		}
		if pressed >= 1900 {
			<-stormed
			return
		}
	}
}
