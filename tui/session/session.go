// Package session is what the user interface remembers of a store from one run to the
// next: layout, place, history. It is in layout.json in the store's state folder, never
// in the store. The root of the interface fills and reads a [State]; only this package
// touches the file. Nothing here is needed to work: what cannot be read or written is
// left out, and the caller logs why.
package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"memcurator/memstore/statedir"
)

// version is raised when a field changes its meaning; other versions are not read.
const version = 1

// file is the name in the state folder.
const file = statedir.LayoutFile

// Bounds of what is kept, so that the file stays small whatever the store holds.
const (
	maxFile     = 8 << 20 // bytes; a longer file is not ours
	maxUnfolded = 10_000  // folders
	maxPlaces   = 100     // files
	maxHistory  = 200     // lines of each kind
	maxLine     = 4 << 10 // bytes of one line of history
	maxWidth    = 10_000  // cells
)

// State is what is remembered. The zero value of every field is how a new user starts.
type State struct {
	Version    int      `json:"version"`
	TreeWidth  int      `json:"tree_width,omitempty"` // cells, as dragged; 0: by the screen
	Zoom       bool     `json:"zoom,omitempty"`
	Sort       string   `json:"sort,omitempty"`
	HideHidden bool     `json:"hide_hidden,omitempty"`
	Unfolded   []string `json:"unfolded,omitempty"` // agent paths of folders; nil: as at the first start
	Selected   string   `json:"selected,omitempty"` // agent path
	Filter     string   `json:"filter,omitempty"`   // of the tree
	Changes    string   `json:"changes,omitempty"`  // the filter of the Changes screen
	Tab        string   `json:"tab,omitempty"`      // its title
	CutLines   bool     `json:"cut_lines,omitempty"`
	MouseOff   bool     `json:"mouse_off,omitempty"`
	Looked     int64    `json:"looked,omitempty"` // when the user saw the store last, in seconds since 1970; 0: unknown
	Places     []Place  `json:"places,omitempty"` // of files viewed, the last one first

	// Theme was chosen by key while ThemeOver was the theme of flags and configuration. It
	// counts only as long as those still say the same.
	Theme     string `json:"theme,omitempty"`
	ThemeOver string `json:"theme_over,omitempty"`

	// ScreenOver is what the configuration said about Sort, HideHidden, CutLines and MouseOff when they
	// were remembered; they count only as long as it still says the same.
	ScreenOver string `json:"screen_over,omitempty"`

	// Index is "keep" if the user wants indexes to follow what is deleted and moved.
	Index string `json:"index,omitempty"`

	// History holds typed lines, oldest first, by what they were typed for.
	History map[string][]string `json:"history,omitempty"`
}

// Place is where the user was in a file: lines of the file, from 0.
type Place struct {
	Path string `json:"path"`
	Top  int    `json:"top"` // the first line on the screen
	Line int    `json:"line"`
}

// Load reads what is remembered in the state folder dir; a zero State when there is nothing.
// The error explains, for the log, why the file was ignored.
func Load(dir string) (State, error) {
	name := filepath.Join(dir, file)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for a writer, and the start for it
		return State{}, fmt.Errorf("%s is not a regular file", file)
	}
	f, err := os.Open(name)
	if err != nil {
		return State{}, err
	}
	defer f.Close() // opened for reading: nothing can be lost here
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return State{}, err
	}
	if len(data) > maxFile {
		return State{}, fmt.Errorf("%s is longer than %d bytes", file, maxFile)
	}
	return decode(data)
}

func decode(data []byte) (State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return State{}, fmt.Errorf("%s: %w", file, err)
	}
	if s.Version != version {
		return State{}, fmt.Errorf("%s has version %d, this program reads %d", file, s.Version, version)
	}
	s.bound()
	return s, nil
}

// bound holds a state to the limits, regardless of who wrote it.
func (s *State) bound() {
	s.Version = version
	s.TreeWidth = max(0, min(s.TreeWidth, maxWidth))
	s.Unfolded = writable(s.Unfolded[:min(len(s.Unfolded), maxUnfolded)])
	places := s.Places[:min(len(s.Places), maxPlaces)]
	s.Places = nil
	for _, p := range places {
		if utf8.ValidString(p.Path) && p.Top >= 0 && p.Line >= 0 {
			s.Places = append(s.Places, p)
		}
	}
	for purpose, lines := range s.History {
		s.History[purpose] = writable(lines[max(0, len(lines)-maxHistory):])
	}
	for _, text := range []*string{&s.Selected, &s.Filter, &s.Changes} {
		if !utf8.ValidString(*text) || len(*text) > maxLine {
			*text = ""
		}
	}
}

// writable leaves out what JSON cannot hold, names of any bytes, and what is too long.
func writable(lines []string) []string {
	if lines == nil {
		return nil
	}
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		if utf8.ValidString(l) && len(l) <= maxLine {
			out = append(out, l)
		}
	}
	return out
}

// Keeper writes states into one state folder. Safe for concurrent use.
type Keeper struct {
	dir string

	mu      sync.Mutex
	last    []byte                // what was written last
	purges  func() (int64, error) // nil: no one purges
	seen    int64                 // how many purges there were
	purged  int64                 // when the last purge of any store was, see [statedir.LastPurge]
	dropped map[string]bool       // texts that are written no more
	secret  func(string) bool     // whether a typed line holds a secret; nil: no one knows
	checked map[string]bool       // its answers
}

// NewKeeper keeps in the state folder dir, which exists.
func NewKeeper(dir string) *Keeper {
	return &Keeper{dir: dir, purged: statedir.LastPurge(filepath.Dir(dir))}
}

// Save writes s, unless it is what was written last: whole or not at all, for the owner
// only. If two programs save concurrently, the last one wins.
func (k *Keeper) Save(s State) error {
	s.bound()
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.notice(s); err != nil {
		return err
	}
	if len(k.dropped) > 0 {
		s = k.without(s)
	}
	s = k.harmless(s)
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	if string(data) == string(k.last) {
		return nil
	}
	if err := replace(filepath.Join(k.dir, file), append(data, '\n')); err != nil {
		return err
	}
	k.last = data
	return nil
}

// replace writes a file beside its place and moves it there.
func replace(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), file+".*.tmp") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
