package discover

import (
	"io/fs"
	"strings"
)

// known are files of which the names in one folder were listed, so that the disk isn't asked for what isn't there: a project has few of
// the places in which agents may keep a memory.
type known struct {
	Files
	root  string // the folder
	names map[string]bool
	fold  bool // the case of names doesn't count
}

// mostNames bounds the folders that are listed for that; in a larger one the disk is asked.
const mostNames = 2000

// knowing is the machine that has listed the names in a folder.
func (m Machine) knowing(root string) Machine {
	entries, err := m.Files.ReadDir(root, mostNames)
	if err != nil || len(entries) == mostNames {
		return m
	}
	k := known{Files: m.Files, root: root, names: make(map[string]bool, len(entries)), fold: m.System != "linux"}
	for _, e := range entries {
		k.names[k.folded(e.Name())] = true
	}
	m.Files = k
	return m
}

func (k known) folded(name string) string {
	if k.fold {
		return strings.ToLower(name)
	}
	return name
}

// lacks reports whether a path is below the folder, by a name that it doesn't have.
func (k known) lacks(path string) bool {
	rest, below := strings.CutPrefix(path, k.root)
	if !below || rest == "" || !isSeparator(rune(rest[0])) {
		return false
	}
	name := rest[1:]
	if end := strings.IndexFunc(name, isSeparator); end >= 0 {
		name = name[:end]
	}
	return name != "" && !k.names[k.folded(name)]
}

// Stat implements [Files].
func (k known) Stat(path string) (fs.FileInfo, error) {
	if k.lacks(path) {
		return nil, fs.ErrNotExist
	}
	return k.Files.Stat(path)
}

// ReadDir implements [Files].
func (k known) ReadDir(path string, n int) ([]fs.DirEntry, error) {
	if k.lacks(path) {
		return nil, fs.ErrNotExist
	}
	return k.Files.ReadDir(path, n)
}
