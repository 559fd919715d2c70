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

// Options say what is scanned, and with what.
type Options struct {
	Engine  *scrub.Engine
	Memory  *Memory // nil: nothing is kept, nothing dismissed
	Backend memstore.Backend
	Journal *journal.Journal // nil: files alone
	// NoJournal is why an existing journal could not be opened; nil: it was opened, is missing, or the past is not wanted.
	NoJournal error
	// Workers is how many goroutines scan files; below 1: one.
	Workers int
	// MaxFile is the largest file that is scanned, in bytes; 0: 64 MiB.
	MaxFile int64
	// Report receives how many files were scanned, from one goroutine at a time; nil: no report.
	Report func(done, all int)
}

// maxFile is the default for the largest file that is read, in bytes.
const maxFile = 64 << 20

func (o *Options) fill() {
	if o.MaxFile == 0 {
		o.MaxFile = maxFile
	}
	if o.Workers < 1 {
		o.Workers = 1
	}
	if o.Report == nil {
		o.Report = func(int, int) {}
	}
	if o.Memory == nil {
		o.Memory, _ = OpenMemory("") // it can fail only where there is a folder
	}
}

// Scan looks for sensitive values in the files of a store, in their names, and in what the journal keeps. It
// leaves no trace in the store. A file that changes meanwhile is taken as it was when it was read. What cannot be
// read, of the journal too, is told in [Survey.Skipped], and all else is scanned: [Survey.Unread] says whether nothing
// found means that nothing is there. The error is that of ctx, or of the store as a whole.
func Scan(ctx context.Context, o Options) (*Survey, error) {
	o.fill()
	o.Memory.useCache(o.Engine.Version())
	_ = o.Memory.Refresh() // what cannot be read again is as it was
	s := &scanner{
		Options: o, collector: o.Engine.Collect(), groups: map[string]*Group{},
		known: map[string]bool{}, live: map[memstore.Digest]bool{}, revs: map[memstore.Digest]past.Kept{},
	}
	if o.NoJournal != nil {
		s.noPast(o.NoJournal)
	}
	steps := []func(context.Context) error{
		s.firsts,
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
	err := o.Memory.save()
	_ = err // the cache only saves time
	return s.done(), nil
}

// seek makes what was found anywhere the values that are sought everywhere.
func (s *scanner) seek(context.Context) error {
	s.survey.values = s.collector.Values()
	s.survey.Unsought = s.survey.values.Full()
	return nil
}

// scanner is one scan. Every file is gone through twice: what is found first anywhere is sought
// everywhere after. Small files are held in between.
type scanner struct {
	Options
	sources   []*source
	dirs      []string        // agent paths
	known     map[string]bool // agent paths of both, and of links
	live      map[memstore.Digest]bool
	collector *scrub.Collector
	held      int64 // bytes of texts
	inPast    bool  // a content of the journal announces a value itself

	dismissals []Dismissal                   // in force; for done
	revs       map[memstore.Digest]past.Kept // what the journal has of contents that files have now

	mu     sync.Mutex // guards what follows, and the collector
	groups map[string]*Group
	survey Survey
}

// heldMost bounds the texts that are held between the two times, in bytes.
const heldMost = 64 << 20

// source is one file.
type source struct {
	path, name string // for the agent, for the backend
	text       []byte // nil: not held
	digest     memstore.Digest
	found      []scrub.Finding
	skip       Reason
	fleeting   bool // no listing shows it: it goes without leaving anything
}

// lists bounds how often the files are listed because some went away: each may have got another name.
const lists = 4

// firsts finds the files and the values that each one announces itself.
func (s *scanner) firsts(ctx context.Context) error {
	moved := false // something went away that may have got another name
	for range lists {
		old := len(s.sources)
		if err := s.list(ctx); err != nil {
			return err
		}
		if err := s.each(ctx, s.sources[old:], s.first); err != nil {
			return err
		}
		if !slices.ContainsFunc(s.sources, isGone) {
			return nil
		}
		moved = false
		for _, src := range s.sources {
			if isGone(src) {
				delete(s.known, src.path)
				moved = moved || !src.fleeting
			}
		}
		s.sources = slices.DeleteFunc(s.sources, isGone)
	}
	if !moved {
		return nil
	}
	s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: memstore.Root, Why: changing})
	return nil
}

func isGone(src *source) bool { return src.skip == gone }

// list finds the files that are not known yet.
func (s *scanner) list(ctx context.Context) error {
	snap, unseen, err := scanHidden(ctx, s.Backend, s.Workers)
	if err != nil {
		return err
	}
	snap.Walk(func(at string, n *memstore.Node) bool {
		if s.known[at] {
			return true
		}
		s.known[at] = true
		if n.Kind == memstore.KindDir {
			if n.Problem != nil {
				s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: at, Why: Unreadable})
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
		}
		return true
	})
	return s.listHidden(ctx, unseen)
}

// each lets the workers do something with every file of a list that can be read.
func (s *scanner) each(ctx context.Context, list []*source, do func(context.Context, *source)) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range s.Workers {
		group.Go(func() {
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
	group.Wait()
	return ctx.Err()
}

// first finds the values that a file announces itself.
func (s *scanner) first(ctx context.Context, src *source) {
	text, why := read(s.Backend, src.name, s.MaxFile)
	if why != "" {
		src.skip = why
		return
	}
	src.digest = memstore.Sum(text)
	found, known, why := s.find(ctx, src.path, src.digest, text)
	src.found, src.skip = found, why
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[src.digest] = true
	if why == Binary || ctx.Err() != nil {
		return
	}
	s.survey.Files++
	s.survey.Bytes += int64(len(text))
	if known {
		s.survey.Cached++
	}
	s.collector.Add(src.path, text, s.counting(src.path, text, found))
	if s.held+int64(len(text)) <= heldMost {
		s.held += int64(len(text))
		src.text = text
	}
}

// find is what the engine finds, from the cache where the content is known.
func (s *scanner) find(ctx context.Context, path string, digest memstore.Digest, text []byte) (found []scrub.Finding, known bool,
	why Reason) {
	if found, known = s.Memory.known(digest, path); known {
		return found, true, ""
	}
	r, err := s.Engine.Scan(ctx, path, text)
	switch {
	case err != nil:
		return nil, false, ""
	case r.Binary:
		return nil, false, Binary
	case r.Truncated:
		return r.Findings, false, incomplete
	}
	s.Memory.keep(digest, path, r.Findings)
	return r.Findings, false, ""
}

// counting leaves out what the user has dismissed anywhere: its repeats do not count either. Those of a value that is dismissed in
// one file do.
func (s *scanner) counting(path string, text []byte, found []scrub.Finding) []scrub.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f scrub.Finding) bool {
		return s.Memory.Dismissed(f.Class, s.Engine.Plain(path, text, f), "")
	})
}

// maxRepeats bounds the places of one text at which values that are known stand, that are told. A
// scrub removes all of them.
const maxRepeats = scrub.DefaultLimit

// second joins the values of a file with those of all others, and records the places.
func (s *scanner) second(ctx context.Context, src *source) {
	text := src.text
	if text == nil {
		var why Reason
		if text, why = read(s.Backend, src.name, s.MaxFile); why != "" {
			src.skip = why
			return
		}
		if d := memstore.Sum(text); d != src.digest { // it has changed between the two times
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

// file puts the findings of one text into their groups. of says where the text is.
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
		p.Before, p.After = OnLine(text, found, i)
		s.add(p, f, s.Engine.Plain(of.Path, text, f))
	}
}

// aboutMost is how much of a line is kept on either side of a value, in bytes.
const aboutMost = 120

// OnLine is what stands before and after a finding on its line, with the values beside it masked.
func OnLine(text []byte, found []scrub.Finding, i int) (before, after string) {
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

// add puts one place into its group.
func (s *scanner) add(p Place, f scrub.Finding, value string) {
	p.Start, p.End, p.Class, p.Rule, p.Severity, p.Score = f.Start, f.End, f.Class, f.Rule, f.Severity, f.Score
	p.ID, p.Why = s.Memory.ID(value), s.Engine.Why(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[p.ID]
	if g == nil {
		g = &Group{ID: p.ID, value: value}
		s.groups[p.ID] = g
	}
	p.ID = g.ID // one text for all places
	if f.Score > g.Score {
		g.Score, g.Class = f.Score, f.Class
	}
	g.Severity, g.Evidence = max(g.Severity, f.Severity), max(g.Evidence, f.Evidence)
	g.Places = append(g.Places, p)
	if !p.Past {
		g.Live++
	}
}

// done orders the groups: the worst first, then those with the most places.
func (s *scanner) done() *Survey {
	for _, src := range s.sources {
		if src.skip != "" && !(src.fleeting && isGone(src)) {
			s.survey.Skipped = append(s.survey.Skipped, Skipped{Path: src.path, Why: src.skip})
		}
	}
	s.dismissals = s.Memory.Dismissals()
	for _, g := range s.groups {
		for i := range g.Places {
			if p := &g.Places[i]; !p.Past && !p.InName {
				kept := s.revs[p.Content]
				p.Rev, p.Revisions = kept.Rev, kept.Revisions
			}
		}
		slices.SortFunc(g.Places, comparePlaces)
		s.exempt(g)
		s.survey.Groups = append(s.survey.Groups, g)
	}
	slices.SortFunc(s.survey.Groups, func(a, b *Group) int {
		return cmp.Or(compareBool(a.Dismissed, b.Dismissed), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Class, b.Class),
			cmp.Compare(len(b.Places), len(a.Places)),
			comparePlaces(a.Places[0], b.Places[0]))
	})
	survey := s.survey
	survey.byID = s.groups
	return &survey
}

// exempt separates the places for which the user has dismissed a value from those that count.
func (s *scanner) exempt(g *Group) {
	var count, not []Place
	for _, p := range g.Places {
		if s.Memory.Dismissed(g.Class, g.value, p.Path) {
			not = append(not, p)
		} else {
			count = append(count, p)
		}
	}
	if len(not) == 0 {
		return
	}
	for _, d := range s.dismissals {
		if d.ID == g.ID && d.Class == g.Class {
			g.Dismissals = append(g.Dismissals, d)
		}
	}
	if len(count) == 0 {
		g.Dismissed = true
		return
	}
	g.Places, g.Exempt, g.Live = count, not, 0
	for i := range count {
		if !count[i].Past {
			g.Live++
		}
	}
}
