package findings

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
)

// Options are the settings of a [Scan].
type Options struct {
	Engine  *scrub.Engine
	State   *State // nil: nothing is stored or dismissed
	Backend memstore.Backend
	Journal *journal.Journal // nil: files only
	// NoJournal is why an existing journal could not be opened; nil if it was, if there is none, or if the past isn't wanted.
	NoJournal error
	// Workers is the number of goroutines that scan files; below 1: one.
	Workers int
	// Report is called with the number of files scanned, by one goroutine at a time; nil: no report.
	Report func(done, all int)
}

// maxFile is the size of the largest file to scan, search or rewrite, in bytes.
const maxFile = 64 << 20

func (o *Options) fill() {
	if o.Workers < 1 {
		o.Workers = 1
	}
	if o.Report == nil {
		o.Report = func(int, int) {}
	}
	if o.State == nil {
		o.State, _ = OpenState("") // fails only with a folder
	}
}

// Scan searches the files of a store, their names, and the contents in the journal for sensitive values. It leaves no trace in the store.
// A file that changes meanwhile counts as it was when it was read. [Survey.Skipped] lists what could not be read, in the journal too;
// everything else is scanned. [Survey.Unread] shows whether an empty result means that there is nothing. The error is that of ctx, or of
// the store as a whole.
func Scan(ctx context.Context, o Options) (*Survey, error) {
	o.fill()
	o.State.useCache(o.Engine.Version())
	_ = o.State.Refresh() // on an error, the dismissals stay as they were
	s := &scanner{
		Options: o, collector: o.Engine.Collect(), secrets: map[string]*Secret{},
		live: map[memstore.Digest]bool{}, revs: map[memstore.Digest]past.Kept{},
	}
	if o.NoJournal != nil {
		s.noPast(o.NoJournal)
	}
	steps := []func(context.Context) error{
		s.list,
		func(ctx context.Context) error { return s.each(ctx, s.sources, s.first) },
		func(ctx context.Context) error { return s.past(ctx, s.firstPast) },
		s.seek,
		func(ctx context.Context) error { return s.each(ctx, s.sources, s.second) },
		s.secondsPast,
		s.names,
	}
	for _, step := range steps {
		if err := cmp.Or(step(ctx), ctx.Err()); err != nil {
			return nil, err
		}
	}
	err := o.State.save()
	_ = err // the cache only saves time
	return s.done(), nil
}

// seek prepares the search everywhere for the values found anywhere.
func (s *scanner) seek(context.Context) error {
	s.survey.values = s.collector.Values()
	s.survey.Unsought = s.survey.values.Full()
	return nil
}

// scanner is one scan. It reads every file twice: values found anywhere in the first pass are searched everywhere in the second. Small
// files stay in memory in between.
type scanner struct {
	Options
	sources   []*source
	dirs      []string // agent paths
	live      map[memstore.Digest]bool
	collector *scrub.Collector
	held      int64 // bytes of texts in memory
	inPast    bool  // a content of the journal has a value recognizable by itself

	revs map[memstore.Digest]past.Kept // the journal's entries for contents that files have now

	mu      sync.Mutex // guards the fields below, and the collector
	secrets map[string]*Secret
	survey  Survey
}

// heldMost limits the texts kept in memory between the passes, in bytes.
const heldMost = 64 << 20

// source is one file.
type source struct {
	path, name string // for the agent and for the backend
	text       []byte // nil: not in memory
	digest     memstore.Digest
	found      []scrub.Finding
	skip       Reason
}

// scanStore reads the tree of a store.
func scanStore(ctx context.Context, b memstore.Backend, workers int) (*memstore.Snapshot, error) {
	look := memstore.New(b, memstore.Options{ReadOnly: true, Workers: workers, Origin: memstore.Origin{Actor: memstore.Curator}})
	return look.Scan(ctx, memstore.ScanOptions{})
}

// list finds the files. One that vanishes before it is read counts as not read: it may have been renamed.
func (s *scanner) list(ctx context.Context) error {
	snap, err := scanStore(ctx, s.Backend, s.Workers)
	if err != nil {
		return err
	}
	snap.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindDir {
			if n.Problem != nil {
				s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: at, Why: Unreadable})
			}
			if memstore.InGit(at) {
				s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: at, Why: OfGit})
			}
			s.dirs = append(s.dirs, at)
			return true
		}
		src := &source{path: at, name: at[len(memstore.Root)+1:]}
		if n.Kind == memstore.KindOther {
			src.skip = NotRegular
		}
		if n.Kind != memstore.KindLink {
			s.sources = append(s.sources, src)
		} else if _, err := s.Backend.Stat(src.name); err != nil { // where it leads to in the store is read there
			s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: at, Why: Linked})
		}
		return true
	})
	return nil
}

// each has the workers run do for every readable file of a list.
func (s *scanner) each(ctx context.Context, list []*source, do func(context.Context, *source)) error {
	var workers sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range s.Workers {
		workers.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				if next == len(list) {
					mu.Unlock()
					return
				}
				src := list[next]
				next++
				s.Report(next, len(list))
				mu.Unlock()
				if src.skip == "" || src.skip == incomplete {
					do(ctx, src)
				}
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}

// first finds the values that are recognizable in a file by itself.
func (s *scanner) first(ctx context.Context, src *source) {
	text, why := read(s.Backend, src.name)
	if why != "" {
		src.skip = why
		return
	}
	src.digest = memstore.Sum(text)
	found, why := s.find(ctx, src.path, src.digest, text)
	src.found, src.skip = found, why
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[src.digest] = true
	if why == Binary || why == encoded || ctx.Err() != nil {
		return
	}
	s.survey.Files++
	s.survey.Bytes += int64(len(text))
	s.collector.Add(src.path, text, s.counting(src.path, text, found))
	if s.held+int64(len(text)) <= heldMost {
		s.held += int64(len(text))
		src.text = text
	}
}

// find returns the engine's findings, from the cache if the content is known.
func (s *scanner) find(ctx context.Context, path string, digest memstore.Digest, text []byte) ([]scrub.Finding, Reason) {
	if found, known := s.State.known(digest, path); known {
		return found, ""
	}
	r, err := s.Engine.Scan(ctx, path, text)
	switch {
	case err != nil:
		return nil, ""
	case r.Binary && isUTF16(text):
		return nil, encoded
	case r.Binary:
		return nil, Binary
	case r.Truncated:
		return r.Findings, incomplete
	}
	s.State.keep(digest, path, r.Findings)
	return r.Findings, ""
}

// counting drops findings that the user has dismissed, so that their repeats don't count either.
func (s *scanner) counting(path string, text []byte, found []scrub.Finding) []scrub.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f scrub.Finding) bool {
		return s.State.Dismissed(f.Class, s.Engine.Plain(path, text, f))
	})
}

// maxRepeats limits the reported places of known values in one text. A scrub removes all of them.
const maxRepeats = scrub.MostFindings

// second searches a file for its own values and those of all others, and records the places.
func (s *scanner) second(ctx context.Context, src *source) {
	text := src.text
	if text == nil {
		var why Reason
		if text, why = read(s.Backend, src.name); why != "" {
			src.skip = why
			return
		}
		if d := memstore.Sum(text); d != src.digest { // it has changed between the passes
			r, err := s.Engine.Scan(ctx, src.path, text)
			if err != nil {
				return
			}
			src.digest, src.found = d, r.Findings
			if r.Truncated {
				src.skip = incomplete
			}
		}
	}
	again, err := s.survey.values.Search(ctx, src.path, text, maxRepeats)
	if err != nil {
		return // of the scan as a whole
	}
	if len(again) > maxRepeats {
		again, src.skip = again[:maxRepeats], incomplete
	}
	found := scrub.Merge(src.found, again)
	s.file(text, found, Place{Path: src.path, Content: src.digest})
	src.text = nil
}

// file adds the findings of one text to their secrets. of describes the text.
func (s *scanner) file(text []byte, found []scrub.Finding, of Place) {
	if len(found) == 0 {
		return
	}
	at := 0
	of.Line = 1
	lineStart := 0
	for i, f := range found {
		if n := bytes.Count(text[at:f.Start], []byte{'\n'}); n > 0 {
			of.Line += n
			lineStart = bytes.LastIndexByte(text[:f.Start], '\n') + 1
		}
		at = f.Start
		p := of
		p.Column = f.Start - lineStart + 1
		p.Before, p.After = onLine(text, found, i)
		s.add(p, f, s.Engine.Plain(of.Path, text, f))
	}
}

// aboutMost is how much of a line to keep before and after a value, in bytes.
const aboutMost = 120

// onLine returns the text before and after a finding on its line, with other values masked.
func onLine(text []byte, found []scrub.Finding, i int) (before, after string) {
	f := found[i]
	from := max(0, f.Start-aboutMost)
	from += bytes.LastIndexByte(text[from:f.Start], '\n') + 1
	to := min(len(text), f.End+aboutMost)
	if n := bytes.IndexByte(text[f.End:to], '\n'); n >= 0 {
		to = f.End + n
	}
	at := f.Start
	for k := i - 1; k >= 0 && found[k].End > from; k-- {
		before = dots + string(text[found[k].End:at]) + before
		at = max(from, found[k].Start)
	}
	before = string(text[from:max(from, at)]) + before
	at = f.End
	for k := i + 1; k < len(found) && found[k].Start < to; k++ {
		after += string(text[at:found[k].Start]) + dots
		at = min(to, found[k].End)
	}
	return before, after + string(text[at:to])
}

// add adds one place to its secret.
func (s *scanner) add(p Place, f scrub.Finding, value string) {
	p.Start, p.End, p.Class, p.Rule, p.Severity = f.Start, f.End, f.Class, f.Rule, f.Severity
	p.ID, p.Why = s.State.ID(value), s.Engine.Why(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	secret := s.secrets[p.ID]
	if secret == nil {
		secret = &Secret{ID: p.ID, value: value}
		s.secrets[p.ID] = secret
	}
	p.ID = secret.ID // one string for all places
	if f.Score > secret.Score {
		secret.Score, secret.Class = f.Score, f.Class
	}
	secret.Severity, secret.Evidence = max(secret.Severity, f.Severity), max(secret.Evidence, f.Evidence)
	secret.Places = append(secret.Places, p)
	if !p.Past {
		secret.Live++
	}
}

// done sorts the secrets: worst first, then those with the most places.
func (s *scanner) done() *Survey {
	for _, src := range s.sources {
		if src.skip != "" {
			s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: src.path, Why: src.skip})
		}
	}
	dismissals := s.State.Dismissals()
	for _, secret := range s.secrets {
		for i := range secret.Places {
			if p := &secret.Places[i]; !p.Past && !p.InName {
				kept := s.revs[p.Content]
				p.Rev, p.Revisions = kept.Rev, kept.Revisions
			}
		}
		slices.SortFunc(secret.Places, comparePlaces)
		if i := slices.IndexFunc(dismissals, func(d Dismissal) bool { return d.ID == secret.ID && d.Class == secret.Class }); i >= 0 {
			secret.Dismissal = &dismissals[i]
		}
		s.survey.Secrets = append(s.survey.Secrets, secret)
	}
	slices.SortFunc(s.survey.Secrets, func(a, b *Secret) int {
		return cmp.Or(compareBool(a.Dismissal != nil, b.Dismissal != nil), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Class, b.Class),
			cmp.Compare(len(b.Places), len(a.Places)),
			comparePlaces(a.Places[0], b.Places[0]))
	})
	survey := s.survey
	survey.byID = s.secrets
	return &survey
}
