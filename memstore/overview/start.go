package overview

import (
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/load"
	"memcurator/memstore/policy"
)

// startOf is what a session is given of a store at its start, by the rule of its agent and the limits of the user; nil: its agent reads on
// demand, or is unknown. Problems are sentences about files that it couldn't read.
func (f *filling) startOf(found discover.Found, b memstore.Backend) (_ *Load, problems []string, err error) {
	source := load.Source{Rule: func() load.Rule { return found.Load }}
	settings, err := f.Opener.Settings(found)
	if err != nil {
		return nil, nil, err
	}
	var files *backend.Snapshot
	if slices.ContainsFunc(settings.Rules, limitsLoad) {
		source.Limits = policy.NewEnforcer(b, settings).Loaded
		if found.Load.OnDemand() { // then those files are loaded that have a limit
			if files, err = backend.Scan(f.ctx, b, 1, backend.ScanOptions{}); err != nil {
				return nil, nil, err
			}
		}
	}
	rule := source.Of(files)
	if rule.OnDemand() {
		return nil, nil, nil
	}
	s, err := rule.Read(f.ctx, b)
	if err != nil {
		return nil, nil, err
	}
	limit := rule.Limit()
	return &Load{
		Lines: s.Have.Lines, Bytes: s.Have.Bytes, Tokens: s.Have.Tokens, Given: s.Given, Gauge: s.Gauge(),
		LimitLines: limit.Lines, LimitBytes: limit.Bytes, LimitTokens: limit.Tokens,
	}, s.Problems(), nil
}

func limitsLoad(r config.Rule) bool { return r.Keys.LoadLines.Value > 0 || r.Keys.LoadBytes.Value > 0 }
