package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/edits"
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
	case s.era.past():
		return ui.Say{Text: s.Env.Keyed("Verify works in the present only. {global/travel} returns")}
	}
	return ui.Say{}
}

// verified is the outcome of a job on some files.
type verified struct {
	paths         []string
	before, after map[string]time.Time // zero: not verified
	forgot        bool
}

// what names the files.
func (v *verified) what() string {
	if len(v.paths) > 1 {
		return ui.Count(len(v.paths), "file")
	}
	return text.Clean(ui.PathText(v.paths[0]))
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
			what := v.what()
			said := "Verified " + what + ". :verify again forgets it"
			if v.forgot {
				said = "Forgot that " + what + " was verified. :verify keeps it again"
				if len(v.paths) > 1 {
					said = "Forgot that " + what + " were verified. :verify keeps it again"
				}
			}
			s.shell.Tell(ui.Info, said)
			return tea.Batch(s.Tree.Verify(v.after), s.Edits.Beside(edits.Beside{
				Owner: ownerVerify,
				Undo:  func() tea.Cmd { return s.set(v.before, s.undid(&v)) },
				Redo:  func() tea.Cmd { return s.set(v.after, s.redid(&v)) },
			}))
		},
	})
}

func (s verification) undid(v *verified) string {
	said := "Undid the verification of " + v.what()
	if key := s.Edits.UndoKeys().Redo; key != "" {
		said += ". " + key + " redoes"
	}
	return said
}

func (s verification) redid(v *verified) string {
	said := "Redid the verification of " + v.what()
	if key := s.Edits.UndoKeys().Undo; key != "" {
		said += ". " + key + " undoes"
	}
	return said
}

// set records when files were verified.
func (s verification) set(at map[string]time.Time, said string) tea.Cmd {
	j := s.Journal
	return edits.Do(s.Edits, edits.Edit[struct{}]{
		Label: ui.LabelJournal,
		Work:  func(ctx context.Context, _ *ui.Progress) (struct{}, error) { return struct{}{}, j.Verify(ctx, at) },
		Done: func(struct{}) tea.Cmd {
			s.shell.Tell(ui.Info, said)
			return s.Tree.Verify(at)
		},
	})
}

// verifier is the part of a record that keeps what is verified.
type verifier interface {
	Facts(ctx context.Context, visit func(past.Fact) bool) error
	Verify(ctx context.Context, at map[string]time.Time) error
}

func verifyFiles(ctx context.Context, j verifier, paths []string, now time.Time) (verified, error) {
	chosen, before, standing := map[string]time.Time{}, map[string]time.Time{}, 0
	for _, path := range paths {
		chosen[path], before[path] = now, time.Time{}
	}
	err := j.Facts(ctx, func(f past.Fact) bool {
		if _, ok := chosen[f.Path]; ok && f.Stands() {
			standing++
			before[f.Path] = f.Verified
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
	return verified{paths, before, chosen, forgot}, j.Verify(ctx, chosen)
}

// files are the files that are selected in the tree or below a selected folder, else the one at the cursor.
func (s verification) files() (paths []string) {
	chosen := s.Tree.Selection.Paths()
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
