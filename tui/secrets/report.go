package secrets

import (
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// clean reports whether a purge is complete and proved.
func clean(p *findings.Purged) bool {
	return len(p.Failed) == 0 && p.Left.Clean()
}

// remains reports whether a value was found where a purge could remove it.
func remains(left *findings.Residue) bool {
	return len(left.Left)+len(left.Linked)+len(left.Stores) > 0
}

// showReport shows what the last purge did: the keys it lists are not changed in a minute.
func (s *Screen) showReport() {
	if s.purged == nil {
		s.shell.Tell(kit.Info, "Nothing purged since the start")
		return
	}
	body := reportText(s.purged, s.Handlers.Dialect()) + "\n" + s.env.Keyed(nextText(s.purged))
	t := overlay.NewText(s.env, "purge", "Purge report", body, !clean(s.purged))
	t.SetFooter(s.env.Keyed("{overlay/overlay-copy} copies, {overlay/close} closes"))
	s.shell.Open(kit.Box{Overlay: t})
}

// nextText is what is still to be done after a purge.
func nextText(p *findings.Purged) string {
	switch {
	case len(p.Failed) > 0 || remains(p.Left):
		return "Next: change what the report lists, then {findings/purge-findings} purges what is still there."
	case len(p.Left.Unread) > 0:
		return "Next: make what could not be read readable, then {global/refresh} scans again."
	case p.Left.Git != nil && !p.Left.Git.Clean():
		return "Next: rewrite the git history, then {global/refresh} scans again."
	case len(p.Left.Rotate) > 0:
		return "Next: revoke what is listed above. A purge can't reach whoever has a copy."
	}
	return "Next: {global/next-unread} goes to the next value."
}

// reportText is what a purge has done, what remains, and what it can't reach.
func reportText(p *findings.Purged, d memstore.Dialect) string {
	var out strings.Builder
	line := func(format string, args ...any) { out.WriteString(text.Clean(fmt.Sprintf(format, args...)) + "\n") }
	left := p.Left
	line("Purged %s at %s in %s.", kit.CountGrouped(p.Asked, "value"), kit.CountGrouped(p.Values, "place"), kit.CountGrouped(p.Files, "file"))
	if p.Names > 0 {
		line("Renamed %s.", kit.CountGrouped(p.Names, "file"))
	}
	line("Rewrote %s in the journal (%s), and %s in the state folder.", kit.CountGrouped(p.Journal.Revisions, "revision"),
		kit.CountGrouped(p.Journal.Contents, "text"), kit.CountGrouped(len(p.State), "file"))
	for _, name := range p.Outside {
		line("Cleaned: %s", name)
	}
	for _, name := range p.Removed {
		line("Removed: %s", name)
	}
	if p.Journal.Forgotten > 0 {
		line("Dropped %s from the journal that held a value inside binary or compressed data.",
			kit.CountGrouped(p.Journal.Forgotten, "version"))
	}
	if !remains(left) && len(left.Unread) == 0 {
		line("Verified: searched %s (%s) in every encoding, no traces left.", kit.CountGrouped(left.Files, "file and version", "files and versions"),
			memstore.FormatSize(d, left.Bytes))
	}
	if left.Common > 0 {
		line("Searched for %s only where context gives it away: too short or too common, like a PIN.",
			kit.CountGrouped(left.Common, "value"))
	}
	for _, l := range left.Left {
		line("LEFT: %s (%s)", l.Where, l.Form)
	}
	for _, l := range left.Linked {
		line("LEFT: %s had %s outside the store, which still has the old bytes (find / -xdev -inum %d)", l.Path,
			kit.CountGrouped(l.Others, "other name"), l.Inode)
	}
	for _, o := range left.Stores {
		line("LEFT: %s in the state folder %s of another store (run scrub --purge-history there)", kit.CountGrouped(o.Places, "place"), o.Dir)
	}
	for _, one := range left.Unread {
		line("NOT READ: %s (%s)", unreadName(one), one.Why.Sentence())
	}
	for _, f := range p.Failed {
		line("NOT CHANGED: %s (%s)", f.Path, f.Why.Sentence())
	}
	out.WriteString("\nNot reached: backups and snapshots, synced copies, free disk blocks, exports that were moved, transcripts, " +
		"and the model provider's logs.\n")
	if left.Git != nil {
		gitReport(line, left.Git)
	}
	if len(left.Rotate) > 0 {
		out.WriteString("\nRevoke these now: whoever has seen them can use them.\n")
	}
	for _, r := range left.Rotate {
		line("- %s (%d): %s", r.Class.Title, r.Values, r.Class.Rotate)
	}
	return out.String()
}

// gitReport says what commits hold, which a purge doesn't rewrite.
func gitReport(line func(string, ...any), g *findings.Git) {
	switch n := len(g.Commits); {
	case g.Unread != "":
		line("Git commits are not rewritten and could not be searched: %s.", g.Unread)
	case n == 0:
		line("No git commit holds a value.")
	default:
		line("%s still %s values, the newest %s. Rewrite them with git filter-repo.", kit.CountGrouped(n, "git commit"),
			text.Plural(n, "holds", "hold"), g.Commits[0][:min(len(g.Commits[0]), 12)])
	}
	if g.Staged {
		line("The git index still holds values, so the next commit would too. Stage the files with git add.")
	}
}

// unreadName names what was not read: a path, of the journal its versions there, or the journal as a whole.
func unreadName(one findings.Skipped) string {
	switch {
	case one.Path == "":
		return "the journal"
	case one.Past:
		return one.Path + " in history"
	}
	return one.Path
}
