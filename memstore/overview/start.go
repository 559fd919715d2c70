package overview

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
	"memcurator/memstore/load"
)

// startOf returns what a session loads of a store, by the rule of its agent and the limits of the user; nil: its agent reads on
// demand, or is unknown. Problems are sentences about files that it couldn't read.
func (f *filling) startOf(found discover.Found, b memstore.Backend) (_ *Load, problems []string, err error) {
	s, err := f.Reader.startOf(f.ctx, found, b)
	if s == nil || err != nil {
		return nil, nil, err
	}
	return &Load{
		Lines: s.Have.Lines, Bytes: s.Have.Bytes, Tokens: s.Have.Tokens, Given: s.Given, Gauge: s.Gauge(),
	}, s.Problems(), nil
}

func (r *Reader) startOf(ctx context.Context, found discover.Found, b memstore.Backend) (*load.Start, error) {
	source := r.sourceOf(found)
	var files *backend.Snapshot
	if source.Limits != nil && found.Load.OnDemand() { // then those files are loaded that have a limit
		var err error
		if files, err = backend.Scan(ctx, b, 1, backend.ScanOptions{}); err != nil {
			return nil, err
		}
	}
	rule := source.Of(files)
	if rule.OnDemand() {
		return nil, nil
	}
	return rule.Read(ctx, b)
}

// sourceOf determines what a session loads of a store, by the rule of its agent and the limits of the user.
func (r *Reader) sourceOf(found discover.Found) load.Source {
	return load.Source{Rule: func() load.Rule { return found.Load }, Limits: r.Opener.Limits(found)}
}
