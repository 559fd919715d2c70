package secrets

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// showReport shows what the last purge did: the keys it lists are not changed in a minute.
func (r *removal) showReport() {
	if r.report == nil {
		r.shell.Tell(kit.Info, "Nothing purged since the start")
		return
	}
	t := overlay.NewText(r.env, "purge", "Purge report", r.report.text()+"\n"+r.env.Keyed(r.report.next()), !r.report.clean())
	t.SetFooter(r.env.Keyed("{overlay/overlay-copy} copies, {overlay/close} closes"))
	r.shell.Open(kit.Box{Overlay: t})
}

// clean reports whether the purge is complete and proved.
func (p *purgeReport) clean() bool {
	return len(p.Left) == 0 && len(p.NotRead) == 0 && len(p.Failed) == 0 && len(p.Commits) == 0 && p.Unread == "" && !p.Staged
}

// summary is the message at the end of a purge that is proved.
func (p *purgeReport) summary() string {
	purged := "Purged " + kit.CountGrouped(p.Values, "value")
	if p.Values == 0 { // a purge of an earlier run that had only the journal's files to rewrite
		purged = "Completed the purge"
	}
	then := ":%s shows it"
	if len(p.Rotate) > 0 {
		then = "To revoke: :%s"
	}
	return fmt.Sprintf("%s. Verified: %s, no traces. "+then, purged, kit.CountGrouped(p.Sought, "version"), keymap.FindingReport)
}

// next is what is still to be done.
func (p *purgeReport) next() string {
	switch {
	case len(p.Failed) > 0 || len(p.Left) > 0:
		return "Next: change what the report lists, then {findings/purge-findings} purges what is still there."
	case len(p.NotRead) > 0:
		return "Next: make what could not be read readable, then {global/refresh} scans again."
	case p.Staged, len(p.Commits) > 0, p.Unread != "":
		return "Next: rewrite the git history, then {global/refresh} scans again."
	case len(p.Rotate) > 0:
		return "Next: revoke what is listed above. A purge can't reach whoever has a copy."
	}
	return "Next: {global/next-unread} goes to the next value."
}

// text is what a purge has done and what it can't reach.
func (p *purgeReport) text() string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	if p.Values == 0 {
		line("Completed an interrupted purge.")
	}
	if p.Values > 0 {
		where := ""
		if p.Places > 0 {
			where = " at " + kit.CountGrouped(p.Places, "place") + " in " + kit.CountGrouped(p.Files, "file")
		}
		line("Purged %s%s.", kit.CountGrouped(p.Values, "value"), where)
	}
	if p.Names > 0 {
		line("Renamed %s.", kit.CountGrouped(p.Names, "file"))
	}
	var rewrote []string
	if p.Revisions > 0 || p.Contents > 0 {
		rewrote = append(rewrote, kit.CountGrouped(p.Revisions, "revision")+" in the journal ("+kit.CountGrouped(p.Contents, "text")+")")
	}
	if p.State > 0 {
		rewrote = append(rewrote, kit.CountGrouped(p.State, "file")+" in the state folder")
	}
	if len(rewrote) > 0 {
		line("Rewrote %s.", strings.Join(rewrote, ", and "))
	}
	for _, g := range p.Gone {
		line("%s", text.Clean(g))
	}
	if p.Forgotten > 0 {
		line("Dropped %s from the journal that held a value inside binary or compressed data.", kit.CountGrouped(p.Forgotten, "version"))
	}
	if len(p.Left) == 0 && len(p.NotRead) == 0 {
		line("Verified: searched %s (%s) in every encoding, no traces left.", kit.CountGrouped(p.Sought, "file and version", "files and versions"),
			p.Bytes)
	}
	if p.Common > 0 {
		line("Searched for %s only where context gives it away: too short or too common, like a PIN.", kit.CountGrouped(p.Common, "value"))
	}
	for _, l := range p.Left {
		line("LEFT: %s", text.Clean(l))
	}
	for _, l := range p.NotRead {
		line("NOT READ: %s", text.Clean(l))
	}
	for _, f := range p.Failed {
		line("NOT CHANGED: %s", text.Clean(f))
	}
	line("\nNot reached: backups and snapshots, synced copies, free disk blocks, exports that were moved, transcripts, " +
		"and the model provider's logs.")
	if p.InGit {
		out.WriteString(commitsText(p.Commits, p.Unread))
		if p.Staged {
			line("The git index still holds values, so the next commit would too. Stage the files with git add.")
		}
	}
	if len(p.Rotate) > 0 {
		line("\nRevoke these now: whoever has seen them can use them.")
	}
	for _, r := range p.Rotate {
		line("- %s", r)
	}
	return out.String()
}

// commitsText is what commits hold.
func commitsText(commits []string, unread string) string {
	switch {
	case unread != "":
		return "Git commits are not rewritten and could not be searched: " + unread + ".\n"
	case len(commits) == 0:
		return "No git commit holds a value.\n"
	}
	var short []string
	for _, c := range commits[:min(len(commits), 8)] {
		short = append(short, c[:min(len(c), 12)])
	}
	list := strings.Join(short, ", ")
	if n := len(commits) - len(short); n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s still %s values: %s. Rewrite them with git filter-repo.\n", kit.CountGrouped(len(commits), "git commit"),
		text.Plural(len(commits), "holds", "hold"), list)
}

// newPurgeReport words the report of a purge.
func newPurgeReport(p *findings.Purged, values int, d memstore.Dialect) *purgeReport {
	out := &purgeReport{
		Values: values, Bytes: memstore.FormatSize(d, p.Left.Bytes), Places: p.Values, Files: p.Files, Names: p.Names,
		Revisions: p.Journal.Revisions, Contents: p.Journal.Contents, State: len(p.State),
		Sought: p.Left.Files, InGit: p.Left.Git != nil, Common: p.Left.Common,
	}
	if g := p.Left.Git; g != nil {
		out.Commits, out.Unread, out.Staged = g.Commits, g.Unread, g.Staged
	}
	for _, one := range p.Left.Unread {
		out.NotRead = append(out.NotRead, fmt.Sprintf("%s (%s)", unreadName(one.Path, one.Past), one.Why.Sentence()))
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

// purgeReport is what a purge has done.
type purgeReport struct {
	Places, Files, Names       int
	Revisions, Contents, State int
	Values                     int      // that were purged
	Sought                     int      // files and versions that were searched afterwards
	Bytes                      string   // of them
	Left                       []string // where a value still is
	NotRead                    []string // what could not be searched, and why
	Staged                     bool     // the index of git holds a value
	InGit                      bool
	Common                     int      // values that were searched for in context only
	Gone                       []string // files that were removed, or cleaned outside of memory and state folder
	Forgotten                  int      // contents of the past that are kept no more
	Commits                    []string // that hold a value
	Unread                     string   // why commits were not looked through; "": they were
	Rotate                     []string // what has to be changed, and where
	Failed                     []string // files that stay as they were
}

// purgedFile reports the outcome for a file outside the store and the journal.
func purgedFile(name string, removed bool) string {
	if removed {
		return "Removed: " + name
	}
	return "Cleaned: " + name
}

// leftLinked says that a file had other names outside the store, which still have the old bytes.
func leftLinked(path string, others int, inode uint64) string {
	return fmt.Sprintf("%s had %s outside the store, which still has the old bytes (find / -xdev -inum %d)", path,
		kit.CountGrouped(others, "other name"), inode)
}

// leftInStore says that the state folder of another store holds values; path is "" where the folder does not name its store.
func leftInStore(path, dir string, places int) string {
	if path == "" {
		return fmt.Sprintf("%s in the state folder %s, which does not name its store", kit.CountGrouped(places, "place"), dir)
	}
	return fmt.Sprintf("%s in the state folder of the store %s (run scrub --purge-history there)", kit.CountGrouped(places, "place"), path)
}
