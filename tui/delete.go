package tui

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// ownerSurvey names the job that looks at what is going to be deleted or moved.
const ownerSurvey = "survey"

// survey is what was at some paths when the question about them was asked: an act that is
// decided on it does only what was named there.
type survey struct {
	tops  []targetEntry
	steps []memstore.Step // in the order of doing
	files int             // all that are no folders
	bytes int64
	into  string // agent path of a folder: they move there; "": they are deleted
}

// targetEntry is a path that an act is about, with what it holds.
type targetEntry struct {
	Path string // agent path
	What string // "1 file, 2K"
}

// whyNoRemoval says why nothing may be removed now: what could not be undone is not done, unless the program was started
// without a journal on purpose.
func (m *Model) whyNoRemoval() ui.Say {
	if why := m.whyNoWrite(); why.Text != "" {
		return why
	}
	if m.options.Journal == nil && m.options.NoJournal != "" {
		return ui.Say{Level: ui.Warn, Text: refusedText(m.options.NoJournal)}
	}
	return ui.Say{}
}

// refusedText says why something is not done that could not be taken back.
func refusedText(why string) string {
	return "not done, since it could not be undone: there is no journal (" + why + ")"
}

// refused reports whether nothing may be removed now, and says why.
func (m *Model) refused() bool { return m.told(m.whyNoRemoval()) }

// told says what is in the way and reports whether anything is.
func (m *Model) told(why ui.Say) bool {
	if why.Text != "" {
		m.tell(why.Level, why.Text)
	}
	return why.Text != ""
}

// undoKeys are the keys of undo and redo.
func (m *Model) undoKeys() undoRedoKeys {
	return undoRedoKeys{Undo: m.env.Keys.KeyFor(keymap.Global, keymap.Undo), Redo: m.env.Keys.KeyFor(keymap.Global, keymap.Redo)}
}

// undoRedoKeys are the keys of undo and redo as they are bound now; "" for none.
type undoRedoKeys struct{ Undo, Redo string }

// undoKey is the key that brings back what is going to be deleted; "" where nothing does.
func (m *Model) undoKey() string {
	if m.options.Journal == nil {
		return ""
	}
	return m.undoKeys().Undo
}

// acted lists what a key in the tree is about: the marked paths, without those that lie below
// another one, or the path under the cursor.
func (m *Model) actedOn() []string {
	marked := m.tree.Marked()
	if len(marked) == 0 {
		at, n := m.tree.Selected()
		if n == nil {
			return nil
		}
		marked = []string{at}
	}
	var out []string
	for _, p := range marked { // sorted: a folder comes before what is below it
		if p == memstore.Root {
			m.tell(ui.Info, "/memories itself stays; delete or move what is in it")
			return nil
		}
		below := false
		for _, top := range out {
			below = below || strings.HasPrefix(p, top+"/")
		}
		if !below {
			out = append(out, p)
		}
	}
	return out
}

// deleteMarked asks whether to delete what is marked.
func (m *Model) deleteMarked() tea.Cmd {
	return tea.Batch(m.goTo(onBrowse), m.look(m.actedOn(), ""))
}

// moveMarked renames or moves what is marked: of one path the new name is typed, of several the folder.
func (m *Model) moveMarked() tea.Cmd {
	list, shown := m.actedOn(), m.goTo(onBrowse)
	switch len(list) {
	case 0:
	case 1:
		name := prompt.Quote(list[0])
		m.line.Open(prompt.Command, memstore.CmdRename+" "+name+" "+name)
	default:
		m.line.Open(prompt.Command, string(keymap.Move)+" "+path.Dir(list[0])+"/")
	}
	return shown
}

// moveInto asks whether to move what is marked into a folder.
func (m *Model) moveInto(folder string) tea.Cmd {
	if m.refused() {
		return nil
	}
	if _, err := memstore.ParsePath(folder); err != nil {
		m.tell(ui.Warn, textBadPath)
		return nil
	}
	return tea.Batch(m.goTo(onBrowse), m.look(m.actedOn(), backendPath(folder)))
}

// look reads what is at the paths and then asks.
func (m *Model) look(list []string, into string) tea.Cmd {
	if len(list) == 0 {
		return nil
	}
	b, dialect := m.options.Store.Backend(), m.options.Store.Dialect()
	return m.env.Jobs.Start(ownerSurvey, "looking at what is there", func(ctx context.Context, _ *ui.Progress) (any, error) {
		s := survey{into: into}
		for _, top := range list {
			files, bytes := s.files, s.bytes
			if err := s.add(ctx, b, top); err != nil {
				if isCancelled(err) {
					return nil, err
				}
				return s, fmt.Errorf("%s", leftAloneText(top, reasonOf(err)))
			}
			what := fileText(memstore.FormatSize(dialect, s.bytes-bytes))
			if s.steps[len(s.steps)-1].Kind == memstore.KindDir {
				what = folderText(s.files-files, memstore.FormatSize(dialect, s.bytes-bytes))
			}
			s.tops = append(s.tops, targetEntry{Path: top, What: what})
		}
		return s, nil
	})
}

// leftAloneText says why one path was left alone.
func leftAloneText(path, why string) string { return text.Clean(path) + " was left alone: " + why }

// add plans to take away, or to move, what is at one path. What is in a folder goes before it:
// a folder in which something new has come stays.
func (s *survey) add(ctx context.Context, b memstore.Backend, agentPath string) error {
	name := memstore.BackendName(agentPath)
	info, err := b.Lstat(name)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	step := memstore.Step{Kind: info.Kind, Path: agentPath, Remove: true}
	if s.into != "" {
		step = memstore.Step{Kind: info.Kind, Path: s.into + "/" + path.Base(agentPath), OldPath: agentPath}
	}
	switch info.Kind {
	case memstore.KindDir:
		children, err := b.ReadDir(name)
		if err != nil {
			return err
		}
		inner := *s
		for _, c := range children {
			if err := inner.add(ctx, b, agentPath+"/"+c.Name); err != nil {
				return err
			}
		}
		s.files, s.bytes = inner.files, inner.bytes
		if s.into == "" { // a folder moves whole
			s.steps = inner.steps
		}
	case memstore.KindFile:
		sum, err := digestOf(b, name)
		if err != nil {
			return err
		}
		step.Expect = &sum
		s.bytes += info.Size
		s.files++
	default:
		s.files++
	}
	s.steps = append(s.steps, step)
	return nil
}

// digestOf reads a whole file.
func digestOf(b memstore.Backend, name string) (sum memstore.Digest, err error) {
	f, err := b.Open(name, memstore.Look)
	if err != nil {
		return sum, err
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, info.Size)); err != nil {
		return sum, err
	}
	return memstore.Digest(h.Sum(nil)), nil
}

const (
	textAskMove   = "{confirm/yes} moves, {confirm/no} leaves it."
	targetsListed = 8 // names in a question
)

// surveyed asks, with the names and the bytes of what was found.
func (m *Model) surveyed(done ui.Done) tea.Cmd {
	s, ok := done.Value.(survey)
	if !ok {
		return nil
	}
	size := memstore.FormatSize(m.options.Store.Dialect(), s.bytes)
	title, body := textDeleteTitle, targetsText(s.tops, s.files, size)
	if s.into != "" {
		title, body = "Move?", body+"\n"+"into "+text.Clean(s.into)+"/"+"\n\n"+m.env.Keyed(textAskMove)
	} else {
		body += "\n\n" + m.deleteAsk()
	}
	m.ask(title, body, func() tea.Cmd { return m.carrySurvey(s) })
	return nil
}

// targetsText names what an act is about: each of the paths, and the sum where they are several.
func targetsText(list []targetEntry, files int, size string) string {
	if len(list) == 1 {
		return text.Clean(list[0].Path) + "\n" + list[0].What
	}
	var b strings.Builder
	for _, t := range list[:min(len(list), targetsListed)] {
		b.WriteString(text.Clean(t.Path) + "  " + t.What + "\n")
	}
	if more := len(list) - targetsListed; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return b.String() + "\ntogether " + ui.Count(files, "file") + ", " + size
}

const textAskDelete = "{confirm/yes} deletes, {confirm/no} keeps."

// deleteAsk ends a question about a deletion.
func (m *Model) deleteAsk() string {
	if m.undoKey() != "" {
		return m.env.Keyed("{global/undo} brings it back. " + textAskDelete)
	}
	return m.env.Keyed("This cannot be undone. " + textAskDelete)
}

// left is a path that was left alone.
type left struct{ path, why string }

// carried is what became of a survey.
type carried struct {
	survey survey
	files  int
	left   []left
	undone int // steps that were not begun, since the user stopped it
}

// carrySurvey does what was asked, as one group. What is not any more as it was named is left alone.
func (m *Model) carrySurvey(s survey) tea.Cmd {
	store := m.options.Store
	m.commands++
	group := ""
	if len(s.steps) > 1 {
		group = fmt.Sprintf("ui %d %d", m.options.Now().UnixNano(), m.commands)
	}
	label := "deleting"
	if s.into != "" {
		label = "moving"
	}
	return m.do(act{
		label: label,
		work: func(ctx context.Context, progress *ui.Progress) (any, error) {
			ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: group})
			out := carried{survey: s}
			for i, step := range s.steps {
				err := ctx.Err()
				if err == nil {
					err = store.Apply(ctx, step)
				}
				if isCancelled(err) { // while it waited for its turn, or before
					out.undone = len(s.steps) - i
					break
				}
				switch {
				case err != nil:
					at := step.Path
					if step.OldPath != "" {
						at = step.OldPath
					}
					if step.Kind != memstore.KindDir || !errors.Is(err, memstore.ErrChanged) || len(out.left) == 0 {
						out.left = append(out.left, left{at, reasonOf(err)})
					}
				case step.Kind != memstore.KindDir || s.into != "":
					out.files++
				}
				progress.Set(int64(i+1), int64(len(s.steps)))
			}
			return out, nil
		},
		ended: m.surveyCarried,
	})
}

// surveyCarried says what was done and what was left alone.
func (m *Model) surveyCarried(value any) tea.Cmd {
	c, ok := value.(carried)
	if !ok {
		return nil
	}
	did, one, first, why := "deleted", "", "", ""
	if c.survey.into != "" {
		did = "moved"
	}
	if len(c.survey.tops) == 1 {
		one = c.survey.tops[0].Path
	}
	level := ui.Info
	if len(c.left) > 0 {
		level, first, why = ui.Warn, c.left[0].path, c.left[0].why
		for _, l := range c.left[:min(len(c.left), leftTold)] {
			m.tell(ui.Warn, leftAloneText(l.path, l.why))
		}
	}
	size := ""
	if len(c.left) == 0 && c.undone == 0 {
		size = memstore.FormatSize(m.options.Store.Dialect(), c.survey.bytes)
	} else {
		one = ""
	}
	said := doneText(did, c.files, one, size, len(c.left), first, why, m.undoKey())
	if c.undone > 0 {
		said = fmt.Sprintf("%s. Stopped: %s not begun", said, ui.Count(c.undone, "step"))
	}
	m.tell(level, said)
	return nil
}

// doneText says what a deletion or a move did. Undo is the key that takes it back, "" where
// nothing does.
func doneText(did string, files int, one, size string, skipped int, first, why, undo string) string {
	what := ui.Count(files, "file")
	if one != "" {
		what = text.Clean(one)
	}
	out := did + " " + what
	if size != "" {
		out += ", " + size
	}
	if skipped > 0 {
		out += fmt.Sprintf("; %d left alone: %s: %s", skipped, text.Clean(first), why)
	}
	if undo != "" && files > 0 {
		out += "; " + undo + " brings it back"
	}
	return out
}

// leftTold bounds the paths left alone that are told in the log of messages.
const leftTold = 20
