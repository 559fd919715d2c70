package secrets

import (
	"fmt"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// clean reports whether a purge is complete and proved.
func clean(p *findings.Purged) bool {
	return len(p.Failed) == 0 && p.Left.Clean()
}

const textNotEverywhere = "Purged, but not everywhere"

// showLeft shows what a purge could not remove or not read.
func (s *Screen) showLeft(p *findings.Purged) {
	var out strings.Builder
	line := func(format string, args ...any) { out.WriteString(text.Clean(fmt.Sprintf(format, args...)) + "\n") }
	left := p.Left
	line("Purged %s at %s in %s.", kit.CountGrouped(p.Asked, "value"), kit.CountGrouped(p.Values, "place"), kit.CountGrouped(p.Files, "file"))
	for _, said := range left.Remains() {
		line("%s", said)
	}
	title, unread := "Purged, but not all could be read", map[string]bool{}
	for _, one := range left.Unread {
		unread[one.Path] = true
		line("Not read, may have it: %s (%s)", unreadName(one), one.Why.Sentence())
	}
	for _, f := range p.Failed {
		if !unread[f.Path] {
			title = textNotEverywhere
			line("Not changed: %s (%s)", f.Path, f.Why.Sentence())
		}
	}
	if len(left.Remains()) > 0 {
		title = textNotEverywhere
	}
	out.WriteString(s.env.Keyed("\nChange what is listed, then {global/refresh} scans again."))
	t := overlay.NewText(s.env, title, out.String(), true)
	t.SetFooter(s.env.Keyed("{overlay/overlay-copy} copies, {overlay/close} closes"))
	s.shell.Open(kit.Box{Overlay: t})
}

// unreadName names what was not read: a path, of the journal its versions there, or the journal as a whole.
func unreadName(one findings.Skipped) string {
	switch {
	case one.Path == "":
		return "the journal"
	case one.Past:
		return one.Path + " in older versions"
	}
	return one.Path
}
