package session

import (
	"context"

	"memcurator/memstore/transfer"
)

// Place opens a store at one end of a transfer, for edits or to look, until the function that it returns is called. It prints and asks
// nothing: warnings go to Say.
func (run *Session) Place(ctx context.Context, s Settings, dir string, edits, create bool) (transfer.Place, func(), error) {
	n, err := run.Locator().Name(dir)
	if err != nil {
		return transfer.Place{}, nil, err
	}
	b := &Between{Transfer: &transfer.Transfer{}}
	if err := run.makeDir(n.Dir, create); err != nil {
		return transfer.Place{}, nil, err
	}
	p, err := b.open(run, ctx, s, n, edits)
	if err != nil {
		b.Close()
		return transfer.Place{}, nil, err
	}
	return p, b.Close, nil
}
