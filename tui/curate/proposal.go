package curate

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/lint"
	"memcurator/memstore/policy"
	"memcurator/tui/diffpane"
	"memcurator/tui/drafts"
	"memcurator/tui/edits"
	"memcurator/tui/ui"
)

// proposalUpTo bounds the notes for which a merge or a split is proposed, in bytes.
const proposalUpTo = 1 << 20

// merges reports whether an action proposes to merge two notes, splits whether to cut one in parts.
func merges(a policy.Action) bool {
	return a.Found != nil && a.Found.Rule == lint.Alike && len(a.Found.Others) > 0
}

func splits(a policy.Action) bool {
	if !prose(a.Path) {
		return false
	}
	switch a.Key {
	case "max_file_bytes", "max_file_lines", "load_lines", "load_bytes":
		return a.Group == policy.OverCap && a.Bytes <= proposalUpTo
	}
	return false
}

// prose tells by its name whether a note can be cut between two lines: one of JSON, say, would be broken.
func prose(agentPath string) bool {
	switch strings.ToLower(path.Ext(agentPath)) {
	case "", ".md", ".markdown", ".txt", ".text", ".log", ".rst", ".org", ".adoc":
		return true
	}
	return false
}

// splitMark is before the path of a part in the text of a split.
const splitMark = "==== "

// proposalOf describes the proposed text of an action to the diff.
func (s *Screen) proposalOf(a policy.Action) (diffpane.Comparison, bool) {
	store := s.Store()
	c := diffpane.Comparison{Key: fmt.Sprintf("proposal %s %s %x %s", a.Key, a.Path, a.Hash, a.Reason), Title: a.Reason, Path: a.Path}
	switch {
	case merges(a) && a.Found.Contained: // nothing to merge: what the other note has more
		c.Before = func() ([]byte, string) { return edits.ReadSmall(store, a.Path) }
		c.After = func() ([]byte, string) { return edits.ReadSmall(store, a.Found.Others[0]) }
	case merges(a):
		c.Path = a.Found.Others[0]
		c.Before = func() ([]byte, string) { return edits.ReadSmall(store, c.Path) }
		c.After = func() ([]byte, string) { return mergedText(store, a) }
	case splits(a):
		maxBytes, maxLines := s.splitLimits(a)
		c.Before = func() ([]byte, string) { return edits.ReadSmall(store, a.Path) }
		c.After = func() ([]byte, string) { return splitText(store, a.Path, maxBytes, maxLines) }
	default:
		return c, false
	}
	return c, true
}

// proposalTitle names what the diff shows.
func (s *Screen) proposalTitle() string {
	a, _ := s.list.Selected()
	switch {
	case merges(a) && a.Found.Contained:
		return "what the other note has more"
	case merges(a):
		return "proposed merge"
	}
	return "proposed split"
}

// splitLimits are what each part of a split has to keep.
func (s *Screen) splitLimits(a policy.Action) (maxBytes, maxLines int64) {
	k := s.Rules.Rule(a.Path)
	least := func(a, b int64) int64 {
		if a == 0 || b > 0 && b < a {
			return b
		}
		return a
	}
	return least(k.MaxFileBytes.Value, k.LoadBytes.Value), least(k.MaxFileLines.Value, k.LoadLines.Value)
}

// mergedText reads two notes and joins them. It does I/O.
func mergedText(store *memstore.Store, a policy.Action) ([]byte, string) {
	older, why := edits.ReadSmall(store, a.Path)
	if why != "" {
		return nil, why
	}
	newer, why := edits.ReadSmall(store, a.Found.Others[0])
	if why != "" {
		return nil, why
	}
	return lint.Merge(context.Background(), older, newer), ""
}

// splitText reads a note and cuts it in parts, one below the other. It does I/O.
func splitText(store *memstore.Store, agentPath string, maxBytes, maxLines int64) ([]byte, string) {
	data, why := edits.ReadSmall(store, agentPath)
	if why != "" {
		return nil, why
	}
	taken := func(p string) bool {
		_, err := store.Backend().Lstat(memstore.BackendName(p))
		return err == nil
	}
	parts := lint.Split(agentPath, data, maxBytes, maxLines, taken)
	if parts == nil {
		return data, ""
	}
	var out bytes.Buffer
	for i, p := range parts {
		if i > 0 {
			if n := out.Len(); n > 0 && out.Bytes()[n-1] != '\n' {
				out.WriteByte('\n')
			}
			out.WriteString(splitMark + p.Path + " ====\n")
		}
		out.Write(p.Data)
	}
	return out.Bytes(), ""
}

// partsOf cuts an edited text at its marks again.
func partsOf(first string, data []byte) []lint.Part {
	parts := []lint.Part{{Path: first}}
	for line := range bytes.Lines(data) {
		name, marked := strings.CutPrefix(strings.TrimRight(string(line), " \r\n"), splitMark)
		name, closed := strings.CutSuffix(name, " ====")
		if marked && closed {
			parts = append(parts, lint.Part{Path: strings.TrimSpace(name)})
			continue
		}
		last := &parts[len(parts)-1]
		last.Data = append(last.Data, line...)
	}
	return parts
}

const textNothingToMerge = "all of this note is in the other one: there is nothing to merge, {curate/delete-file} deletes it"

// editProposal opens the editor on the proposed text, or on the file where none is proposed. What comes back is written as any edit is;
// of a split the other parts are made with it, as one group.
func (s *Screen) editProposal() tea.Cmd {
	a, ok := s.list.Selected()
	if !ok || !merges(a) && !splits(a) {
		if why := s.edits.WhyNoWrite(); why.Text != "" {
			s.shell.Tell(why.Level, why.Text)
			return nil
		}
		return s.drafts.Edit(s.list.Path(), 0)
	}
	if merges(a) && a.Found.Contained {
		s.shell.Tell(ui.Info, s.env.Keyed(textNothingToMerge))
		return nil
	}
	if s.edits.Refuses() {
		return nil
	}
	target := a.Path
	if merges(a) {
		target = a.Found.Others[0]
	}
	store := s.Store()
	maxBytes, maxLines := s.splitLimits(a)
	return s.drafts.EditText(drafts.Request{
		Path: target,
		Text: func() ([]byte, string) {
			if merges(a) {
				return mergedText(store, a)
			}
			return splitText(store, target, maxBytes, maxLines)
		},
		Ended: func(d *drafts.Draft) tea.Cmd { return s.confirmProposal(a, d) },
		Written: func() tea.Cmd { // of a merge the other note can go
			s.shell.Tell(ui.Info, "merged into "+target+"; the other note can go now")
			return s.edits.Delete([]string{a.Path})
		},
	})
}

const (
	textWriteTitle  = "Write this text?"
	textWriteFooter = "the note as it is against what {confirm/yes} writes; {confirm/no} keeps your text in its file"
)

// confirmProposal shows what came back from the editor: leaving an editor without a change must not
// write what only the program has proposed.
func (s *Screen) confirmProposal(a policy.Action, d *drafts.Draft) tea.Cmd {
	write := func() tea.Cmd {
		if splits(a) {
			return s.writeSplit(d)
		}
		return s.drafts.Write(d)
	}
	keep := ui.Do(func() { s.shell.Tell(ui.Info, drafts.FileText(d.Path, d.Copy.File())) })
	box := diffpane.NewBox(s.env, textWriteTitle, s.env.Keyed(textWriteFooter))
	s.shell.OpenUnasked(ui.Box{Overlay: box, Answers: ui.Answers(write, keep)})
	return box.Compare(d.Path, d.Path, diffpane.InMemory(d.Opened), func() ([]byte, string) {
		data, err := d.Copy.Read(drafts.Limit)
		if err != nil {
			return nil, drafts.TextGone
		}
		return data, ""
	})
}

// writeSplit writes the parts of a split: the new files first, so that nothing is lost where one of
// them cannot be made, then the shortened note.
func (s *Screen) writeSplit(d *drafts.Draft) tea.Cmd {
	store := s.Store()
	s.splits++
	group := fmt.Sprintf("ui split %d %d", time.Now().UnixNano(), s.splits)
	return ui.Start(s.env.Jobs, ui.Job[splitResult]{
		Owner: ownerSplit, Label: "running the command", Write: true, Done: func(r splitResult) tea.Cmd { return s.splitWritten(d, r) },
		Work: func(ctx context.Context, _ *ui.Progress) (splitResult, error) {
			data, err := d.Copy.Read(drafts.Limit)
			if err != nil {
				return splitResult{unread: drafts.Unread(d, err)}, nil
			}
			parts := partsOf(d.Path, data)
			if why := wrongParts(store, parts); why != "" {
				return splitResult{why: why}, nil
			}
			sum := memstore.Sum(d.Opened)
			ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: group})
			for i := len(parts) - 1; i >= 0; i-- {
				step := memstore.Step{Kind: memstore.KindFile, Path: parts[i].Path, Data: parts[i].Data}
				if i == 0 {
					step.Expect = &sum
				}
				if err := store.Apply(ctx, step); err != nil {
					return splitResult{why: edits.LeftAloneText(step.Path, edits.Reason(err))}, nil
				}
			}
			_ = d.Copy.Remove()
			return splitResult{parts: len(parts)}, nil
		},
	})
}

// splitResult is what became of the parts of a split.
type splitResult struct {
	unread drafts.Ended // without parts and why: the text could not be read
	why    string       // why the parts were not written
	parts  int          // files that were made, the first one too
}

func (s *Screen) splitWritten(d *drafts.Draft, r splitResult) tea.Cmd {
	switch {
	case r.parts > 0:
		s.shell.Tell(ui.Info, fmt.Sprintf("%s was split into %s", d.Path, ui.Count(r.parts, "file")))
	case r.why != "":
		s.shell.Tell(ui.Warn, drafts.FileText(d.Path, d.Copy.File()))
		s.shell.Tell(ui.Fail, r.why)
	default:
		return s.drafts.Take(r.unread)
	}
	return nil
}

// wrongParts explains why parts cannot be written. It does I/O.
func wrongParts(store *memstore.Store, parts []lint.Part) string {
	seen := map[string]bool{}
	for i, p := range parts {
		if _, err := memstore.ParsePath(p.Path); err != nil || p.Path == memstore.Root {
			return "a part has no path: each begins with a line ==== /memories/NAME ===="
		}
		_, err := store.Backend().Lstat(memstore.BackendName(p.Path))
		if seen[p.Path] || i > 0 && err == nil {
			return "nothing was written: a part is to go where something is already, or was named twice"
		}
		seen[p.Path] = true
	}
	return ""
}
