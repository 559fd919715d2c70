package tui

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/statedir"
)

// layoutFile is in the state folder of a store.
const layoutFile = "layout.json"

// maxLayout bounds the file of the layout, in bytes; a longer one is not ours.
const maxLayout = 8 << 20

// layoutState is what is remembered of a store from one run to the next. It is in the store's state folder, never in the store; the zero
// value is how a new user starts. Nothing here is needed to work: what can't be read or written is left out.
type layoutState struct {
	Looked   int64    `json:"looked,omitempty"`   // when the user saw the store last, in seconds since 1970; 0: unknown
	Unfolded []string `json:"unfolded,omitempty"` // agent paths of folders; nil: as at the first start
	Selected string   `json:"selected,omitempty"` // agent path
	Tab      string   `json:"tab,omitempty"`      // its title
}

// loadLayout reads what is remembered in a state folder; "": nothing.
func loadLayout(folder string) (s layoutState) {
	if folder == "" {
		return s
	}
	name := filepath.Join(folder, layoutFile)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s
	case err == nil && (!info.Mode().IsRegular() || info.Size() > maxLayout): // opening a pipe would wait for a writer
		err = errors.New("not a layout")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(name)
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return layoutState{}
	}
	return s
}

// saveLayout remembers the layout when the store is left, for the owner of the folder only.
func (m *Model) saveLayout() {
	folder := m.options.StateDir
	if folder == "" {
		return
	}
	unfolded, selected, tab := m.browse.Remembered()
	data, err := json.MarshalIndent(layoutState{
		Looked: m.env.Now().Unix(), Unfolded: unfolded, Selected: selected,
		Tab: m.browse.Tabs.Title(tab),
	}, "", " ")
	if err == nil {
		_ = statedir.WriteFile(filepath.Join(folder, layoutFile), data) // nothing of it is needed to work
	}
}

// looked is when the user saw the store last before this start; zero: never.
func (s layoutState) looked() time.Time {
	if s.Looked <= 0 {
		return time.Time{}
	}
	return time.Unix(s.Looked, 0)
}
