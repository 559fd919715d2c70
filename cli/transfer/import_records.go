package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/ccmemory"
	"memcurator/memstore/backend/quietfile"
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
	b, err := run.Locator().OpenPlain(to.Dir, false)
	if err != nil {
		return err
	}
	defer b.Close()
	store, _ := b.(*adapt.Store)
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
		if err := source.Import(ctx, p, f.replace); err != nil {
			return session.Failed(err, "Can't import %s: %s", file, session.StoreReason(err))
		}
	}
	return sayImported(run, p, todo, to, f)
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
