package policy

import (
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// Policy is what the configuration says for one store. It does not change and may be shared.
type Policy struct {
	settings config.Settings
	archives []string // folders, as agent paths, that rules archive to
	idle     bool     // no rule and no limit says anything
}

// Locked reports whether the agent is forbidden to change an agent path.
func (p *Policy) Locked(agentPath string) bool { return p.Rules(agentPath).Lock.Value }

// Rules are what the rules say about one path.
type Rules struct {
	config.Keys
	expires bool // one of the keys of time is set
	capped  bool // one of the caps is set and not off
}

// New makes a policy of what the configuration says for a store.
func New(s config.Settings) *Policy {
	p := &Policy{settings: s}
	p.idle = len(s.Rules) == 0 && !s.Limits.Caps()
	for _, r := range s.Rules {
		if r.Keys.Expire.Value == config.ExpireArchive || r.Keys.ArchiveTo.IsSet() {
			p.archives = append(p.archives, memstore.AgentPath(r.Keys.Archive())+"/")
		}
	}
	return p
}

// Idle reports whether no rule and no limit says anything, so that a plan without suggestions is empty.
func (p *Policy) Idle() bool { return p.idle }

// Settings are what the policy was made of.
func (p *Policy) Settings() config.Settings { return p.settings }

// Rules merges what the rules say about an agent path below /memories.
func (p *Policy) Rules(agentPath string) *Rules { return p.rules(agentPath, false) }

// rules is Rules; what the agent's listing leaves out never expires: a user who writes "**" does not mean the objects below .git.
func (p *Policy) rules(agentPath string, hidden bool) *Rules {
	r := &Rules{Keys: p.settings.Rule(memstore.BackendName(agentPath))}
	if hidden {
		r.MaxIdle.Value, r.MaxAge.Value, r.TTL.Value = 0, 0, 0
	}
	r.expires = r.MaxIdle.Value > 0 || r.MaxAge.Value > 0 || r.TTL.Value > 0
	r.capped = r.Mode.Or(config.ModeRefuse) != config.ModeOff && r.Caps()
	return r
}

// archived reports whether a path is in a folder that a rule archives to.
func (p *Policy) archived(agentPath string) bool {
	for _, folder := range p.archives {
		if strings.HasPrefix(agentPath, folder) {
			return true
		}
	}
	return false
}

// depth is how many folders of the store are above a path.
func depth(agentPath string) int64 {
	return int64(strings.Count(path.Dir(agentPath), "/") - 1)
}

// Pinned are the files of a snapshot that rules pin, as agent paths.
func (p *Policy) Pinned(s *memstore.Snapshot) map[string]bool {
	pinned := map[string]bool{}
	if s == nil || s.Root == nil || !slices.ContainsFunc(p.settings.Rules, func(r config.Rule) bool { return r.Keys.Pin.Value }) {
		return pinned
	}
	s.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && p.rules(path, n.Hidden).Pin.Value {
			pinned[path] = true
		}
		return true
	})
	return pinned
}
