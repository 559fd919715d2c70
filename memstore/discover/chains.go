package discover

import (
	"context"
	"path/filepath"
	"strings"

	"memcurator/memstore/backend/chain"
	"memcurator/memstore/load"
)

// chainHomes are the folders in which the agents of chains keep what is the user's.
var chainHomes = map[string]func(Machine) []string{
	claudeCode.name: claudeHome,
	codex.name:      codexHome,
	geminiCLI.name:  geminiHome,
}

// nearest are the paths that name the chains for a session in a folder: of each agent, the instruction file in that folder, or else in the
// nearest one above it.
func (m Machine) nearest(folder string, found func(a chain.Agent, file, in string)) {
	for _, a := range chain.Agents() {
		for at := folder; at != ""; {
			if m.above(at == folder, a.Name, at, func() bool { return m.instructed(a, at) }) {
				found(a, filepath.Join(at, a.File), at)
				break
			}
			if !a.Above && m.hasRepository(at, at == folder) {
				break
			}
			up, _ := split(at)
			if up == at || !a.Above && !m.inRepository(up) {
				break
			}
			at = up
		}
	}
}

// inRepository reports whether a folder is, or is within, a repository.
func (m Machine) inRepository(folder string) bool {
	for at := folder; at != ""; at, _ = split(at) {
		if m.hasRepository(at, false) {
			return true
		}
	}
	return false
}

// hasRepository reports whether a folder has a repository in it. first is set for the folder of a session, and not for one above it.
func (m Machine) hasRepository(folder string, first bool) bool {
	return m.above(first, ".git", folder, func() bool { return m.exists(filepath.Join(folder, ".git")) })
}

// above answers a question about a folder. Many projects share the folders above them, so a run asks about each of those once.
func (m Machine) above(first bool, question, folder string, ask func() bool) bool {
	if first || m.seen == nil {
		return ask()
	}
	key := question + "\x00" + folder
	if known, ok := m.seen.above.Load(key); ok {
		return known.(bool)
	}
	answer := ask()
	m.seen.above.Store(key, answer)
	return answer
}

// instructed reports whether a folder itself holds instruction files of an agent. The user's own are those of no folder.
func (m Machine) instructed(a chain.Agent, folder string) bool {
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
func (m Machine) ofUser(a chain.Agent, file string) bool {
	homes := chainHomes[a.Name]
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

// userChains are the paths that name the chains of the user's own instruction files, for no project.
func (m Machine) userChains(found func(a chain.Agent, file string)) {
	for _, a := range chain.Agents() {
		for _, home := range chainHomes[a.Name](m) {
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
	info, err := m.Files.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (m Machine) exists(path string) bool {
	_, err := m.Files.Stat(path)
	return err == nil
}

// ruleOf returns the rule by which an agent loads a chain. The chain itself knows its files.
func ruleOf(a chain.Agent) load.Rule {
	if a.Off != "" {
		return load.Rule{Source: a.Source, Off: a.Off}
	}
	return load.Rule{Files: []string{"**"}, Bytes: a.Limit, Together: a.Limit > 0, Stripped: a.Stripped, Source: a.Source}
}

// open opens a chain; nil if that can't be done here.
func (m Machine) open(file string) *chain.Chain {
	if !m.chains {
		return nil
	}
	on := chain.Machine{System: m.System, Home: m.Home, Getenv: m.Getenv}
	if m.seen != nil {
		on.Settings = &m.seen.chains
	}
	c, err := chain.Open(file, on)
	if err != nil {
		return nil
	}
	return c
}

// chainLoad returns the load rule of the chain that a path names; false if it names none.
func (m Machine) chainLoad(file string) (load.Rule, bool) {
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

// chainRow is the row of a chain.
func chainRow(a chain.Agent, file, root string) row {
	return row{
		Found: Found{Path: file, Dir: file, Kind: KindChain, Agent: a.Name, Project: root, Root: root, Load: ruleOf(a)},
		place: place{kind: KindChain, rule: ruleOf(a)}, look: look{dir: file, root: root},
	}
}

// namedChain is the row of a chain of the configuration, which is named by its instruction file.
func (m Machine) namedChain(p Place) (r row, ok bool) {
	dir, base := split(p.Dir)
	for _, a := range chain.Agents() {
		if a.File != base || m.isDir(p.Dir) || !m.instructed(a, dir) && !m.isFile(p.Dir) {
			continue
		}
		root := dir
		if m.ofUser(a, p.Dir) {
			root = ""
		}
		r = chainRow(a, p.Dir, root)
		r.Name, r.Real = p.Name, filepath.Join(m.resolved(dir), base)
		return r, true
	}
	return row{}, false
}

// addChain adds the row of a chain.
func (f *finder) addChain(a chain.Agent, file, root string) {
	r := chainRow(a, file, root)
	dir, base := split(file)
	r.Real = filepath.Join(f.resolved(dir), base)
	f.send(func() { f.add(r) })
}

// measure counts the files of a chain.
func (c *counter) measure(ctx context.Context) {
	opened := c.open(c.found.Path)
	if opened == nil {
		c.nearby()
		return
	}
	defer func() { _ = opened.Close() }() // it was only read
	c.found.Load = ruleOf(opened.Agent())
	pieces, err := opened.Pieces(ctx)
	if err != nil {
		c.found.Problem = problemOf(err)
	}
	c.found.Documents = opened.Documents()
	for _, p := range pieces {
		if p.Name == "" {
			continue
		}
		c.found.Files++
		c.found.Bytes += p.Size
		if p.Changed.After(c.found.Newest) {
			c.found.Newest = p.Changed
		}
	}
}

// nearby counts the files of a chain that are in the folder by which it is named.
func (c *counter) nearby() {
	dir, base := split(c.found.Path)
	for _, a := range chain.Agents() {
		if a.File != base {
			continue
		}
		for _, f := range a.Files {
			if info, err := c.Files.Stat(under(dir, strings.Split(f, "/")...)); err == nil && info.Mode().IsRegular() {
				c.found.Files++
				c.found.Bytes += info.Size()
				if info.ModTime().After(c.found.Newest) {
					c.found.Newest = info.ModTime()
				}
			}
		}
	}
}
