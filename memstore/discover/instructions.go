package discover

import (
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/files"
	"memcurator/memstore/load"
)

// instructed reports whether a folder itself holds instruction files of an agent. The user's own are those of no folder.
func (m Machine) instructed(a files.Agent, folder string) bool {
	return slices.ContainsFunc(a.Files, func(name string) bool {
		file := filepath.Join(folder, filepath.FromSlash(name))
		return m.isFile(file) && !m.ofUser(a, file)
	})
}

// ofUser reports whether a file is in the folder that an agent keeps for the user.
func (m Machine) ofUser(a files.Agent, file string) bool {
	home := a.UserFolder(m.filesOn())
	return home != "" && samePath(filepath.Dir(file), home)
}

// userInstructions are the user's own instruction files, for no project.
func (m Machine) userInstructions() (list []row) {
	for _, a := range files.Agents() {
		home := a.UserFolder(m.filesOn())
		if home != "" && slices.ContainsFunc(a.UserFiles, func(name string) bool { return m.isFile(filepath.Join(home, name)) }) {
			list = append(list, m.instructionRow(a, filepath.Join(home, a.File), ""))
		}
	}
	return list
}

func (m Machine) filesOn() files.Machine { return files.Machine{Home: m.Home, Getenv: m.Getenv} }

func (m Machine) isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// ruleOf returns the rule by which an agent loads instruction files. Their store knows which.
func ruleOf(a files.Agent) load.Rule {
	return load.Rule{Files: []string{"**"}, Bytes: a.Limit, Together: a.Limit > 0, Stripped: a.Stripped, Source: a.Source}
}

// open opens the store of instruction files that a path names; nil if that can't be done here.
func (m Machine) open(file string) *files.Folder {
	c, err := files.Open(file, m.filesOn())
	if err != nil {
		return nil
	}
	return c
}

// instructionRow is the row of the instruction files of a folder.
func (m Machine) instructionRow(a files.Agent, file, root string) row {
	r := row{
		Found: Found{Path: file, Kind: KindInstructions, Agent: a.Name, Project: root, Root: root, Load: ruleOf(a)},
		place: place{kind: KindInstructions, rule: ruleOf(a)}, look: look{dir: file, root: root},
	}
	r.Real, _ = m.checked(r.Found)
	return r
}

// countInstructions counts the instruction files of a folder.
func (c *counter) countInstructions() {
	store := c.open(c.found.Path)
	if store == nil {
		return
	}
	defer func() { _ = store.Close() }() // it was only read
	snapshot, err := backend.Scan(c.ctx, store, backend.ScanOptions{})
	if err != nil {
		c.found.Problem = problemOf(err)
		return
	}
	snapshot.Walk(func(_ string, n *backend.Node) bool {
		if n.Kind == backend.KindFile {
			c.add(n.Size, n.ModTime)
		}
		return true
	})
}
