package past

import (
	"fmt"

	"memcurator/cli/session"
	"memcurator/memstore/transfer"
	"memcurator/memstore/undo"
)

// sayOtherHalf names the other store of an undone move if notes are now in both stores, or in neither.
func sayOtherHalf(run *session.Session, p *undo.Plan, done []undo.PlannedStep) {
	if dir, said, next := transfer.OtherHalf(p, done); said != "" {
		run.Say(fmt.Sprintf("%s. %s: %s undo %s%s", said, next, session.Program, run.State().Words(), session.Typed(dir)))
	}
}
