package cli

import (
	"cmp"
	"context"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
)

// fileLine is a line of ls --json.
type fileLine struct {
	Path     string        `json:"path"`
	Bytes    int64         `json:"bytes"`
	Modified time.Time     `json:"modified"`
	Record   *adapt.Record `json:"record"` // what another program records of the file; null for a file of a directory
}

// printFiles prints every file at or below the path of a target.
func printFiles(run *session.Session, ctx context.Context, o session.Opened) error {
	store := session.Look(o.Backend, o.Dialect)
	top := cmp.Or(o.AgentPath, memstore.Root)
	name, err := memstore.ParsePath(top)
	if err != nil {
		return session.WrongUse("PATH must be %s or below", memstore.Root)
	}
	info, err := store.Backend().Stat(name)
	if err != nil {
		return viewError(store, top, err)
	}
	out := run.Out.JSONLines()
	if info.Kind == memstore.KindFile {
		return out.Encode(lineOf(store.Backend(), name, info))
	}
	snapshot, err := store.Scan(ctx, memstore.ScanOptions{Name: name})
	if err != nil {
		return session.Failed(err, "Can't list %s: %s", top, session.StoreReason(err))
	}
	var failed error
	snapshot.Walk(func(agentPath string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && failed == nil {
			failed = out.Encode(lineOf(store.Backend(), memstore.BackendName(agentPath), n.Info))
		}
		return failed == nil
	})
	return failed
}

func lineOf(b memstore.Backend, name string, info memstore.Info) fileLine {
	line := fileLine{Path: memstore.AgentPath(name), Bytes: info.Size, Modified: info.ModTime.UTC()}
	if records, ok := b.(*adapt.Store); ok {
		if r, ok := records.Record(name); ok {
			line.Record = &r
		}
	}
	return line
}
