package cli

import (
	"cmp"
	"context"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
)

// fileLine is a line of ls --json.
type fileLine struct {
	Path     string      `json:"path"`
	Bytes    int64       `json:"bytes"`
	Modified string      `json:"modified"`
	Record   *recordLine `json:"record"` // null for a file of a directory
}

// recordLine is what another program records of a file.
type recordLine struct {
	ID         string            `json:"id"`
	Layer      *string           `json:"layer"`
	Kind       *string           `json:"kind"`
	Created    *string           `json:"created"`
	Updated    *string           `json:"updated"`
	Accessed   *string           `json:"accessed"`
	Expires    *string           `json:"expires"`
	Importance *float64          `json:"importance"`
	Accesses   *int              `json:"accesses"`
	Tags       []string          `json:"tags"`
	Links      []linkLine        `json:"links"`
	More       map[string]string `json:"more"`
}

// linkLine is a relation from a record, or to it.
type linkLine struct {
	Relation string  `json:"relation"`
	Path     *string `json:"path"` // null if nothing has the name
	Title    string  `json:"title"`
	Back     bool    `json:"back"`
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
	line := fileLine{Path: memstore.AgentPath(name), Bytes: info.Size, Modified: *stamp(info.ModTime)}
	records, ok := b.(*adapt.Store)
	if !ok {
		return line
	}
	r, ok := records.Record(name)
	if !ok {
		return line
	}
	line.Record = &recordLine{
		ID: r.ID, Layer: output.OrNull(r.Layer), Kind: output.OrNull(r.Kind),
		Created: stamp(r.Created), Updated: stamp(r.Updated), Accessed: stamp(r.Accessed),
		Expires: stamp(r.Expires), Importance: r.Importance, Accesses: r.Accesses, Tags: append([]string{}, r.Tags...), Links: []linkLine{},
		More: map[string]string{},
	}
	for _, l := range r.Links {
		one := linkLine{Relation: l.Relation, Title: l.Title, Back: l.Back}
		if l.Target != "" {
			one.Path = output.OrNull(memstore.AgentPath(l.Target))
		}
		line.Record.Links = append(line.Record.Links, one)
	}
	for _, f := range r.More {
		line.Record.More[f.Label] = f.Value
	}
	return line
}

func stamp(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := at.UTC().Format(time.RFC3339Nano)
	return &text
}
