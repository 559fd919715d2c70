package timeline

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/feed"
	"memcurator/tui/kit/panetest"
)

// unreadRecord lists two unread revisions.
type unreadRecord struct{}

func (unreadRecord) List(_ context.Context, f past.Filter, visit func(past.Revision) bool) error {
	for rev := int64(2); rev > 0; rev-- {
		if rev > f.After && !visit(past.Revision{Rev: rev, Path: "/memories/a", Time: time.Unix(rev, 0), Unread: true}) {
			break
		}
	}
	return nil
}

// still is a host that shows nothing.
type still struct{}

func (still) OpenRevision(past.Revision) tea.Cmd { return nil }
func (still) RowMoved() tea.Cmd                  { return nil }

// A page that was read before a mark was recorded still shows the mark when it arrives later.
func TestAMarkOutlivesAPageThatWasReadBeforeIt(t *testing.T) {
	env := panetest.NewEnv(t, theme.Options{})
	p := New(env, still{}, Options{Owner: "list", Source: unreadRecord{}, Scope: keymap.History})
	stage := panetest.New(t, p, env, 80, 10)
	stage.Run(p.SetBase(past.Filter{}))
	page := p.Reread()()
	p.Mark(&feed.Mark{Revs: []int64{1}})
	stage.Run(func() tea.Msg { return page })
	for rev, want := range map[int64]bool{1: false, 2: true} {
		if r, ok := p.Row(rev); !ok || r.Unread != want {
			t.Errorf("#%d: %v, unread %v", rev, ok, r.Unread)
		}
	}
	page = p.Reread()()
	p.Mark(&feed.Mark{Revs: []int64{1}, Unread: true})
	stage.Run(func() tea.Msg { return page })
	if r, _ := p.Row(1); !r.Unread {
		t.Error("the newest mark did not win")
	}
}
