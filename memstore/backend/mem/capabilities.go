package mem

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
)

// Follow implements [backend.Follower].
func (m *Memory) Follow(name string) (string, error) {
	release, err := m.use()
	if err != nil {
		return "", err
	}
	defer release()
	w := memFollow{at: ".", todo: strings.Split(name, "/"), open: map[string]bool{}}
	for len(w.todo) > 0 {
		if err := w.step(m); err != nil {
			return "", memError("follow", name, err)
		}
	}
	switch {
	case w.out:
		return "", memError("follow", name, backend.ErrEscapes)
	case w.blind:
		return w.at, memError("follow", name, backend.ErrLinkLoop)
	}
	return w.at, nil
}

// memFollow is the state of following one name, like walk for a directory.
type memFollow struct {
	at    string
	out   bool // in the directory above the store, which has no other entries
	todo  []string
	links int
	open  map[string]bool // links being followed; their ends are in todo, with a slash
	blind bool            // reached a link while following it
}

func (w *memFollow) step(m *Memory) error {
	segment := w.todo[0]
	w.todo = w.todo[1:]
	switch {
	case segment == "" || segment == ".":
		return nil
	case segment[0] == '/':
		delete(w.open, segment)
		return nil
	case w.out && segment == "..":
		return nil
	case w.out && segment == backend.Root[1:]:
		w.at, w.out = ".", false
		return nil
	case w.out:
		return backend.ErrEscapes
	case segment == "..":
		w.out = w.at == "."
		w.at = path.Dir(w.at)
		return nil
	}
	here := backend.JoinName(w.at, segment)
	found, err := m.find(here, false)
	if w.blind || err != nil || found.node.info.Kind != backend.KindLink {
		w.at = here
		return nil
	}
	if w.links++; w.links > backend.MaxLinks {
		return backend.ErrLinkLoop
	}
	key := "/" + here
	if w.blind = w.open[key]; w.blind {
		w.at = here
		return nil
	}
	w.open[key] = true
	target := found.node.link
	w.out = strings.HasPrefix(target, "/")
	w.todo = slices.Concat(strings.Split(target, "/"), []string{key}, w.todo)
	return nil
}

// MakeFolder implements [backend.FolderMaker].
func (m *Memory) MakeFolder(name string) error {
	return m.add(name, backend.KindDir, func(*memNode) {})
}

// ReplaceLink implements [backend.LinkReplacer].
func (m *Memory) ReplaceLink(name string, data []byte) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.find(name, false)
	if err != nil || at.node.info.Kind != backend.KindLink {
		return memError("replace", name, backend.ErrChanged)
	}
	n := m.node(backend.KindFile)
	n.data = bytes.Clone(data)
	at.parent().set(path.Base(name), n)
	return nil
}

// SetModTime implements [backend.TimeKeeper].
func (m *Memory) SetModTime(name string, at time.Time) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	found, err := m.find(name, false)
	if err != nil {
		return memError("chtimes", name, err)
	}
	found.node.info.ModTime = at
	return nil
}
