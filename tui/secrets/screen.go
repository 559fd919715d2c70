// Package secrets is the Secrets screen: keys, passwords and personal data in the notes and in their history, a row a value, with a
// preview of the redaction. Values are redacted in files, which undo restores, purged everywhere, or dismissed. It scans beside the
// user's work, and changes the store through tui/act and memstore/findings. The shell calls it, and drops what it shows of before a
// purge.
package secrets

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// Scrubbing is what scans a store for secrets and removes them.
type Scrubbing struct {
	Engine   func() *scrub.Engine // makes it, in a job, when it is first needed
	State    *findings.State
	Machine  discover.Machine // where the transcripts are
	StateDir string           // of the store's state, "" where there is none
	Dir      string           // of the store on disk, "" if it is not on disk
}

// The owners of the jobs.
const (
	ownerScan    = "secrets.scan"
	ownerPreview = "secrets.preview"
	ownerDismiss = "secrets.dismiss"
	ownerRemoval = "secrets.removal"
	ownerLeft    = "secrets.left"
)

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	*act.Store
	o       Options
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	actions *kit.Actions
	list    *kit.Table[row]
	preview *preview
	Masks   *masks // of what the last scan found

	engine *scrub.Engine    // nil: not made yet
	survey *findings.Survey // nil: the store was not scanned yet
	aside  []string         // journals that were set aside, and that a purge removes
	due    bool             // a scan beside the user's work was asked for
	took   time.Duration    // the last scan
	told   int              // values already reported to the user

	purges int64 // that this program knows about
}

// Options are what the screen works on, beside the store.
type Options struct {
	Scrubbing *Scrubbing // nil: there are no rules to scan with
}

// New makes the screen; nothing is scanned yet.
func New(env *kit.Env, shell act.Shell, queue *act.Queue, o Options) *Screen {
	s := &Screen{Store: queue.Store, o: o, env: env, shell: shell, edits: queue, Masks: newMasks(env)}
	env.Mask = s.Masks
	s.list = s.newList()
	s.preview = newPreview(env)
	env.Declare(keymap.TakeOut, []kit.Action{
		{ID: keymap.FilesOnly, Keys: "f enter", Help: "redact the files only; u undoes", Hint: "files only"},
		{ID: keymap.Yes, Keys: "p", Help: "purge the values from files and all history; asks for a word", Hint: "purge"},
		{ID: keymap.No, Keys: "n esc q", Help: "cancel", Hint: "cancel"},
	})
	s.actions = kit.NewActions(env, keymap.Secrets, s.bindings()...)
	return s
}

func (s *Screen) bindings() []kit.Action {
	shared := slices.DeleteFunc(kit.ListActions(s.shell, s.list, s.Detail), func(a kit.Action) bool { return a.ID == keymap.OpenFile })
	return append(shared,
		kit.Action{ID: keymap.Redact, Keys: "a", Hint: "redact", Run: s.ask, Why: s.edits.WhyNoRemoval,
			Help: "approve: redact the selected values in files, or purge them everywhere"},
		kit.Action{ID: keymap.Dismiss, Keys: "D", Help: "decline: dismiss the value as not a secret, or list it again", Hint: "dismiss",
			Run: s.decline, Why: s.edits.WhyUnwritable},
		kit.Action{ID: keymap.Open, Keys: "enter", Help: "open the preview; from there, the file at that place", Hint: "preview",
			Run: s.open},
		kit.Action{ID: keymap.OpenFile, Run: s.openFile}, // by the key of a diff, as the preview is one
		kit.Action{ID: keymap.Refresh, Run: s.scan},
		kit.Action{ID: keymap.Filter, Keys: "f", Hint: "filter",
			Help: "filter by class, path, severity and terms: is:open is:selected is:dismissed is:past"},
		kit.Action{ID: keymap.Undo, Run: s.unlessBusy(s.edits.Undo)},
		kit.Action{ID: keymap.Redo, Run: s.unlessBusy(s.edits.Redo)},
	)
}

// unlessBusy does something unless values are being removed.
func (s *Screen) unlessBusy(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if s.busy() {
			return nil
		}
		return run()
	}
}

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.list }

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab { return s.preview }

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Enter implements [kit.Enterer]: it scans. What is selected in the tree selects nothing here: a purge must not include values that its
// user has not chosen on this screen.
func (s *Screen) Enter() tea.Cmd {
	if s.env.Jobs.Running(ownerScan) {
		return s.showPlace()
	}
	return tea.Batch(s.scan(), s.showPlace())
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.list.Resize(list.W, list.H)
	s.preview.Resize(detail.W, detail.H)
	s.preview.inSight = !detail.Empty()
	return s.showPlace()
}

// ListTitle implements [kit.Screen].
func (s *Screen) ListTitle(width int) kit.Title {
	place := ""
	if s.survey != nil && s.survey.Open() > 0 {
		place = kit.CountGrouped(s.survey.Open(), "value")
		if n := len(s.list.Selection()); n > 0 {
			place = kit.Number(n) + " selected of " + kit.Number(s.survey.Open())
		}
		whole := place + ", " + countText(s.survey.Count())
		if s.list.Filter() != "" {
			place = s.list.Matches()
		} else if text.Width("secrets"+whole)+8 <= width {
			place = whole
		}
	}
	return kit.ListTitle(s.env.Styles, "secrets", s.list.Filter(), place, width)
}

// DetailTitle implements [kit.DetailTitler].
func (s *Screen) DetailTitle(width int) kit.Title {
	path, place := "", ""
	if r, ok := s.list.Current(); ok {
		path = placeName(r.at())
		place = fmt.Sprintf("%d/%d", max(1, r.place), len(r.secret.Places))
	}
	return kit.DetailTitle(s.env.Styles, s.preview.Title(), path, place, width)
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	decide := []kit.Hint{
		kit.Act("redact", keymap.Redact), kit.Act("dismiss", keymap.Dismiss),
		kit.Act("reveal (hold)", keymap.Reveal),
	}
	n := len(s.list.Selection())
	_, some := s.list.Current()
	switch {
	case s.busy():
		return kit.Hints{Acts: []kit.Hint{kit.Act("stop", keymap.Back)}}
	case n > 0:
		return kit.Hints{Lead: kit.Number(n) + " selected", Acts: append(decide, kit.Act("clear", keymap.Back))}
	case !some:
		return kit.Hints{Acts: []kit.Hint{kit.Act("scan", keymap.Refresh), kit.Act("browse", keymap.ScreenBrowse)}}
	case s.list.Filter() != "":
		return kit.Hints{Lead: s.list.Matches(), Acts: append(decide, s.list.MarkHint()...)}
	}
	return kit.Hints{Lead: kit.Number(s.Waiting()) + " open", Acts: append(decide, s.list.MarkHint()...)}
}

// Waiting implements [kit.Counted]: the values that files have now and that are not dismissed.
func (s *Screen) Waiting() (n int) {
	for _, r := range s.list.Items() {
		if waits(r.secret) {
			n++
		}
	}
	return n
}

// Peel implements [kit.Peeler]: a removal under way, a range, the selection, the filter.
func (s *Screen) Peel() (tea.Cmd, bool) {
	switch {
	case s.busy():
		s.env.Jobs.Stop(ownerRemoval)
		s.shell.Tell(kit.Info, "Stopping after this file")
		return nil, true
	case s.list.PeelRange():
		return nil, true
	case s.shell.OnDetail():
		return nil, false
	}
	return s.list.Peel()
}

// Forget implements [kit.Forgetter].
func (s *Screen) Forget() tea.Cmd {
	s.env.Jobs.Cancel(ownerScan)
	s.took = 0
	s.setSurvey(nil)
	s.preview.Clear(textNoPreview)
	s.edits.ForgetUnrecorded(ownerDismiss)
	return nil
}

// open goes one step in: from a value to its preview, from there to the file.
func (s *Screen) open() tea.Cmd {
	if !s.shell.OnDetail() {
		return s.shell.FocusDetail()
	}
	return s.openFile()
}

// openFile shows the file of the place under the cursor in Browse, at its line.
func (s *Screen) openFile() tea.Cmd {
	r, ok := s.list.Current()
	switch {
	case !ok:
		return nil
	case r.at().Past:
		s.shell.Tell(kit.Info, "Only an older version has this, so there is no file to open")
		return nil
	}
	return s.shell.OpenLine(r.at().Path, r.at().Line)
}

// Reveal shows masked values for a moment, and as long as its key repeats.
func (s *Screen) Reveal() tea.Cmd {
	if _, some := s.list.Current(); !s.Masks.hid && !(some && s.shell.Shows(keymap.ScreenSecrets)) {
		s.shell.Tell(kit.Info, "No masked value in sight")
		return nil
	}
	return s.Masks.reveal()
}

// Summary says what the last scan found, and the class of the worst value; "" for nothing.
func (s *Screen) Summary() string {
	if s.Waiting() == 0 {
		return ""
	}
	return kit.CountGrouped(s.Waiting(), "secret") + ", worst: " + s.classTitle(s.survey.Secrets[0])
}

var _ interface {
	kit.Screen
	kit.Enterer
	kit.DetailTitler
	kit.TreeWatcher
	kit.Forgetter
	kit.Hinted
} = (*Screen)(nil)
