package past

import (
	"fmt"
	"os"
	"path/filepath"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

// sayOtherHalf names the other store of an undone move if notes are now in both stores, or in neither: each store has its half of the move
// in its own journal, and an interrupted move that was run again has two acts in one of them.
func sayOtherHalf(run *session.Session, p *undo.Plan, done []undo.PlannedStep) {
	move, ok := past.ParseTransfer(p.Title)
	if p.Command != "undo" || !ok || move.Verb != past.CmdMove {
		return
	}
	dir := untitled(move.Store)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return
	}
	there, missing := 0, 0
	for _, s := range done {
		if s.Kind == memstore.KindDir || s.OldPath != "" || s.Expect != nil && !s.Remove {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(memstore.BackendName(s.Path)))); err == nil {
			there++
		} else if memstore.IsAbsent(err) {
			missing++
		}
	}
	next := fmt.Sprintf("%s undo %s%s", session.Program, run.State().Words(), session.Typed(dir))
	switch {
	case move.To && there > 0:
		run.Say(fmt.Sprintf("%s keeps its copy. Undo it too: %s", move.Store, next))
	case !move.To && missing > 0:
		run.Say(fmt.Sprintf("%s has no copy of %s. Undo the move there too: %s", move.Store, output.Counted(missing, "note"), next))
	}
}

// untitled is the directory that [session.Title] names.
func untitled(title string) string {
	if rest, short := text.CutTilde(title); short {
		if home, err := os.UserHomeDir(); err == nil && home != "" {
			return filepath.Join(home, rest)
		}
	}
	return title
}
