package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/ccmemory"
	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/journal"
	"memcurator/memstore/transfer"
)

// importedLine is the output of import --json for an export of cc-memory; the keys are a contract.
type importedLine struct {
	New       []string `json:"new"`
	Different []string `json:"different"`
	Same      int      `json:"same"`
	Expired   int      `json:"expired"`
	Loose     int      `json:"loose"` // relations to entities that are nowhere
	Imported  int      `json:"imported"`
}

// importRecords puts the records of an export of cc-memory into one of its databases.
func importRecords(run *session.Session, ctx context.Context, file string, to session.Named, f flags) error {
	in, err := quietfile.Open(file, 0) // it may be no more than a dry run
	if err != nil {
		return openError(file, err)
	}
	data, err := io.ReadAll(in)
	if err = errors.Join(err, in.Close()); err != nil {
		return openError(file, err)
	}
	m, err := ccmemory.ParseExport(data)
	if err != nil {
		return session.Failed(err, "Can't import %s: it is not an export of cc-memory, or only half of one", file)
	}
	if f.create {
		return session.WrongUse("cc-memory makes its database itself, when it starts: import without --create")
	}
	store, j, end, err := database(run, ctx, to, f.dryRun)
	if err != nil {
		return err
	}
	defer end()
	var source *ccmemory.Source
	if store != nil {
		source, _ = store.Source().(*ccmemory.Source)
	}
	if source == nil {
		return session.Failed(errOtherForm, "%s is not a database of cc-memory, and %s is an export of it", to.Dir, file)
	}
	unlock, err := store.Lock(ctx)
	if err != nil {
		return session.Failed(err, "Can't import %s: %s", file, session.StoreReason(err))
	}
	defer unlock()
	image, err := store.Image()
	if err != nil {
		return session.Failed(err, "Can't read the store %s: %s", to.Dir, session.StoreReason(err))
	}
	p, err := source.PlanImport(ctx, image, m, time.Now())
	if err != nil {
		return session.Failed(err, "Can't read the store %s: %s", to.Dir, session.StoreReason(err))
	}
	todo := len(p.New)
	if f.replace {
		todo += len(p.Different)
	}
	if f.dryRun && !f.json {
		if err := listRecords(run, p); err != nil {
			return err
		}
	}
	if todo > 0 && !f.dryRun {
		if !f.yes && !f.json {
			if err := run.Confirm("Import %s to %s?", output.Counted(todo, "record"), session.Place(to.Dir)); err != nil {
				return err
			}
		}
		tell := func(after *adapt.Image) (func(error), error) {
			return announce(ctx, j, image, after, output.Counted(todo, "record"))
		}
		if err := source.Import(ctx, p, f.replace, tell); err != nil {
			return session.Failed(err, "Can't import %s: %s", file, session.StoreReason(err))
		}
	}
	return sayImported(run, p, todo, to, f)
}

// database opens what records are imported to, with its journal unless it is only looked at. The store is nil if it is another kind.
func database(run *session.Session, ctx context.Context, to session.Named, look bool) (*adapt.Store, *journal.Journal, func(), error) {
	if look || !ccmemory.Adapter.Recognize(to.Dir) { // no other store gets a journal by this
		b, err := run.Locator().OpenPlain(to.Dir, false)
		if err != nil {
			return nil, nil, nil, err
		}
		store, _ := b.(*adapt.Store)
		return store, nil, func() { _ = b.Close() }, nil
	}
	s, err := run.Settings()
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := run.Edit(ctx, to.Dir, "cli", s, run.Warnings().Once())
	if err != nil {
		return nil, nil, nil, err
	}
	if !e.Recorded() {
		e.Close()
		return nil, nil, nil, session.Failed(transfer.ErrNoJournal, "Nothing changed: undo needs a journal, and %s has none", to.Dir)
	}
	store, _ := e.Backend().(*adapt.Store)
	return store, e.Journal(), e.Close, nil
}

// announce records what an import is about to do, as one group of the user's.
func announce(ctx context.Context, j *journal.Journal, before, after *adapt.Image, what string) (func(error), error) {
	if j == nil {
		return nil, memstore.ErrNotRecorded
	}
	edit := memstore.Edit{Command: memstore.Command{Name: memstore.CmdCreate, Path: memstore.Root},
		Origin: memstore.Origin{Actor: memstore.Curator, Group: "group " + rand.Text(), As: "import"}}
	was := map[string][]byte{}
	for i := range before.Entries {
		was[before.Entries[i].Name] = before.Entries[i].Text
	}
	for i := range after.Entries {
		e := &after.Entries[i]
		c := memstore.Change{Kind: memstore.KindFile, Path: memstore.AgentPath(e.Name), After: memstore.NewContent(e.Text)}
		old, there := was[e.Name]
		delete(was, e.Name)
		if there && bytes.Equal(old, e.Text) {
			continue
		}
		if there {
			c.Before = memstore.NewContent(old)
		}
		edit.Changes = append(edit.Changes, c)
	}
	for _, name := range slices.Sorted(maps.Keys(was)) { // another record has taken its name
		edit.Changes = append(edit.Changes,
			memstore.Change{Kind: memstore.KindFile, Path: memstore.AgentPath(name), Before: memstore.NewContent(was[name])})
	}
	// What others refer to comes first, so that an undo, which begins at the end, doesn't take it from them.
	slices.SortStableFunc(edit.Changes, func(a, b memstore.Change) int { return cmp.Compare(refers(a.Path), refers(b.Path)) })
	if len(edit.Changes) == 0 {
		return func(error) {}, nil
	}
	if err := j.OpenGroup(ctx, edit.Origin.Group, "import "+what); err != nil {
		return nil, errors.Join(memstore.ErrNotRecorded, err)
	}
	return j.Begin(ctx, &edit)
}

// refers orders layers by what refers to what: episodes to entities.
func refers(path string) int {
	folders := []string{"/memories/episodic/", "/memories/orphans/"}
	return slices.IndexFunc(folders, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

func listRecords(run *session.Session, p *ccmemory.Import) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	out := run.Out.Lines(s)
	for _, part := range []struct {
		word string
		list []string
	}{{"new", p.New}, {"different", p.Different}} {
		for _, name := range part.list {
			if _, err := fmt.Fprintf(out, "%-10s %s\n", part.word, output.OneLine(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func sayImported(run *session.Session, p *ccmemory.Import, todo int, to session.Named, f flags) error {
	if f.json {
		line := importedLine{append([]string{}, p.New...), append([]string{}, p.Different...), p.Same, p.Expired, p.Loose, todo}
		if f.dryRun {
			line.Imported = 0
		}
		return run.Out.JSONLines().Encode(line)
	}
	verb := "Imported"
	if f.dryRun {
		verb = "Would import"
	}
	parts := []string{fmt.Sprintf("%s %s to %s", verb, output.Counted(todo, "record"), session.Place(to.Dir))}
	if rest := counted(count{p.Same, "equal record"}, count{p.Expired, "expired item"},
		count{p.Loose, "relation without its entities"}); rest != "" {
		parts = append(parts, "Skipped "+rest)
	}
	run.Say(strings.Join(parts, ". "))
	if n := len(p.Different); n > 0 && !f.replace {
		return session.Failed(memstore.ErrExist, "%s in %s: --replace overwrites, --dry-run lists", output.Counted(n, "different record"),
			session.Place(to.Dir))
	}
	return nil
}
