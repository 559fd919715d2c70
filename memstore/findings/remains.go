package findings

import (
	"fmt"

	"memcurator/render/text"
)

// Remains says where values remain after a purge and what to do about it, a sentence each without the full stop. What could not be read
// is not among it. Paths in it may be of this machine.
func (r *Residue) Remains() (list []string) {
	left := func(format string, args ...any) { list = append(list, "Left: "+fmt.Sprintf(format, args...)) }
	for _, l := range r.Left {
		left("%s (%s)", l.Where, l.Form)
	}
	for _, name := range r.Transcripts {
		left("the transcript %s, which a purge doesn't change", name)
	}
	for _, o := range r.Stores {
		switch places := text.Count(o.Places, "place"); {
		case o.Path == "":
			left("%s in the state folder of an unknown store. Delete %s", places, o.Dir)
		case o.Gone:
			left("%[1]s in the history of %[2]s, which is gone. If it is this store, which moved here, run: memcurator doctor --relink %[3]s DIR, "+
				"and purge again. Else delete %[4]s", places, o.Path, text.ShellQuoted(o.Path), o.Dir)
		default:
			left("%s in the history of another store. Purge it: memcurator scrub --purge-history %s", places, text.ShellQuoted(o.Path))
		}
	}
	if g := r.Git; g != nil {
		list = append(list, g.remains()...)
	}
	return list
}

// remains is Remains for the work tree around the store. The user knows who else has clones of it.
func (g *Git) remains() (list []string) {
	if n := len(g.Held); n > 0 {
		list = append(list, fmt.Sprintf("Left: git has values in %s of the work tree %s. Stage the redacted files with git add, and rewrite "+
			"the commits with git filter-repo --replace-text; every clone has them until then", text.Count(n, "file"), g.Top))
	}
	if g.Unread != "" {
		list = append(list, fmt.Sprintf("Not read: git commits of %s (%s)", g.Top, g.Unread))
	}
	return list
}
