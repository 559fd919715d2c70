package mem

import (
	"time"

	"memcurator/memstore/backend"
)

// MakeFolder implements [backend.FolderMaker].
func (m *Memory) MakeFolder(name string) error {
	return m.add(name, backend.KindDir, func(*memNode) {})
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
