package findings

import (
	"context"
	"fmt"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
)

// An agent in another process keeps editing during a purge, and writes the value again now and then. None of its
// edits is lost or refused, the purge ends, and its report of what remains is complete.
func TestAnAgentKeepsWritingDuringAPurge(t *testing.T) {
	d := newDesk(t)
	token := secretOf(40)
	d.fill(31, 3)
	d.write("own.md", "token: "+token+"\n")
	other := &desk{t: t, dir: d.dir, state: d.state}
	other.open()
	defer other.close()
	stopped, edits := make(chan struct{}), 0
	go func() {
		defer close(stopped)
		for edits < 60 {
			text := fmt.Sprintf("edit %d\n", edits)
			if edits%7 == 0 {
				text += "token: " + token + "\n"
			}
			ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Session: "agent B"})
			if r := other.agent.Create(ctx, fmt.Sprintf("/memories/b%d.md", edits%7), text); r.IsError {
				t.Errorf("edit %d: %s", edits, r.Content)
				return
			}
			other.agent.View(ctx, "/memories/own.md", nil)
			edits++
		}
	}()
	s := d.scrubber()
	s.Accept(d.scan().Groups)
	done, err := s.Purge(context.Background())
	d.must(err)
	<-stopped
	list, err := past.Revisions(context.Background(), d.journal, past.Filter{})
	d.must(err)
	recorded := 0
	for _, r := range list {
		if r.Session == "agent B" {
			recorded++
		}
	}
	if recorded != edits {
		t.Errorf("%d edits, %d recorded", edits, recorded)
	}
	if done.Journal.Number < 1 || done.Left == nil {
		t.Errorf("%+v", done)
	}
	// Once the agent is idle, one more purge removes what it wrote since.
	s = d.scrubber()
	s.Accept(d.scan().Groups)
	s.accept[token], s.sure[token] = "github-token", scrub.Shaped
	if done, err = s.Purge(context.Background()); err != nil || len(done.Left.Left) > 0 {
		t.Errorf("%+v, %v", done.Left, err)
	}
	look := newDetective(t, []string{token})
	look.tree(d.dir)
	look.tree(d.state)
	if r, err := d.journal.Check(context.Background()); err != nil || !r.OK() {
		t.Errorf("%+v, %v", r, err)
	}
}
