package memstore

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"time"
)

// Follow implements [Follower].
func (m *Memory) Follow(name string) (string, error) {
	release, err := m.use()
	if err != nil {
		return "", err
	}
	defer release()
	at := "."
	todo := strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		segment := todo[0]
		todo = todo[1:]
		switch {
		case segment == "" || segment == ".":
			continue
		case segment == ".." && at == ".":
			return "", memError("follow", name, ErrEscapes)
		case segment == "..":
			at = path.Dir(at)
			continue
		}
		here := joinName(at, segment)
		found, err := m.find(here, false)
		if err != nil || found.node.info.Kind != KindLink {
			at = here
			continue
		}
		if links++; links > maxLinks {
			return "", memError("follow", name, ErrLinkLoop)
		}
		target := found.node.link
		if strings.HasPrefix(target, "/") {
			inside, ok := strings.CutPrefix(path.Clean(target), Root)
			if !ok || (inside != "" && inside[0] != '/') {
				return "", memError("follow", name, ErrEscapes)
			}
			target, at = inside, "."
		}
		todo = slices.Concat(strings.Split(target, "/"), todo)
	}
	return at, nil
}

// MakeFolder implements [FolderMaker].
func (m *Memory) MakeFolder(name string) error {
	return m.add(name, KindDir, func(*memNode) {})
}

// ReplaceLink implements [LinkReplacer].
func (m *Memory) ReplaceLink(name string, data []byte) error {
	release, err := m.change()
	if err != nil {
		return err
	}
	defer release()
	at, err := m.find(name, false)
	if err != nil || at.node.info.Kind != KindLink {
		return memError("replace", name, ErrChanged)
	}
	n := m.node(KindFile)
	n.data = bytes.Clone(data)
	at.parent().set(path.Base(name), n)
	return nil
}

// SetModTime implements [TimeKeeper].
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
