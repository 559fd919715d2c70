package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/lint"
	"memcurator/memstore/load"
)

// Fixing is all that brings the indexes of a store in step with its notes, as one act.
type Fixing struct {
	Actions []Action
	Texts   []Text // the indexes before and after
}

// FixIndexes works out what brings the indexes of a store in step: entries for notes that no index lists, dead and double entries
// removed, links and long hooks repaired. It reads the store as [Reader.Inspect] does. The journal knows renames; it may be nil.
func FixIndexes(ctx context.Context, b memstore.Backend, j *journal.Journal, p *Policy, loads load.Source,
	now time.Time) (*Fixing, error) {
	snapshot, err := memstore.New(b, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}}).Scan(ctx, nil)
	if err != nil {
		return nil, err
	}
	facts, err := FactsOf(ctx, j)
	if err != nil {
		return nil, err
	}
	r := NewReader(b)
	in := Input{Snapshot: snapshot, Facts: facts, Now: now, Suggest: true, Journal: j, Load: loads}
	if err := r.Inspect(ctx, lint.Checker{}, &in, nil); err != nil {
		return nil, err
	}
	m := &Fixing{}
	for i := range in.Found.Findings {
		f := &in.Found.Findings[i]
		n := snapshot.Find(f.Path)
		if n == nil || n.Size > textLimit || len(f.Repairs) == 0 || !slices.Contains(in.Found.Indexes, f.Path) || p.Rules(f.Path).Pin.Value {
			continue
		}
		a := Action{Group: Suggested, Path: f.Path, Info: n.Info, Bytes: n.Size, Hash: f.Content, Found: f, Reason: f.Reason, Kind: kindOf(f)}
		switch a.Kind {
		case OutOfStep:
			a.Do = Fix
		case BrokenLink:
			a.Do = Link
		default:
			continue
		}
		m.Actions = append(m.Actions, a)
	}
	return m, m.texts(ctx, b)
}

// texts works out the texts.
func (m *Fixing) texts(ctx context.Context, b memstore.Backend) error {
	for path, f := range jointRepairs(m.Actions) {
		a := Action{Do: Fix, Path: path, Hash: f.hash, Found: &lint.Finding{Repairs: f.repairs}}
		texts, err := a.Texts(ctx, b)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		m.Texts = append(m.Texts, texts...)
	}
	slices.SortFunc(m.Texts, func(a, b Text) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// Apply writes the indexes as one group, which one undo undoes. An index that changed since is skipped.
func (m *Fixing) Apply(ctx context.Context, a Apply) (Outcome, error) { return a.Run(ctx, m.Actions) }
