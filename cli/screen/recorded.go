package screen

import (
	"context"
	"io"

	"memcurator/cli/between"
	"memcurator/cli/session"
	"memcurator/memstore/transfer"
)

// recorded opens another store with its journal, to undo its half of a move.
func recorded(run *session.Session) transfer.Opener {
	return func(ctx context.Context, dir string) (transfer.Place, func(), error) {
		quiet := run.Beside(io.Discard)
		s, err := quiet.Settings() // with a broken configuration nothing may change
		if err != nil {
			return transfer.Place{}, nil, err
		}
		b, err := between.Recorded(ctx, quiet, s, dir)
		if err != nil {
			return transfer.Place{}, nil, err
		}
		return b.To, b.Close, nil
	}
}
