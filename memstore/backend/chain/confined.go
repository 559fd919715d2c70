package chain

import (
	"path"
	"strings"

	"memcurator/memstore/backend"
)

// ForAgents implements [backend.Confiner]. An agent can write imports into its instruction files, so an import alone opens nothing to it
// but documents of the project outside its hidden folders, and those only for reading. For an agent, all else that is part of the chain
// because of an import isn't there, whether or not it exists. Instructions outside the project hold for other projects too: an agent only
// reads them, unless beyond is set. The project of a chain of the user's own files is their folder.
func (c *Chain) ForAgents(beyond bool) backend.Backend {
	if c.whole != nil {
		return c
	}
	return &Chain{
		agent: c.agent, machine: c.machine, file: c.file, within: c.within, project: c.project, user: c.user, mounts: c.mounts,
		whole: c, beyond: beyond,
	}
}

// fixed reports whether nothing is written in a folder through this chain.
func (c *Chain) fixed(m *mount) bool {
	return m.owner.readOnly() || c.whole != nil && !c.beyond && m != c.project
}

// forAgents returns what agents may use of a whole chain, through the chain for them.
func (s *scene) forAgents(c *Chain) *scene {
	few := &s.few[0]
	if c.beyond {
		few = &s.few[1]
	}
	few.once.Do(func() { few.scene = s.confined(c) })
	return few.scene
}

func (s *scene) confined(c *Chain) *scene {
	few := &survey{scene: &scene{parts: map[string]*part{}, folders: map[string]*folder{}, at: s.at, cost: s.cost}}
	few.folder(".")
	for name, f := range s.folders {
		if f.fixed {
			few.folder(name)
		}
	}
	for _, p := range s.parts {
		if !p.private && (p.link == nil || !p.link.private) {
			few.put(c.confined(p))
		}
	}
	for _, p := range s.pieces {
		if few.scene.parts[p.Name] != nil {
			few.scene.pieces = append(few.scene.pieces, p)
		}
	}
	return few.scene
}

// confined returns a part as agents have it.
func (c *Chain) confined(p *part) *part {
	own := *p
	own.readOnly = p.readOnly || !p.loaded || c.fixed(p.at) || c.hides(p.rel)
	if p.link != nil {
		own.link = c.confined(p.link)
	}
	return &own
}

// hides reports whether a name on disk is in git's folder, or in a hidden folder of a folder of rules.
func (c *Chain) hides(rel string) bool {
	folders := rulesOf(c.agent.UserFiles)
	for _, in := range c.within {
		for _, folder := range rulesOf(c.agent.Files) {
			folders = append(folders, path.Join(in, folder))
		}
	}
	for _, folder := range folders {
		if rest, ok := strings.CutPrefix(rel, folder+"/"); ok && hidden(rest) {
			return true
		}
	}
	return backend.InGit(rel)
}

// hidden reports whether a name, or a folder in it, begins with a dot.
func hidden(rel string) bool { return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") }
