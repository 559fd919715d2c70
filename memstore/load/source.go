package load

import (
	"strings"

	"memcurator/memstore/backend"
	"memcurator/render/loadlimit"
)

// maxLimited bounds the files that are loaded because the configuration limits them.
const maxLimited = 100

// Source determines what a session loads of an open store: the rule of its agent, with the user's limits. The zero Source loads nothing.
type Source struct {
	// Rule returns what the agent loads, nil or [Rule.OnDemand] where that is unknown. It may do I/O.
	Rule func() Rule
	// Limits are those that the configuration has for a file, by its agent path; zero: none. nil: no configuration.
	Limits func(agentPath string) loadlimit.Extent
}

// Of is the rule for a store with these files; nil: they are unknown so far. Limits of the user's take the place of the agent's. Where no
// rule is known, the files that have such limits are loaded. The user's count without front matter and HTML comments.
func (s Source) Of(files *backend.Snapshot) (r Rule) {
	if s.Rule != nil {
		r = s.Rule()
	}
	if s.Limits == nil {
		return r
	}
	r.own = func(name string) loadlimit.Extent { return s.Limits(backend.AgentPath(name)) }
	if r.OnDemand() {
		files.Walk(func(at string, n *backend.Node) bool {
			if n.Kind == backend.KindFile && len(r.named) < maxLimited && !s.Limits(at).IsZero() {
				r.named = append(r.named, backend.BackendName(at))
			}
			return len(r.named) < maxLimited
		})
	}
	return r
}

// hidden reports whether a pattern passes over a name because of a dot in front of one of its parts, as in a shell.
func hidden(pattern, name string) bool {
	return strings.Contains("/"+name, "/.") && !strings.Contains("/"+pattern, "/.")
}
