package secrets

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// purgeWord is what the user types before a purge, which has no undo.
const purgeWord = "purge"

// busy reports whether values are being removed.
func (s *Screen) busy() bool { return s.env.Jobs.Running(ownerRemoval) }

// refuses reports whether removals are impossible now, and says why.
func (s *Screen) refuses() bool { return s.o.Scrubbing == nil || s.busy() || s.edits.RefusesRemoval() }

// scrubber removes values from the store, as they are chosen now.
func (s *Screen) scrubber() *findings.Scrubber {
	o := s.o.Scrubbing
	return &findings.Scrubber{
		Engine: s.engine, State: o.State, Store: s.Handlers, Journal: s.Journal,
		StateDir: o.StateDir, Dir: o.Dir,
	}
}

// ask asks how to remove the chosen values.
func (s *Screen) ask() tea.Cmd {
	secrets := s.chosen()
	if s.refuses() {
		return nil
	}
	if len(secrets) == 0 {
		s.shell.Tell(kit.Info, s.env.Keyed("Nothing selected. {list/mark} selects, {list/mark-all} selects all"))
		return nil
	}
	files := filesOf(secrets)
	if files == 0 { // only older versions have them
		return s.askPurge(secrets)
	}
	redact := fmt.Sprintf("Redact in %s; %s undoes; older versions keep the value", kit.CountGrouped(files, "file"), s.edits.UndoKey())
	s.shell.Open(kit.Box{
		Overlay: overlay.NewQuestionIn(s.env, "Redact "+s.called(secrets)+"?", s.names(secrets), keymap.TakeOut).Label(keymap.FilesOnly, redact).
			Label(keymap.Yes, "Purge everywhere"+s.env.Styles.Glyphs.Ellipsis),
		Answers: map[keymap.ID]func() tea.Cmd{
			keymap.FilesOnly: func() tea.Cmd { return s.redact(secrets) },
			keymap.Yes:       func() tea.Cmd { return s.askPurge(secrets) },
		},
	})
	return nil
}

// filesOf counts the files that hold one of some values now.
func filesOf(secrets []*findings.Secret) int {
	seen := map[string]bool{}
	for _, secret := range secrets {
		for i := range secret.Places {
			if !secret.Places[i].Past {
				seen[secret.Places[i].Path] = true
			}
		}
	}
	return len(seen)
}

// askPurge says what a purge reaches and what it doesn't, and asks for the word.
func (s *Screen) askPurge(secrets []*findings.Secret) tea.Cmd {
	values := kit.CountGrouped(len(secrets), "value")
	live, past := 0, 0
	for _, secret := range secrets {
		live, past = live+secret.Live, past+len(secret.Places)-secret.Live
	}
	var out strings.Builder
	out.WriteString("This cannot be undone, not even from older versions.\n" + values + ": " + countText(live, past) + ".\n")
	out.WriteString("\nNot reached: backups, git commits, the model provider's logs.\nTranscripts are searched, not changed.\n")
	if n := len(s.aside); n > 0 {
		copies := kit.CountGrouped(n, "older copy of the journal", "older copies of the journal")
		out.WriteString("Also deletes " + copies + ", which can't be redacted.\n")
	}
	seen := map[string]bool{}
	for _, secret := range secrets {
		class := s.engine.Class(secret.Class)
		if class.Rotate != "" && !seen[class.Name] {
			seen[class.Name] = true
			out.WriteString("\n" + class.Title + ": change or revoke it too.")
		}
	}
	s.shell.AskWord("Purge "+values+" everywhere?", strings.TrimRight(out.String(), "\n"), purgeWord, "Purge "+values, func() tea.Cmd {
		return s.purge(secrets)
	})
	return nil
}

// redact redacts values in files, which undo restores.
func (s *Screen) redact(secrets []*findings.Secret) tea.Cmd {
	var done *findings.Done
	return s.remove("redacting", func(ctx context.Context, worker *findings.Scrubber) (err error) {
		worker.Accept(secrets)
		done, err = worker.Redact(ctx)
		return err
	}, func(err error) {
		switch {
		case errors.Is(err, context.Canceled):
			s.shell.Tell(kit.Warn, s.env.Keyed("Stopped. {global/undo} undoes what is done"))
		case err != nil:
			s.tellFailed(done, err, "")
		case done.Files+done.Names == 0 && len(done.Failed) > 0:
			left := done.Failed[0]
			s.shell.Tell(kit.Warn, "Nothing redacted: "+kit.PathText(left.Path)+" "+left.Why.Sentence())
		default:
			s.shell.Tell(kit.Info, redactedText(len(secrets), done)+s.env.Keyed(". {global/undo} undoes; older versions keep the value"))
		}
	})
}

// redactedText is the message at the end of a redaction.
func redactedText(values int, done *findings.Done) string {
	out := fmt.Sprintf("Redacted %s in %s", kit.CountGrouped(values, "value"), kit.CountGrouped(done.Files, "file"))
	if done.Names > 0 {
		out += ", renamed " + kit.CountGrouped(done.Names, "file")
	}
	switch n := len(done.Failed); {
	case n == 1:
		out += "; " + kit.PathText(done.Failed[0].Path) + " " + done.Failed[0].Why.Sentence()
	case n > 1:
		out += "; can't read or change " + kit.CountGrouped(n, "file")
	}
	return out
}

// tellFailed says that a removal failed after some of the files.
func (s *Screen) tellFailed(done *findings.Done, err error, next string) {
	s.shell.Tell(kit.Fail, fmt.Sprintf("Can't continue after %s: %s%s", kit.CountGrouped(done.Files, "file"), act.Reason(err), s.env.Keyed(next)))
}

// purge starts a purge. A purge that was stopped may have rewritten files.
func (s *Screen) purge(secrets []*findings.Secret) tea.Cmd {
	var out *findings.Purged
	count := int64(-1)
	return s.remove("purging", func(ctx context.Context, worker *findings.Scrubber) (err error) {
		worker.Accept(secrets)
		if out, err = worker.Purge(ctx); worker.Journal != nil {
			if now, err := worker.Journal.State(context.Background()); err == nil {
				count = now.Purges
			}
		}
		return err
	}, func(err error) {
		s.edits.Irrevocable()
		s.purges = max(s.purges, count)
		s.env.Emit(act.Purged{})
		s.env.Emit(kit.Call(func() tea.Cmd { // after Purged, which drops messages too
			s.tellPurged(out, err)
			return nil
		}))
	})
}

// tellPurged reports a purge: a message where nothing remains, else a list.
func (s *Screen) tellPurged(out *findings.Purged, err error) {
	switch {
	case errors.Is(err, context.Canceled) && out.Journal.Number > 0:
		s.shell.Tell(kit.Warn, s.env.Keyed("Purged, not verified. {global/refresh} scans again"))
	case errors.Is(err, context.Canceled):
		s.shell.Tell(kit.Warn, s.env.Keyed("Purge stopped before history was rewritten. {global/refresh} scans again"))
	case err != nil:
		s.tellFailed(&out.Done, err, "")
	default:
		if !clean(out) {
			s.showLeft(out)
			return
		}
		s.shell.Tell(kit.Info, fmt.Sprintf("Purged %s. Searched %s: no trace left", kit.CountGrouped(out.Asked, "value"),
			kit.CountGrouped(out.Left.Files, "version")))
	}
}

// outcome is how the work of a job went, which reports its own errors.
type outcome struct{ err error }

// remove does work in a job that esc stops between two files; what is done stays. done reports it.
func (s *Screen) remove(label string, work func(context.Context, *findings.Scrubber) error, done func(error)) tea.Cmd {
	worker, engine, machine := s.scrubber(), s.o.Scrubbing.Engine, s.o.Scrubbing.Machine
	s.env.Jobs.Cancel(ownerScan)
	return kit.Start(s.env.Jobs, kit.Job[outcome]{
		Owner: ownerRemoval, Label: label, Write: true,
		Work: func(ctx context.Context, p *kit.Progress) (outcome, error) {
			if worker.Engine == nil {
				worker.Engine = engine()
			}
			if worker.StateDir != "" {
				worker.Transcripts = machine.ProjectTranscripts(ctx, worker.Dir)
			}
			worker.Report = func(_ findings.Step, done, all int) { p.Set(int64(done), int64(all)) }
			return outcome{work(ctx, worker)}, nil
		},
		Done: func(out outcome) tea.Cmd {
			if out.err == nil {
				s.list.ClearSelection()
			}
			done(out.err)
			s.env.Emit(act.Changed{})
			s.env.Emit(kit.Call(s.scan)) // after a purge is forgotten, which ends scans
			return nil
		},
	})
}

// PurgedElsewhere takes the number of purges of the journal, and reports whether there was one by another program. This
// program learns of its own when they end.
func (s *Screen) PurgedElsewhere(count int64) bool {
	if s.busy() || count <= s.purges {
		return false
	}
	s.purges = count
	return true
}

// Recover reads, at the start, what was purged.
func (s *Screen) Recover() tea.Cmd {
	if s.Journal == nil || s.o.Scrubbing == nil {
		return nil
	}
	stateDir := s.o.Scrubbing.StateDir
	return kit.Start(s.env.Jobs, kit.Job[*findings.PurgedValues]{
		Owner: ownerLeft, Label: kit.LabelOpen,
		Work: func(context.Context, *kit.Progress) (*findings.PurgedValues, error) {
			return s.readPurged(stateDir), nil
		},
		Done: func(purged *findings.PurgedValues) tea.Cmd {
			s.setPurged(purged)
			return nil
		},
	})
}
