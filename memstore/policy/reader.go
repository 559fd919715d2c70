package policy

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/lint"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// Reader reads from a store what plans need beyond the snapshot and the journal: files that a rule about their text asks for, access
// times only of files that would expire without them. It remembers what it has read of a
// file until size, stamp or identity say otherwise. One caller at a time; the callers of [Reader.Propose] take turns.
type Reader struct {
	backend memstore.Backend
	known   map[string]content
	lint    lint.Checker
	turn    sync.Mutex
}

// content is what was read of a file in one state of it.
type content struct {
	info   memstore.Info
	digest memstore.Digest
	lines  int64
}

// NewReader reads from a backend, leaving no trace where the platform allows that.
func NewReader(b memstore.Backend) *Reader {
	return &Reader{backend: b, known: map[string]content{}}
}

// freshness is how old a stamp must be before it vouches for the bytes: within it a second write
// may leave the same one.
const freshness = 2 * time.Second

// largest is the largest file that is read, in bytes: a journal restores nothing larger.
const largest = 256 << 20

// content reads a file that must still be what info describes.
func (r *Reader) content(path string, info memstore.Info) (content, error) {
	if c, ok := r.known[path]; ok && same(c.info, info) {
		return c, nil
	}
	name := memstore.BackendName(path)
	data, err := memstore.ReadFile(r.backend, name, memstore.Look, largest)
	if err != nil {
		return content{}, err
	}
	now, err := r.backend.Lstat(name)
	if err != nil {
		return content{}, err
	}
	if !same(now, info) {
		return content{}, memstore.ErrChanged
	}
	c := content{info, memstore.Sum(data), loadlimit.LineCount(data)}
	if time.Since(info.ModTime).Abs() > freshness {
		r.known[path] = c
	}
	return c, nil
}

func same(a, b memstore.Info) bool {
	return a.Kind == b.Kind && a.Size == b.Size && a.ModTime.Equal(b.ModTime) && a.ID == b.ID
}

// Propose makes a plan by what a policy and, if in asks for them, suggestions propose, with the hash of each file. in needs no facts. report,
// if not nil, is called with the number of files that suggestions have read. The error is that of ctx or of the journal, or
// [memstore.ErrUnavailable].
func (r *Reader) Propose(ctx context.Context, p *Policy, in Input, report func(done, all int)) (*Plan, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	var err error
	if in.Facts, err = FactsOf(ctx, in.Journal); err != nil {
		return nil, err
	}
	if err := r.Fill(ctx, p, &in); err != nil {
		return nil, err
	}
	if in.Suggest {
		if err := r.inspect(ctx, &in, report); err != nil {
			return nil, err
		}
	}
	plan := p.Plan(in)
	return plan, r.hash(ctx, plan)
}

// Fill rebuilds in.Facts.Files: what the policy needs to know about the files of the snapshot. A file that cannot be
// read is omitted, and named in Unread. The error is that of ctx.
func (r *Reader) Fill(ctx context.Context, p *Policy, in *Input) error {
	facts := &in.Facts
	facts.Files, facts.Unread = map[string]File{}, nil
	if p.idle && !in.Suggest || in.Snapshot == nil || in.Snapshot.Root == nil {
		return nil
	}
	f := &filling{Reader: r, policy: p, ctx: ctx, now: in.Now, facts: facts}
	f.timer, _ = r.backend.(memstore.AccessTimer)
	f.visit(memstore.Root, in.Snapshot.Root)
	slices.Sort(facts.Unread)
	if f.excused {
		facts.ignoreSweep(in.Snapshot, f.timer)
	}
	return ctx.Err()
}

// filling reads what is needed of files.
type filling struct {
	*Reader
	policy  *Policy
	ctx     context.Context
	now     time.Time
	timer   memstore.AccessTimer // nil: there are no access times
	facts   *Facts
	excused bool // a file would be due without its access time
}

// visit looks at a path and all below it.
func (f *filling) visit(at string, n *memstore.Node) {
	if f.ctx.Err() != nil {
		return
	}
	if n.Kind == memstore.KindFile {
		f.file(at, n)
	}
	for _, c := range n.Children {
		f.visit(at+"/"+c.Name, c)
	}
}

// file reads what the rules ask for of one file, and its access time where it would expire without.
func (f *filling) file(at string, n *memstore.Node) {
	rules := f.policy.rules(at, n.Hidden)
	one, ok, err := f.read(at, n.Info, rules)
	if err != nil && !errors.Is(err, memstore.ErrNotExist) && !errors.Is(err, memstore.ErrChanged) { // the next plan looks at it
		f.facts.Unread = append(f.facts.Unread, at)
	}
	limit := rules.MaxIdle.Value
	if f.timer != nil && limit > 0 && !rules.Pin.Value {
		c := candidate{path: at, node: n, rules: rules, recorded: f.facts.Journal[at]}
		due := f.now.Add(-limit)
		if used := c.used(); used.clock != byUse && !used.time.After(due) {
			if accessed, err := f.timer.AccessTime(memstore.BackendName(at)); err == nil {
				one.Accessed, ok = accessed, true
				f.excused = f.excused || accessed.After(due)
			}
		}
	}
	if ok {
		f.facts.Files[at] = one
	}
}

// read reads of a file what its rules ask for; ok is false where that is nothing, or cannot be read.
func (r *Reader) read(path string, info memstore.Info, rules *Rules) (f File, ok bool, err error) {
	if !rules.counts(info.Size) {
		return File{}, false, nil
	}
	c, err := r.content(path, info)
	if err != nil {
		return File{}, false, err
	}
	return File{Lines: c.lines}, true, nil
}

// counts reports whether a file of this size may pass a cap that only its text can tell.
func (r *Rules) counts(bytes int64) bool {
	return r.capped && exceeds(bytes, r.MaxFileLines)
}

func exceeds(n int64, limit config.Value[int64]) bool { return limit.Value > 0 && n > limit.Value }

// hash reads the files of a plan and sets the hash of each action. A file that
// changed since the plan judged it is dropped from the plan, with a note. The error is that of ctx.
func (r *Reader) hash(ctx context.Context, p *Plan) error {
	kept, gone := make([]Action, 0, len(p.Actions)), 0
	for _, a := range p.Actions {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.Info.Kind != memstore.KindFile || a.Hash != (memstore.Digest{}) {
			kept = append(kept, a)
			continue
		}
		c, err := r.content(a.Path, a.Info)
		if err != nil {
			gone++
			continue
		}
		a.Hash = c.digest
		kept = append(kept, a)
	}
	p.Actions = kept
	if gone > 0 {
		p.Notes = append(p.Notes, "Skipped "+text.Count(gone, "file")+" that changed or can't be read")
	}
	return nil
}
