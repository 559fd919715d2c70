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
	rest, ok := strings.CutPrefix(path, r.OldPath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return r.Path + rest, true
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
