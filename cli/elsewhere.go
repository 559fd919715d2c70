package cli

import (
	"fmt"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

// leftIn counts the places where values remain after a purge, not including git commits.
func leftIn(left *findings.Residue) int {
	n := len(left.Left)
	for _, s := range left.Stores {
		n += s.Places
	}
	return n
}

// sayLeftElsewhere lists what a purge found but doesn't touch, with the command for each.
func sayLeftElsewhere(run *session.Session, s *scrubbing, left *findings.Residue) {
	for _, o := range left.Stores {
		switch {
		case o.Path == "":
			run.Say(fmt.Sprintf("Left: %s in the state folder of an unknown store. Delete %s", output.Counted(o.Places, "place"), o.Dir))
			continue
		case o.Gone:
			run.Say(fmt.Sprintf("Left: %s in the history of %s, which is gone. If that store is this one, which moved here: %s doctor %s--relink %s %s, "+
				"and purge again. Else delete %s", output.Counted(o.Places, "place"), o.Path, session.Program, run.State().Words(),
				session.Typed(o.Path), session.Typed(s.Dir), o.Dir))
			continue
		}
		run.Say(fmt.Sprintf("Left: %s in the state folder of another store. Purge it: %s scrub --purge-history %s%s",
			output.Counted(o.Places, "place"), session.Program, run.State().Words(), session.Typed(o.Path)))
	}
}
