package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"unicode/utf8"

	"memcurator/memstore/statedir"
)

// List is how the user arranged the list of all stores.
type List struct {
	Order    string   `json:"order,omitempty"`
	Filter   string   `json:"filter,omitempty"`
	Folded   []string `json:"folded,omitempty"` // agents
	Empty    bool     `json:"empty,omitempty"`  // stores without notes are listed, too
	Selected string   `json:"selected,omitempty"`
}

const (
	// listFile is beside the state folders of the stores.
	listFile = statedir.ListFile
	// maxList bounds that file, in bytes.
	maxList = 256 << 10
	// maxFolded bounds the agents in it.
	maxFolded = 1000
)

// LoadList reads how the list was arranged; base is the folder of the state folders of all stores. Without the file, or with a damaged one,
// the list is that of a new user.
func LoadList(base string) (l List) {
	name := filepath.Join(base, listFile)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxList {
		return List{}
	}
	data, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(data, &l) != nil {
		return List{}
	}
	return l.bounded()
}

// SaveList records how the list is arranged, for the owner only.
func SaveList(base string, l List) error {
	data, err := json.Marshal(l.bounded())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return err
	}
	return replace(filepath.Join(base, listFile), append(data, '\n'))
}

// bounded is l without what JSON can't hold, and within the limits.
func (l List) bounded() List {
	l.Folded = writable(l.Folded[:min(len(l.Folded), maxFolded)])
	for _, text := range []*string{&l.Order, &l.Filter, &l.Selected} {
		if !utf8.ValidString(*text) || len(*text) > maxLine {
			*text = ""
		}
	}
	return l
}
