package chain

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Chain is the [backend.Backend] of the instruction files for one folder. It is safe for concurrent use.
type Chain struct {
	agent   Agent
	machine Machine
	file    string   // names the chain
	within  []string // the folders from the project's down to that of the chain, relative to the project's
	project *mount
	user    *mount   // nil if it is unknown
	mounts  []*mount // in the order in which the agent reads them; the last is the project

	mu     sync.Mutex
	known  *scene            // nil after a write
	others map[string]*mount // folders elsewhere, by their paths
	texts  map[string]facts  // by path on disk
}

// facts describe the text of a file.
type facts struct {
	id          backend.FileID
	size        int64
	changed     time.Time
	mentions    []mention
	conditional bool // the front matter has paths
	blank       bool
}

// Open opens the chain that an instruction file belongs to. Any other document is a chain of its own: a store of one file. The error is
// [backend.ErrNotExist] if the folder is missing, and [backend.ErrNotRegular] for a file that is neither.
func Open(file string, m Machine) (*Chain, error) {
	agent, named, ok := Locate(file, m)
	if !ok {
		return openAlone(file)
	}
	home, err := filepath.EvalSymlinks(filepath.Dir(named))
	if err != nil {
		return nil, err
	}
	at := agent.folder(agent.user, m)
	if agent.tune != nil {
		agent.tune(&agent, m, at, home)
	}
	c := &Chain{agent: agent, machine: m, file: filepath.Join(home, agent.File), others: map[string]*mount{}, texts: map[string]facts{}}
	if at := agent.folder(agent.system, m); at != "" && at != home {
		c.mounts = append(c.mounts, &mount{name: "1-system", disk: at, owner: forSystem})
	}
	root := agent.projectOf(home)
	if at == home {
		root = home // the user's own files, for no project
	}
	if at != "" {
		c.user = &mount{name: "2-user", disk: at, owner: forUser}
		c.mounts = append(c.mounts, c.user)
	}
	if agent.Above && at != home {
		c.mounts = append(c.mounts, above(root)...)
	}
	c.project = &mount{name: "4-project", disk: root, owner: forProject}
	if at == home {
		c.project = c.user
	} else {
		c.mounts = append(c.mounts, c.project)
	}
	rel, _ := relTo(root, home)
	c.within = downTo(rel)
	if _, _, err := c.project.open(false); err != nil {
		return nil, err
	}
	return c, nil
}

// openAlone opens a document that no agent reads by its name. Its name in the store is its own.
func openAlone(file string) (*Chain, error) {
	full, err := filepath.Abs(file)
	if err == nil && !IsDocument(full) {
		err = &os.PathError{Op: "open", Path: file, Err: backend.ErrNotRegular}
	}
	if err != nil {
		return nil, err
	}
	home, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return nil, err
	}
	base := filepath.Base(full)
	c := &Chain{
		agent: Agent{File: base, Files: []string{base}}, file: filepath.Join(home, base), within: []string{"."},
		project: &mount{name: ".", disk: home, owner: forProject}, others: map[string]*mount{}, texts: map[string]facts{},
	}
	c.mounts = []*mount{c.project}
	_, _, err = c.project.open(false)
	return c, err
}

// exists reports whether something is at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// above are the folders above a project but for the topmost, from the top.
func above(root string) (list []*mount) {
	for at := filepath.Dir(root); at != filepath.Dir(at) && len(list) < mostAncestry; at = filepath.Dir(at) {
		list = append(list, &mount{disk: at, owner: forAbove})
	}
	slices.Reverse(list)
	for i, m := range list {
		m.name = fmt.Sprintf("3-above/%02d", i+1)
	}
	return list
}

// downTo are the folders from "." to rel.
func downTo(rel string) []string {
	list := []string{"."}
	if rel == "." || rel == "" {
		return list
	}
	at := "."
	for s := range strings.SplitSeq(rel, "/") {
		at = path.Join(at, s)
		list = append(list, at)
	}
	return list
}

// Agent returns the agent that reads the chain, as its settings on this machine have it.
func (c *Chain) Agent() Agent { return c.agent }

// File returns the path that names the chain. There need not be a file.
func (c *Chain) File() string { return c.file }

// Project returns the folder of the project.
func (c *Chain) Project() string { return c.project.disk }

// surveyShare is how many times as long as a survey takes it may be used again. Small chains are surveyed each time.
const (
	surveyShare = 50
	surveyFree  = time.Millisecond
)

// look returns the chain as it is. With hasty, a recent survey will do, for a name that is in it.
func (c *Chain) look(hasty bool) *scene {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil {
		age := time.Since(known.at)
		if known.cost > surveyFree && age < surveyShare*known.cost || hasty && age < 10*surveyFree {
			return known
		}
	}
	now := c.survey()
	c.mu.Lock()
	c.known = now
	c.mu.Unlock()
	return now
}

// forget makes the next call survey the chain again.
func (c *Chain) forget() {
	c.mu.Lock()
	c.known = nil
	c.mu.Unlock()
}

// there fails if the folder of the project is gone.
func (c *Chain) there() error {
	return c.project.use(false, func(d *dir.Dir) error {
		_, err := d.Lstat(".")
		return err
	})
}

// elsewhere returns the mount of a folder that only imports and links lead to.
func (c *Chain) elsewhere(disk string) *mount {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.others[disk]
	if m == nil {
		m = &mount{disk: disk, owner: elsewhere}
		c.others[disk] = m
	}
	return m
}

// isRule reports whether a part is in a folder of rules.
func (c *Chain) isRule(p *part) bool {
	for _, folder := range append(rulesOf(c.agent.Files), rulesOf(c.agent.UserFiles)...) {
		if strings.Contains("/"+onDisk(p.name)+"/", "/"+folder+"/") {
			return true
		}
	}
	return false
}

// resolve returns the absolute path that an import in a file of a folder leads to; "" for one that can't be followed.
func (c *Chain) resolve(written, from string) string {
	s := c.agent.Imports
	switch {
	case written == "":
		return ""
	case s.Home && strings.HasPrefix(written, "~/"):
		return c.machine.below(filepath.FromSlash(written[2:]))
	case filepath.IsAbs(written):
		return filepath.Clean(written)
	}
	return filepath.Join(from, filepath.FromSlash(written))
}

// mostText is the largest file in bytes that is searched for imports.
const mostText = 4 << 20

// facts reads what a survey needs of a text; an unchanged file is read once.
func (c *Chain) facts(p *part) (facts, error) {
	disk := p.at.path(p.rel)
	var got facts
	err := p.at.use(false, func(d *dir.Dir) error {
		info, err := d.Stat(p.rel)
		if err != nil {
			return err
		}
		c.mu.Lock()
		old, known := c.texts[disk]
		c.mu.Unlock()
		if known && old.id == info.ID && old.size == info.Size && old.changed.Equal(info.ModTime) {
			got = old
			return nil
		}
		text, err := backend.ReadFile(d, p.rel, backend.Look, mostText)
		if err != nil {
			return err
		}
		got = facts{id: info.ID, size: info.Size, changed: info.ModTime, conditional: hasPaths(text), blank: len(bytes.TrimSpace(text)) == 0}
		if IsDocument(p.rel) {
			got.mentions = c.agent.Imports.mentions(text)
		}
		c.mu.Lock()
		c.texts[disk] = got
		c.mu.Unlock()
		return nil
	})
	return got, err
}

// hasPaths reports whether the front matter of a rule names paths.
func hasPaths(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	first, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok || strings.TrimRight(string(first), " \t\r") != "---" {
		return false
	}
	paths := false
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		switch s := strings.TrimRight(string(line), " \t\r"); {
		case s == "---":
			return paths
		case strings.HasPrefix(s, "paths:"):
			paths = true
		}
	}
	return false
}

// Lock implements [backend.Backend]: it locks each folder in which the chain can write, always in the same order.
func (c *Chain) Lock(ctx context.Context) (unlock func(), err error) {
	var folders []*mount
	for _, m := range c.mounts {
		if !m.owner.readOnly() && (m == c.project || c.look(true).folders[m.name] != nil) {
			folders = append(folders, m)
		}
	}
	slices.SortFunc(folders, func(a, b *mount) int { return strings.Compare(a.disk, b.disk) })
	var held []func()
	unlock = sync.OnceFunc(func() {
		for _, end := range slices.Backward(held) {
			end()
		}
	})
	for _, m := range folders {
		err := m.use(false, func(d *dir.Dir) error {
			end, err := d.Lock(ctx)
			if err == nil {
				held = append(held, end)
			}
			return err
		})
		if err != nil && (m == c.project || !isGone(err)) {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

// Close implements [backend.Backend].
func (c *Chain) Close() error {
	for _, m := range c.mounts {
		m.close()
	}
	return nil
}
