package discover

import (
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore/backend/files"
	"memcurator/memstore/load"
)

// instructionHomes are the folders in which agents with instruction files keep what is the user's.
var instructionHomes = map[string]func(Machine) []string{
	claudeCode.name: claudeHome,
	codex.name:      codexHome,
	geminiCLI.name:  geminiHome,
}

// instructed reports whether a folder itself holds instruction files of an agent. The user's own are those of no folder.
func (m Machine) instructed(a files.Agent, folder string) bool {
	for _, f := range a.Files {
		if strings.HasSuffix(f, "/") || m.ofUser(a, under(folder, strings.Split(f, "/")...)) {
			continue
		}
		if m.isFile(under(folder, strings.Split(f, "/")...)) {
			return true
		}
	}
	return false
}

// ofUser reports whether a file is in the folder that an agent keeps for the user.
func (m Machine) ofUser(a files.Agent, file string) bool {
	homes := instructionHomes[a.Name]
	if homes == nil { // a document that belongs to no agent
		return false
	}
	dir, _ := split(file)
	for _, home := range homes(m) {
		if home != "" && samePath(dir, home) {
			return true
		}
	}
	return false
}

// userInstructions are the paths that name the user's own instruction files, for no project.
func (m Machine) userInstructions(found func(a files.Agent, file string)) {
	for _, a := range files.Agents() {
		for _, home := range instructionHomes[a.Name](m) {
			for _, f := range a.UserFiles {
				if home != "" && !strings.HasSuffix(f, "/") && m.isFile(filepath.Join(home, f)) {
					found(a, filepath.Join(home, a.File))
					break
				}
			}
		}
	}
}

func (m Machine) isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (m Machine) exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ruleOf returns the rule by which an agent loads instruction files. Their store knows which.
func ruleOf(a files.Agent) load.Rule {
	return load.Rule{Files: []string{"**"}, Bytes: a.Limit, Together: a.Limit > 0, Stripped: a.Stripped, Source: a.Source}
}

// open opens the store of instruction files that a path names; nil if that can't be done here.
func (m Machine) open(file string) *files.Folder {
	c, err := files.Open(file, files.Machine{Home: m.Home, Getenv: m.Getenv})
	if err != nil {
		return nil
	}
	return c
}

// instructionLoad returns the load rule of the instruction files that a path names; false if it names none.
func (m Machine) instructionLoad(file string) (load.Rule, bool) {
	if m.isDir(file) {
		return load.Rule{}, false
	}
	c := m.open(file)
	if c == nil {
		return load.Rule{}, false
	}
	defer func() { _ = c.Close() }() // it was only read
	return ruleOf(c.Agent()), true
}

// instructionRow is the row of the instruction files of a folder.
func instructionRow(a files.Agent, file, root string) row {
	return row{
		Found: Found{Path: file, Dir: file, Kind: KindInstructions, Agent: a.Name, Project: root, Root: root, Load: ruleOf(a)},
		place: place{kind: KindInstructions, rule: ruleOf(a)}, look: look{dir: file, root: root},
	}
}

// countInstructions counts the instruction files of a folder.
func (c *counter) countInstructions() {
	if rule, ok := c.instructionLoad(c.found.Path); ok {
		c.found.Load = rule
	}
	dir, base := split(c.found.Path)
	for _, a := range files.Agents() {
		if a.File != base {
			continue
		}
		names := a.Files
		if c.ofUser(a, c.found.Path) {
			names = a.UserFiles
		}
		for _, f := range names {
			at := under(dir, strings.Split(strings.TrimSuffix(f, "/"), "/")...)
			info, err := os.Stat(at)
			switch {
			case err != nil:
			case info.IsDir() && strings.HasSuffix(f, "/"):
				c.look(at, 1)
			case info.Mode().IsRegular():
				c.found.Files++
				c.found.Bytes += info.Size()
				if info.ModTime().After(c.found.Newest) {
					c.found.Newest = info.ModTime()
				}
			}
		}
	}
}
