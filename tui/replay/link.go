package replay

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// WhyNoCall says why a revision can't be traced to its call; empty: it may be.
func (s *Screen) WhyNoCall(r past.Revision) kit.Say {
	switch {
	case r.Actor == memstore.Curator:
		return kit.Say{Text: "Your own change, so no transcript has it"}
	case s.IsEmpty() && s.Places == nil:
		return kit.Say{Text: s.env.Keyed(textNoTranscript)}
	}
	return kit.Say{}
}

// JumpFrom goes to the call that made a revision, in the transcripts that are open or in those beside the store.
func (s *Screen) JumpFrom(find act.Finder) tea.Cmd {
	if s.edits.Journal == nil || find == nil {
		return s.edits.NoRevision()
	}
	return kit.Start(s.env.Jobs, kit.Job[past.Revision]{
		Owner: ownerJump, Label: kit.LabelJournal, Done: s.jump,
		Work: func(ctx context.Context, _ *kit.Progress) (past.Revision, error) { return find(ctx) },
	})
}

const textNoTranscript = "No transcript of this change was found. {global/replay} lists all"

// jump goes to the call that made a revision.
func (s *Screen) jump(r past.Revision) tea.Cmd {
	track := s.read.track
	switch {
	case s.IsEmpty():
		return s.openSession(r)
	case track == nil: // it is being read
		s.wanted = &r
		return s.shell.Show(keymap.ScreenReplay)
	}
	return kit.Start(s.env.Jobs, kit.Job[int]{
		Owner: ownerJump, Label: "finding the call",
		Work: func(ctx context.Context, _ *kit.Progress) (int, error) { return track.Made(r), ctx.Err() },
		Done: func(call int) tea.Cmd {
			switch {
			case call == 0 && r.Session != "" && s.sought != r.Rev:
				return s.openSession(r)
			case call == 0:
				s.sought = 0
				s.shell.Tell(kit.Info, s.env.Keyed(textNoTranscript))
				return nil
			}
			s.sought, s.listing, s.detail.aspect = 0, false, asResult
			return tea.Batch(s.shell.Show(keymap.ScreenReplay), s.GoTo(call))
		},
	})
}

// openSession opens the transcript of the session that made a revision, and goes to its call: the one of this machine that is named as
// the session, as agents do, else those of the store.
func (s *Screen) openSession(r past.Revision) tea.Cmd {
	s.sought = r.Rev
	if s.Places == nil {
		s.shell.Tell(kit.Info, s.env.Keyed(textNoTranscript))
		return nil
	}
	places, empty := *s.Places, s.IsEmpty()
	return kit.Start(s.env.Jobs, kit.Job[[]string]{
		Owner: ownerJump, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *kit.Progress) (files []string, _ error) {
			for _, t := range places.Machine.AllTranscripts(ctx, places.Store) {
				if name := filepath.Base(t.File); r.Session != "" && strings.TrimSuffix(name, filepath.Ext(name)) == r.Session {
					files = append(files, t.File)
				}
			}
			if len(files) == 0 && empty {
				files = places.Machine.Transcripts(ctx, places.Store)
			}
			return files, ctx.Err()
		},
		Done: func(files []string) tea.Cmd {
			if len(files) == 0 {
				s.shell.Tell(kit.Info, s.env.Keyed(textNoTranscript))
				return nil
			}
			s.wanted = &r
			return s.Open(Source{Files: files})
		},
	})
}

// learn links the transcript that was read with the journal, and goes to the call that was wanted before.
func (s *Screen) learn() (jump tea.Cmd) {
	if s.wanted != nil {
		jump = s.jump(*s.wanted)
		s.wanted = nil
	}
	j, track := s.edits.Journal, s.read.track
	if j == nil || s.edits.ReadOnly || s.Unlinked {
		return jump
	}
	return tea.Batch(jump, kit.Start(s.env.Jobs, kit.Job[int]{
		Owner: ownerLearn, Label: "linking transcript and journal",
		Work: func(ctx context.Context, _ *kit.Progress) (int, error) { return transcript.Learn(ctx, track, j) },
		Done: func(revisions int) tea.Cmd {
			if revisions > 0 {
				s.shell.Report(kit.Info, s.env.Keyed("Linked "+kit.Count(revisions, "change")+" to these calls. {global/call-of} on a change shows its call"))
				s.env.Emit(act.Changed{})
			}
			return nil
		},
	}))
}

// TextNoStore refuses what needs a store beside the transcript.
const TextNoStore = "No store is open. memcurator replay --dir DIR FILE opens one"

// askPut asks whether to restore the file that is shown as it was after the call, from the tab with the memory all files, to the store that
// is open.
func (s *Screen) askPut() tea.Cmd {
	r, ok := s.calls.current()
	track, store, path := s.read.track, s.edits.Handlers, s.detail.Path()
	what, below := kit.PathText(path), []string{path}
	if s.detail.shown() == asMemory {
		what, below = "the whole memory", nil
	}
	f, exists := transcript.File{}, true
	if ok && below != nil {
		f, exists = track.File(path, r.number)
	}
	why := ""
	switch {
	case !ok:
		why = textNoSuchCall
	case !exists:
		why = textNoFileThen
	case f.Unknown:
		why = "Can't restore it: the transcript never shows its content"
	case s.Unlinked:
		why = TextNoStore
	}
	if why != "" {
		s.shell.Tell(kit.Info, why)
		return nil
	}
	places, from := s.Places, r.Source.File
	return kit.Start(s.env.Jobs, kit.Job[restores]{
		Owner: ownerPut, Label: "comparing with the store",
		Work: func(context.Context, *kit.Progress) (out restores, err error) {
			out.from, out.other = from, otherMemory(places, from)
			out.list, err = track.Restores(store.Backend(), r.number, below...)
			return out, err
		},
		Done: func(found restores) tea.Cmd {
			if len(found.list) == 0 {
				s.shell.Tell(kit.Info, "The store has it as it was then")
				return nil
			}
			title := "Restore " + what + " as of call " + kit.Number(r.number) + "?"
			s.shell.Ask(title, s.restoreText(found), func() tea.Cmd { return s.put(what, found.list) })
			return nil
		},
	})
}

// restores is what can be restored of a transcript.
type restores struct {
	list  []transcript.Restore
	from  string // the transcript
	other string // the memory that it is of, see [otherMemory]
}

// otherMemory is the memory that a transcript is of, unless that is the store that is open, or unknown. It does I/O.
func otherMemory(places *Places, file string) string {
	if places == nil {
		return ""
	}
	of := places.Machine.StoreOf(file)
	if open, err := filepath.EvalSymlinks(places.Store); err == nil && of == open {
		return ""
	}
	return of
}

// mostAsked is how many files a question names.
const mostAsked = 8

// restoreText says what is going to be written.
func (s *Screen) restoreText(found restores) string {
	var b strings.Builder
	list, from, other := found.list, found.from, found.other
	if s.Places != nil {
		from, other = text.Tilde(from, s.Places.Machine.Home), text.Tilde(other, s.Places.Machine.Home)
	}
	if other != "" {
		fmt.Fprintf(&b, "The transcript is of another memory: %s\n\n", text.Clean(other))
	}
	fmt.Fprintf(&b, "From %s:\n\n", text.Clean(from))
	for _, r := range list[:min(len(list), mostAsked)] {
		does := "a new file"
		if r.Replaces {
			does = "replaces the file"
		}
		fmt.Fprintf(&b, "%s  %s, %s\n", text.Clean(r.Path), memstore.FormatSize(s.edits.Handlers.Dialect(), int64(len(r.Data))), does)
	}
	if more := len(list) - mostAsked; more > 0 {
		fmt.Fprintf(&b, "and %s more\n", kit.Count(more, "file"))
	}
	fmt.Fprintf(&b, "\nInto %s. Files that only it has stay.\n\n", text.Clean(s.edits.Title))
	for _, r := range list {
		if says := s.edits.Purged.ReturnText(r.Path, r.Was, r.Data); says != "" {
			b.WriteString(text.Clean(says) + "\n")
		}
	}
	return b.String() + s.env.Keyed("The journal shows it with the actor replay. {global/undo} undoes.")
}

// put writes files of the replayed memory into the store on the screen, recorded as what they are. One undo reverts them.
func (s *Screen) put(what string, list []transcript.Restore) tea.Cmd {
	store := s.edits.Handlers
	return kit.Start(s.env.Jobs, kit.Job[string]{
		Owner: ownerPut, Label: "writing", Write: true,
		Work: func(ctx context.Context, _ *kit.Progress) (string, error) {
			for _, r := range list {
				if result := r.Put(ctx, store); result.IsError {
					return result.Content, nil
				}
			}
			return "", nil
		},
		Done: func(failed string) tea.Cmd {
			if failed != "" {
				s.shell.Tell(kit.Fail, failed)
				return nil
			}
			s.shell.Tell(kit.Info, "Restored "+what+s.env.Keyed(". {global/undo} undoes"))
			return nil
		},
	})
}
