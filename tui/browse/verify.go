package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

const ownerVerify = "browse.verify"

// verification keeps which files the user has verified.
type verification struct{ *Screen }

// whyNot says why nothing can be verified here.
func (s verification) whyNot() ui.Say {
	switch {
	case s.Journal == nil:
		return ui.Say{Text: "Verify needs a journal, and this store has none"}
	case s.until != 0:
		return ui.Say{Text: s.Env.Keyed("Verify works in the present only. {global/travel} returns")}
	}
	return ui.Say{}
}

// verified is the outcome of a job on some files.
type verified struct {
	paths  []string
	forgot bool
}

// toggle records that the chosen files, or those below the chosen folders, are true now. If all of them are verified, it forgets that.
func (s verification) toggle() tea.Cmd {
	paths, j, now := s.files(), s.Journal, s.Env.Now()
	if len(paths) == 0 {
		s.shell.Tell(ui.Info, "No file here to verify")
		return nil
	}
	return ui.Start(s.Env.Jobs, ui.Job[verified]{
		Owner: ownerVerify, Label: ui.LabelJournal,
		Work: func(ctx context.Context, _ *ui.Progress) (verified, error) { return verifyFiles(ctx, j, paths, now) },
		Done: func(v verified) tea.Cmd {
			what := text.Clean(ui.PathText(v.paths[0]))
			if len(v.paths) > 1 {
				what = ui.Count(len(v.paths), "file")
			}
			said := "Verified " + what + ". :verify again forgets it"
			if v.forgot {
				said = "Forgot that " + what + " was verified. :verify keeps it again"
				if len(v.paths) > 1 {
					said = "Forgot that " + what + " were verified. :verify keeps it again"
				}
			}
			s.shell.Tell(ui.Info, said)
			if v.forgot {
				now = time.Time{}
			}
			return s.Tree.Verify(v.paths, now)
		},
	})
}

// verifier is the part of a record that keeps what is verified.
type verifier interface {
	Facts(ctx context.Context, visit func(past.Fact) bool) error
	Verify(ctx context.Context, at map[string]time.Time) error
}

func verifyFiles(ctx context.Context, j verifier, paths []string, now time.Time) (verified, error) {
	chosen, standing := map[string]time.Time{}, 0
	for _, path := range paths {
		chosen[path] = now
	}
	err := j.Facts(ctx, func(f past.Fact) bool {
		if _, ok := chosen[f.Path]; ok && f.Stands() {
			standing++
		}
		return true
	})
	if err != nil {
		return verified{}, err
	}
	forgot := standing == len(paths)
	if forgot {
		for path := range chosen {
			chosen[path] = time.Time{}
		}
	}
	return verified{paths, forgot}, j.Verify(ctx, chosen)
}

// files are the files that are selected in the tree or below a selected folder, else the one at the cursor.
func (s verification) files() (paths []string) {
	chosen := s.Tree.Marked()
	if len(chosen) == 0 {
		chosen = []string{s.PathAtCursor()}
	}
	seen := map[string]bool{}
	var add func(path string, n *memstore.Node)
	add = func(path string, n *memstore.Node) {
		if n == nil || seen[path] {
			return
		}
		seen[path] = true
		if n.Kind == memstore.KindFile {
			paths = append(paths, path)
		}
		for _, c := range n.Children {
			if !c.Hidden {
				add(path+"/"+c.Name, c)
			}
		}
	}
	for _, path := range chosen {
		add(path, s.Files.Node(path))
	}
	return paths
}
