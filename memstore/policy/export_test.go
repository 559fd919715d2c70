package policy

import (
	"time"

	"memcurator/memstore"
)

// ScoreOf is the score of a file that no action is about.
func ScoreOf(p *Policy, agentPath string, info memstore.Info, f *Facts, now time.Time) Score {
	c := candidate{path: agentPath, node: &memstore.Node{Info: info}, rules: p.Rules(agentPath), recorded: f.recorded(agentPath),
		file: f.file(agentPath)}
	return c.score(now, f.links())
}
