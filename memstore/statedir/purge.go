package statedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What the user interface and the replay keep. A purge searches it in the folders of all stores: what the user typed
// in one store, as the words of a search of all, may be a value of another.
const (
	// LayoutFile is in the state folder of a store: its layout, and what the user typed there.
	LayoutFile = "layout.json"
	// ListFile is beside the state folders: how the list of all stores is arranged.
	ListFile = "stores.json"
	// purgeFile is beside them, too: its time is that of the last purge.
	purgeFile = "purged"
)

// Typed lists the files below dir that may hold what the user typed, or the paths of files elsewhere: those of the interface, and
// what a killed write left of them.
func Typed(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		name, left := strings.CutSuffix(e.Name(), ".tmp")
		for _, of := range []string{LayoutFile, ListFile} {
			if e.Type().IsRegular() && (name == of || left && strings.HasPrefix(name, of+".")) {
				names = append(names, filepath.Join(dir, e.Name()))
			}
		}
	}
	return names, err
}

// NotePurge records that a purge cleaned the files of the interface below base, so that one that runs doesn't write again what it holds.
func NotePurge(base string) error {
	name := filepath.Join(base, purgeFile)
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(name, now, now) // an empty file that is written again keeps its time on some systems
}

// LastPurge is when the last purge cleaned the files of the interface below base, in nanoseconds since 1970; 0: never.
func LastPurge(base string) int64 {
	info, err := os.Stat(filepath.Join(base, purgeFile))
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}
