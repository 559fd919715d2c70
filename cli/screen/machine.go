package screen

import (
	"context"
	"io"

	"memcurator/cli/between"
	"memcurator/cli/session"
	"memcurator/memstore/discover"
	"memcurator/memstore/transfer"
	"memcurator/tui/transfers"
)

// machine lets the interface copy and move notes to other stores than the open one.
func machine(run *session.Session, here session.Settings) *transfers.Machine {
	return &transfers.Machine{
		Here: realPath(here.Dir), Title: session.Title, Secrets: between.Secrets(run.Beside(io.Discard), here, here.Dir),
		Stores: func(ctx context.Context) ([]discover.Found, error) {
			quiet := run.Beside(io.Discard)
			s, err := quiet.LenientSettings()
			if err != nil {
				return nil, err
			}
			var found []discover.Found
			rows, err := session.ListStores(ctx, quiet.Overview(s))
			for _, row := range rows {
				found = append(found, row.Found)
			}
			return found, err
		},
		Open: func(ctx context.Context, path string, edits bool) (transfer.Place, func(), error) {
			quiet := run.Beside(io.Discard)
			s, err := quiet.Settings() // with a broken configuration nothing may change
			if err != nil {
				return transfer.Place{}, nil, err
			}
			return between.Place(ctx, quiet, s, path, between.Options{Look: !edits})
		},
		Recorded: func(ctx context.Context, dir string) (transfer.Place, func(), error) {
			quiet := run.Beside(io.Discard)
			s, err := quiet.Settings()
			if err != nil {
				return transfer.Place{}, nil, err
			}
			b, err := between.Recorded(ctx, quiet, s, dir)
			if err != nil {
				return transfer.Place{}, nil, err
			}
			return b.To, b.Close, nil
		},
	}
}
