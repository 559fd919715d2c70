package policy

import (
	"context"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/lint"
)

// foretold precedes the kind in the rule of a finding that says what the program of a memory is going to do.
const foretold = "record-"

// foretell adds to what the lint found what the program whose memory this is would do with its records.
func (r *Reader) foretell(ctx context.Context, in *Input) error {
	program, ok := r.backend.(*adapt.Store)
	if !ok || !in.Suggest {
		return nil
	}
	in.Foreign = true
	list, err := program.Propose(ctx, in.Now, in.Secrets)
	if err != nil {
		return err
	}
	for _, p := range list {
		f := lint.Finding{Path: memstore.AgentPath(p.Name), Rule: lint.Rule(foretold + p.Kind), Reason: p.Reason, Count: 1,
			Undecided: true}
		if p.Urgent {
			f.Severity = lint.Danger
		}
		if len(p.Edits) > 0 {
			f.Content = memstore.Sum(p.Text)
		}
		for _, e := range p.Edits {
			f.Repairs = append(f.Repairs, lint.Repair{Start: e.Start, End: e.End, Text: e.Text})
		}
		in.Found.Findings = append(in.Found.Findings, f)
	}
	slices.SortStableFunc(in.Found.Findings, func(a, b lint.Finding) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// foretoldKind is the kind of suggestion that a finding of [Reader.foretell] makes; "" for others.
func foretoldKind(f *lint.Finding) Kind {
	kind, ok := strings.CutPrefix(string(f.Rule), foretold)
	if !ok {
		return ""
	}
	return Kind(kind)
}

// Foretold reports whether an action is about what another program is going to do with its record.
func (a *Action) Foretold() bool { return a.Found != nil && foretoldKind(a.Found) != "" }

// foretoldKinds are the kinds of suggestions about records of other programs, in the order of lists.
func foretoldKinds() (list []Kind) {
	for _, k := range adapt.Kinds() {
		list = append(list, Kind(k))
	}
	return list
}

// record decides what is done with a record of another program.
func (a *Action) record(f *lint.Finding) {
	if len(f.Repairs) > 0 {
		a.Do = Fix
	}
}
