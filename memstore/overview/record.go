package overview

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/render/text"
)

// record finds out what takes the journal, the configuration, or reading all files.
func (f *filling) record(r *Row, b memstore.Backend) error {
	record, err := f.Opener.Record(f.ctx, r.Found, b)
	if err != nil {
		return err
	}
	defer record.Close()
	if r.Unread, err = unreadIn(f.ctx, record.Journal); record.Problem == "" && err != nil {
		record.Problem = "Can't read the journal: " + err.Error()
	}
	if record.Problem != "" {
		r.note(Damaged, record.Problem)
	}
	f.tell(r)
	snapshot, err := backend.Scan(f.ctx, b, backend.ScanOptions{})
	if err != nil {
		return err
	}
	due, err := dueIn(f.ctx, b, snapshot, record)
	if err != nil {
		return err
	}
	r.Due = &due
	f.tell(r)
	secrets, notRead, err := secretsIn(f.ctx, b, record)
	if err != nil {
		return err
	}
	r.Secrets = &secrets
	if notRead > 0 {
		r.note(OK, "Can't read "+text.Count(notRead, "item")+", so secrets there are unknown")
	}
	return nil
}

// unreadIn counts the changes in a journal that the user has not read; nil without a journal.
func unreadIn(ctx context.Context, j *journal.Journal) (*int, error) {
	if j == nil {
		return nil, nil
	}
	n := 0
	err := j.List(ctx, past.Filter{Unread: true}, func(past.Revision) bool {
		n++
		return true
	})
	if err != nil {
		return nil, err
	}
	return &n, nil
}

// dueIn counts what the user's rules propose for a store.
func dueIn(ctx context.Context, b memstore.Backend, snapshot *backend.Snapshot, record *Record) (int, error) {
	p := policy.New(record.Settings)
	if p.Idle() {
		return 0, nil
	}
	facts, err := policy.FactsOf(ctx, record.Journal)
	if err != nil {
		return 0, err
	}
	in := policy.Input{Snapshot: snapshot, Facts: facts, Now: time.Now()}
	if err := policy.NewReader(b).Fill(ctx, p, &in); err != nil {
		return 0, err
	}
	return len(p.Plan(in).Actions), nil
}

// secretsIn counts the values in a store that the user has not dismissed, and what could not be read.
func secretsIn(ctx context.Context, b memstore.Backend, record *Record) (open, notRead int, err error) {
	engine, err := record.Engine()
	if err != nil {
		return 0, 0, err
	}
	s, err := findings.Scan(ctx, findings.Options{
		Engine: engine, State: record.Findings, Backend: b,
	})
	if err != nil {
		return 0, 0, err
	}
	return s.Open(), len(s.Unread()), nil
}
