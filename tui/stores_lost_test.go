package tui

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
)

// lostStores are those of listed, and two of which only the journal remains: one has moved.
func lostStores() *Stores {
	s := listed()
	list := s.fake().list
	s.fake().list = func(ctx context.Context, report func(FoundStore)) error {
		for _, now := range []string{"", "/home/ann/.codex/memories"} {
			f := discover.Found{Path: "/home/ann/lost" + now, Dir: "/home/ann/lost" + now, Kind: discover.KindDir, Missing: true, Counted: true}
			row := FoundStore{Real: f.Path, Row: overview.Row{Found: f, State: overview.Missing, Problems: []string{overview.TextLost},
				Done: overview.Everything, Lost: &overview.Lost{Found: f, Now: now, Seen: time.Date(2026, 11, 12, 9, 0, 0, 0, time.UTC)}}}
			report(row)
		}
		return list(ctx, report)
	}
	return s
}

// A store whose folder is gone offers to restore it, to take over its journal where it is now, and to forget it.
func TestLostStores(t *testing.T) {
	for _, size := range [][2]int{{120, 35}, {80, 24}, {40, 14}} {
		var recovered, forgot atomic.Int32
		s := lostStores()
		s.fake().recover = func(_ context.Context, row FoundStore) (string, error) {
			if recovered.Add(1); row.Lost.Now != "" {
				return row.Lost.Now, nil
			}
			return "", errors.New("Can't create /home/ann/lost: permission denied")
		}
		s.fake().forget = func(FoundStore) error {
			forgot.Add(1)
			return nil
		}
		d := start(t, setup{storeless: true, w: size[0], h: size[1], theme: dark, stores: s})
		d.sees("ferry")
		d.press("D")
		d.sees("Nothing to forget")
		d.press("f")
		d.types("is:missing")
		d.press("enter")
		d.sees("missing")
		d.sees("enter restore")
		d.press("enter")
		d.sees("Restore the files of ~/lost?")
		d.press("n")
		d.press("enter", "y")
		d.sees("Can't create /home/ann/lost")
		d.press("j", "enter")
		d.sees("Take over the journal")
		d.press("y")
		d.sees("Can't read /home/ann/.codex") // it is opened
		if recovered.Load() != 2 {
			t.Errorf("%d stores were brought back", recovered.Load())
		}
		d.press("f", "ctrl+u")
		d.types("is:missing")
		d.press("enter", "g", "D")
		d.sees("Forget ~/lost")
		d.sees("It will no longer be listed")
		d.press("y")
		d.sees("Forgot ~/lost. Its journal stays")
		if forgot.Load() != 1 {
			t.Error("nothing was forgotten")
		}
	}
}
