package secrets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/render/text"
	"memcurator/tui/edits"
	findingsbox "memcurator/tui/findings"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// scrubber takes values out of the store; report may be nil.
func (r *Review) scrubber(report func(findings.Step, int, int)) *findings.Scrubber {
	o, base := r.Scrubbing, ""
	if o.StateDir != "" {
		base = filepath.Dir(o.StateDir)
	}
	return &findings.Scrubber{
		Engine: r.engine, Memory: o.Memory, Treatment: o.Treatment, Store: r.Store(), Journal: r.Journal,
		StateDir: o.StateDir, Dir: o.Dir, Base: base, Class: maps.Clone(r.box.Classes()), Action: maps.Clone(r.box.Actions()), Report: report,
	}
}

// placesOf counts the places of some values.
func placesOf(groups []*findings.Group) (live, past int) {
	for _, g := range groups {
		live += g.Live
		past += len(g.Places) - g.Live
	}
	return live, past
}

const textPurgeTitle = "take them out for good?"

// askPurge asks before what has no undo, and offers what has.
func (r *Review) askPurge(groups []*findings.Group) {
	if r.edits.Refuses() || r.stop != nil {
		return
	}
	live, past := placesOf(groups)
	body := purgeQuestion(r.env, len(groups), live, past, groups[0].Places[0].Path, r.edits.UndoKey())
	if r.aside > 0 {
		body += purgeAside(r.aside)
	}
	takeOut := func(purge bool) func() tea.Cmd { return func() tea.Cmd { return r.takeOut(groups, purge) } }
	r.shell.Open(ui.Box{
		Overlay: overlay.NewQuestionIn(r.env, textPurgeTitle, body, keymap.TakeOut),
		Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: takeOut(true), keymap.FilesOnly: takeOut(false)},
	})
}

// purgeQuestion offers to take values out everywhere, or of the files.
func purgeQuestion(e *ui.Env, values, live, past int, path, undo string) string {
	key := func(id keymap.ID) string { return e.Keys.KeyFor(keymap.TakeOut, id) }
	return fmt.Sprintf("%s: %s in files and %s in the past.\nThe first one is in %s.\n\n"+
		"%s  purge: out of the files and of the whole past.\n   This cannot be undone: no undo and no travel in time brings a value back.\n"+
		"%s  files only: %s takes it back. The past keeps the values.\n"+
		"%s  no\n\nBackups, git commits, copies elsewhere and the logs of the model's provider are out of reach of both.",
		ui.CountGrouped(values, "value"), ui.CountGrouped(live, "place"), ui.Number(past), text.Clean(path), key(keymap.Yes),
		key(keymap.FilesOnly), undo, key(keymap.No))
}

// purgeAside says before a purge that it removes journals that were set aside, and copies.
func purgeAside(journals int) string {
	return fmt.Sprintf("\n\nA purge also removes journals that were set aside as damaged, and copies, because they cannot be cleaned: %s.",
		ui.CountGrouped(journals, "journal"))
}

const textRedactTitle = "take them out of the files?"

// askRedact asks before files are rewritten.
func (r *Review) askRedact(groups []*findings.Group) {
	if r.edits.Refuses() || r.stop != nil {
		return
	}
	live, past := placesOf(groups)
	question := redactQuestion(len(groups), live, past, r.edits.UndoKey())
	r.shell.Ask(textRedactTitle, question, func() tea.Cmd { return r.takeOut(groups, false) })
}

// redactQuestion describes what a redaction is going to do.
func redactQuestion(values, live, past int, undo string) string {
	return fmt.Sprintf("%s: %s in files. %s takes it back.\n\nThe past keeps them: %d places in older versions stay as they are.",
		ui.CountGrouped(values, "value"), ui.CountGrouped(live, "place"), undo, past)
}

// takenOut is the outcome of the work.
type takenOut struct {
	done   *findings.Done
	purged *findings.Purged // nil: files only
	count  int64            // of purges afterwards; below 0: not known
	err    error
}

// takeOut does the work. Esc in the box stops it between two files; what is done stays, and of a purge the rest is
// carried on with by the next one.
func (r *Review) takeOut(groups []*findings.Group, purge bool) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	r.env.Jobs.Cancel(ownerScan)
	label := "taking values out of files"
	if purge {
		label = labelPurge
	}
	worker, step := r.scrubber(nil), &r.step
	step.Store(findings.StepFiles)
	if r.box.AcceptsAll() {
		worker.All = func(string) bool { return true }
	}
	return r.startScrub(label, func(p *ui.Progress) takenOut {
		defer stop()
		worker.Report = func(now findings.Step, done, all int) {
			step.Store(now)
			p.Set(int64(done), int64(all))
		}
		worker.Accept(groups)
		var out takenOut
		if purge {
			out.purged, out.err = worker.Purge(ctx)
			out.done, out.count = &out.purged.Done, purgesOf(worker.Journal)
		} else {
			out.done, out.err = worker.Redact(ctx)
		}
		return out
	})
}

func (r *Review) startScrub(label string, work func(*ui.Progress) takenOut) tea.Cmd {
	return ui.Start(r.env.Jobs, ui.Job[takenOut]{
		Owner: ownerScrub, Label: label, Write: true, Done: r.scrubEnded, Failed: r.scrubFailed,
		Work: func(_ context.Context, p *ui.Progress) (takenOut, error) { return work(p), nil },
	})
}

func (r *Review) scrubFailed() {
	r.stop, r.stopping = nil, false
}

// scrubEnded tells what was done, and looks again at everything that may show it.
func (r *Review) scrubEnded(out takenOut) tea.Cmd {
	r.scrubFailed()
	var cmds []tea.Cmd
	// A purge that was stopped may have rewritten files.
	if out.purged != nil && !errors.Is(out.err, findings.ErrNoPurge) && !errors.Is(out.err, findings.ErrUnderWay) {
		r.purges = max(r.purges, out.count)
		cmds = append(cmds, r.Purged())
	}
	d := out.done
	switch {
	case errors.Is(out.err, findings.ErrUnderWay):
		r.shell.Tell(ui.Warn, textPurgeAtWork)
	case errors.Is(out.err, findings.ErrNoPurge):
	case errors.Is(out.err, context.Canceled):
		r.shell.Tell(ui.Warn, r.env.Keyed(whereStopped(out.purged)))
	case out.err != nil:
		r.Log.Error("scrub", "error", out.err)
		r.shell.Tell(ui.Fail, scrubFailedText(d.Files, edits.Reason(out.err), out.purged != nil))
	case out.purged != nil:
		report := reportOf(out.purged)
		r.report = &report
		r.showPurgeReport()
	default:
		r.shell.Tell(ui.Info, redactedText(d.Values, d.Files, d.Names, len(d.Failed)))
	}
	cmds = append(cmds, r.scan(runtime.NumCPU()))
	return tea.Batch(append(cmds, r.edits.Changed())...)
}

// redactedText tells what a redaction has done.
func redactedText(places, files, names, failed int) string {
	out := fmt.Sprintf("%s in %s taken out", ui.CountGrouped(places, "value"), ui.CountGrouped(files, "file"))
	if names > 0 {
		out += ", " + ui.CountGrouped(names, "name") + " changed"
	}
	if failed > 0 {
		out += "; " + ui.CountGrouped(failed, "file stays", "files stay") + " as they were"
	}
	return out
}

// scrubFailedText says that taking values out ended early, after some of the files.
func scrubFailedText(files int, why string, purge bool) string {
	out := fmt.Sprintf("Ended after %s: %s.", ui.CountGrouped(files, "file"), why)
	if purge {
		out += " The past holds the values still: purge again to end it."
	}
	return out
}

// purgesOf is how many purges a journal has been through, for a job; below 0 where no one knows.
func purgesOf(j *journal.Journal) int64 {
	if j == nil {
		return -1
	}
	n, err := j.Purges(context.Background())
	if err != nil {
		return -1
	}
	return n
}

const (
	textScrubStopped  = "Stopped. What was done stays; {global/undo} takes it back."
	textPurgeStopped  = "Stopped before the past was rewritten, which holds the values still. Purge again to end it."
	textPurgeUnproved = "Stopped after the purge: nobody has looked for what is left. {findings/scan-again} scans again."
)

// whereStopped explains what is left to do after esc.
func whereStopped(p *findings.Purged) string {
	switch {
	case p == nil:
		return textScrubStopped
	case p.Journal.Number > 0:
		return textPurgeUnproved
	}
	return textPurgeStopped
}

// showPurgeReport shows what the last purge did: what it tells to change is not changed in a minute.
func (r *Review) showPurgeReport() {
	last := r.report
	if last == nil {
		r.shell.Tell(ui.Info, "nothing was purged since memcurator was started")
		return
	}
	r.shell.Open(ui.Box{Overlay: overlay.NewText(r.env, "purge", "purge", purgeReport(*last), len(last.Left)+len(last.NotRead) > 0)})
}

// purgeReport tells what a purge has done and what it cannot reach.
func purgeReport(p purgeOutcome) string {
	out := redactedText(p.Places, p.Files, p.Names, len(p.Failed)) + ".\n"
	out += fmt.Sprintf("Of the journal %s with %s were rewritten, and %s of the state folder.\n",
		ui.CountGrouped(p.Revisions, "revision"), ui.CountGrouped(p.Contents, "content"), ui.CountGrouped(p.State, "file"))
	for _, g := range p.Gone {
		out += text.Clean(g) + "\n"
	}
	if p.Forgotten > 0 {
		out += fmt.Sprintf("No longer kept, because a value was inside binary or compressed data: %s of the past.\n",
			ui.CountGrouped(p.Forgotten, "content"))
	}
	if len(p.Left) == 0 && len(p.NotRead) == 0 {
		out += fmt.Sprintf("Sought afterwards in %s, in every form: nothing is left.\n",
			ui.CountGrouped(p.Sought, "file and content", "files and contents"))
	}
	if p.Common > 0 {
		out += fmt.Sprintf("As short or as common as other text, so sought only where something says what it is: %s.\n",
			ui.CountGrouped(p.Common, "value"))
	}
	for _, l := range p.Left {
		out += "LEFT: " + text.Clean(l) + "\n"
	}
	for _, l := range p.NotRead {
		out += "NOT READ: " + text.Clean(l) + "\n"
	}
	for _, f := range p.Failed {
		out += "Not changed: " + text.Clean(f) + "\n"
	}
	out += "\nOut of reach: backups and snapshots, synchronised copies, free blocks of the disk, exports that were moved, " +
		"transcripts, and what the model's provider has logged.\n"
	if p.InGit {
		out += commitsText(p.Commits, p.Unread)
		if p.Staged {
			out += "The git index still holds values, which the next commit would contain. Run git add to stage the files as they are now.\n"
		}
	}
	if len(p.Rotate) > 0 {
		out += "\nChange these now, whoever has seen them can use them:\n"
	}
	for _, r := range p.Rotate {
		out += "- " + r + "\n"
	}
	return out
}

// commitsText tells what commits hold.
func commitsText(commits []string, unread string) string {
	switch {
	case unread != "":
		return "The memory lies in a git work tree. Its commits are not rewritten and were not looked through: " + unread + ".\n"
	case len(commits) == 0:
		return "The memory lies in a git work tree. No commit in it holds a value.\n"
	}
	var short []string
	for _, c := range commits[:min(len(commits), 8)] {
		short = append(short, c[:min(len(c), 12)])
	}
	list := strings.Join(short, ", ")
	if n := len(commits) - len(short); n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("The memory lies in a git work tree. %s in it hold values and are not rewritten: %s. See git filter-repo.\n",
		ui.CountGrouped(len(commits), "commit"), list)
}

// reportOf words the report of a purge.
func reportOf(p *findings.Purged) purgeOutcome {
	out := purgeOutcome{
		Places: p.Values, Files: p.Files, Names: p.Names, Revisions: p.Journal.Revisions, Contents: p.Journal.Contents, State: len(p.State),
		Sought: p.Left.Files, InGit: p.Left.Git != nil, Common: p.Left.Common,
	}
	if g := p.Left.Git; g != nil {
		out.Commits, out.Unread, out.Staged = g.Commits, g.Unread, g.Staged
	}
	for _, one := range p.Left.Unread {
		out.NotRead = append(out.NotRead, fmt.Sprintf("%s (%s)", findingsbox.UnreadName(one.Path, one.Past), one.Why.Sentence()))
	}
	out.Forgotten = p.Journal.Forgotten
	for _, name := range p.Outside {
		out.Gone = append(out.Gone, purgedFile(name, false))
	}
	for _, name := range p.Removed {
		out.Gone = append(out.Gone, purgedFile(name, true))
	}
	for _, l := range p.Left.Left {
		out.Left = append(out.Left, fmt.Sprintf("%s (%s)", l.Where, l.Form))
	}
	for _, l := range p.Left.Linked {
		out.Left = append(out.Left, leftLinked(l.Path, l.Others, l.Inode))
	}
	for _, s := range p.Left.Stores {
		out.Left = append(out.Left, leftInStore(s.Path, s.Dir, s.Places))
	}
	for _, r := range p.Left.Rotate {
		out.Rotate = append(out.Rotate, fmt.Sprintf("%s (%d): %s", r.Class.Title, r.Values, r.Class.Rotate))
	}
	for _, f := range p.Failed {
		out.Failed = append(out.Failed, fmt.Sprintf("%s (%s)", f.Path, f.Why.Sentence()))
	}
	return out
}

// purgeOutcome is what a purge has done, for PurgeReport.
type purgeOutcome struct {
	Places, Files, Names       int
	Revisions, Contents, State int
	Sought                     int      // files and contents that were searched afterwards
	Left                       []string // where a value still is
	NotRead                    []string // what could not be searched, and why
	Staged                     bool     // the index of git holds a value
	InGit                      bool
	Common                     int      // values that were sought in context only
	Gone                       []string // files that were removed, or cleaned outside of memory and state folder
	Forgotten                  int      // contents of the past that are kept no more
	Commits                    []string // that hold a value
	Unread                     string   // why commits were not looked through; "": they were
	Rotate                     []string // what has to be changed, and where
	Failed                     []string // files that stay as they were
}

// purgedFile reports what became of a file that is neither a note nor the journal.
func purgedFile(name string, removed bool) string {
	if removed {
		return "Removed: " + name
	}
	return "Cleaned: " + name
}

// leftLinked says that a file had other names outside the store, where a purge leaves the old bytes.
func leftLinked(path string, others int, inode uint64) string {
	return fmt.Sprintf("%s had %s outside the store, and the old bytes are still there (find / -xdev -inum %d)", path,
		ui.CountGrouped(others, "other name"), inode)
}

// leftInStore says that the state folder of another store holds values; path is "" where the folder does not name its store.
func leftInStore(path, dir string, places int) string {
	if path == "" {
		return fmt.Sprintf("%s in the state folder %s, which does not name its store", ui.CountGrouped(places, "place"), dir)
	}
	return fmt.Sprintf("%s in the state folder of the store %s (run scrub --purge-history there)", ui.CountGrouped(places, "place"), path)
}
