package transfer

import (
	"os"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

// OtherHalf finds the other store of an undone move if notes are now in both stores, or in neither: each store has its half of the move in
// its own journal, and an interrupted move that was run again has two acts in one of them. It returns the directory, and the consequence
// as a sentence for people without a full stop, followed by what to do; two empty texts if all is well.
func OtherHalf(p *undo.Plan, done []undo.PlannedStep) (dir, said, next string) {
	move, ok := past.ParseTransfer(p.Title)
	if p.Command != "undo" || !ok || move.Verb != past.CmdMove {
		return "", "", ""
	}
	dir = untitled(move.Store)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "", ""
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
	switch {
	case move.To && there > 0:
		return dir, move.Store + " keeps its copy", "Undo it too"
	case !move.To && missing > 0:
		return dir, move.Store + " has no copy of " + text.Count(missing, "note"), "Undo the move there too"
	}
	return "", "", ""
}

// untitled is the directory that a title names, with a tilde for the home folder.
func untitled(title string) string {
	if rest, short := text.CutTilde(title); short {
		if home, err := os.UserHomeDir(); err == nil && home != "" {
			return filepath.Join(home, rest)
		}
	}
	return title
}
