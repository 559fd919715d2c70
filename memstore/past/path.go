package past

import (
	"slices"
	"strings"

	"memcurator/memstore"
)

// MovedTo is where a rename moved path, which may be below the renamed folder; false: the revision did not move it.
func (r *Revision) MovedTo(path string) (string, bool) {
	if r.OldPath == "" {
		return "", false
	}
	return Moved(path, r.OldPath, r.Path)
}

// Moved is path after from was moved to another path; ok is false if path is neither from nor below it.
func Moved(path, from, to string) (_ string, ok bool) {
	rest, ok := strings.CutPrefix(path, from)
	if !ok || rest != "" && rest[0] != '/' {
		return path, false
	}
	return to + rest, true
}

// reversals are the commands of what is done to older changes.
var reversals = []string{"undo", "redo", "revert"}

// Renaming are the commands that may have moved a file.
var Renaming = append([]string{memstore.CmdRename}, reversals...)

// UndidFolder reports whether an undo removed a folder, which the act that it undid had made: there is nothing to restore from the trash.
func (r *Revision) UndidFolder() bool {
	return r.Kind == memstore.KindDir && slices.Contains(reversals, r.Command)
}

// PutsBack reports whether a command brings back what was there before.
func PutsBack(command string) bool {
	return command == "restore" || slices.Contains(reversals, command)
}
