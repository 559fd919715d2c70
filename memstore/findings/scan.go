package findings

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// Options say what is scanned, and with what.
type Options struct {
	Engine  *scrub.Engine
	Memory  *Memory // nil: nothing is kept, nothing allowed
	Backend memstore.Backend
	Journal *journal.Journal // nil: files alone
	// Workers is how many goroutines scan files; below 1: one.
	Workers int
	// MaxFile is the largest file that is scanned, in bytes; 0: 64 MiB.
	MaxFile int64
	// Report is told how many files of all were scanned, on one goroutine at a time; nil: nobody.
	Report func(done, all int)
}

// maxFile is the largest file that is read where nobody says otherwise, in bytes.
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
		o.Memory, _ = OpenMemory("") // an error is of folders, and there is none
	}
}

// Scan looks for sensitive values in the files of a store, in their names, and in what the journal keeps. It
// leaves no trace in the store. A file that changes meanwhile is taken as it was when it was read; one
// that cannot be read is told in [Survey.Skipped]. The error is that of ctx, or of the store or the journal
// as a whole.
func Scan(ctx context.Context, o Options) (*Survey, error) {
	o.fill()
	o.Memory.useCache(o.Engine.Version())
	_ = o.Memory.Refresh() // what cannot be read again is as it was
	s := &scanner{Options: o, collector: o.Engine.Collect(), groups: map[string]*Group{}}
	if err := s.list(ctx); err != nil {
		return nil, err
	}
	if err := s.files(ctx, s.first); err != nil {
		return nil, err
	}
	if err := s.past(ctx, s.firstPast); err != nil {
		return nil, err
	}
	s.survey.values = s.collector.Values()
	s.survey.Unsought = s.survey.values.Full()
	if err := s.files(ctx, s.second); err != nil {
		return nil, err
	}
	if err := s.past(ctx, s.secondPast); err != nil {
		return nil, err
	}
	if err := s.names(ctx); err != nil {
		return nil, err
	}
	err := o.Memory.save()
	_ = err // the cache only saves time
	return s.done(), nil
}

// scanner is one scan. Every file is gone through twice: what is found first anywhere is sought
// everywhere after. Small files are held in between.
type scanner struct {
	Options
	sources   []*source
	dirs      []string // agent paths
	live      map[memstore.Digest]bool
	collector *scrub.Collector
	held      int64 // bytes of texts

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
}

// list finds the files.
func (s *scanner) list(ctx context.Context) error {
	look := memstore.New(s.Backend, memstore.Options{ReadOnly: true, Workers: s.Workers, Origin: memstore.Origin{Actor: memstore.Curator}})
	snap, err := look.Scan(ctx, nil)
	if err != nil {
		return err
	}
	snap.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindDir {
			if n.Problem != nil {
				s.survey.Skipped = append(s.survey.Skipped, Skipped{at, Unreadable})
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
	s.live = make(map[memstore.Digest]bool, len(s.sources))
	return nil
}

// files lets the workers do something with every file.
func (s *scanner) files(ctx context.Context, do func(context.Context, *source)) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range s.Workers {
		group.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				if next == len(s.sources) {
					mu.Unlock()
					return
				}
				src := s.sources[next]
				next++
				s.Report(next, len(s.sources))
				mu.Unlock()
				if src.skip == "" || src.skip == Incomplete {
					do(ctx, src)
				}
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// read reads a whole file without a trace.
func read(b memstore.Backend, name string, most int64) ([]byte, Reason) {
	f, err := b.Open(name, memstore.Look)
	if err != nil {
		if errors.Is(err, memstore.ErrNotRegular) {
			return nil, NotRegular
		}
		return nil, Unreadable
	}
	defer f.Close()
	info, err := f.Info()
	switch {
	case err != nil:
		return nil, Unreadable
	case info.Size > most:
		return nil, TooBig
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Unreadable
	}
	return data[:n], ""
}

// first finds what a file says by itself.
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
	s.collector.Add(src.path, text, s.judged(src.path, text, found))
	if s.held+int64(len(text)) <= heldMost {
		s.held += int64(len(text))
		src.text = text
	}
}

// find is what the engine finds, from the cache where the content is known.
func (s *scanner) find(ctx context.Context, path string, digest memstore.Digest, text []byte) (found []scrub.Finding, known bool, why Reason) {
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
		return r.Findings, false, Incomplete
	}
	s.Memory.keep(digest, path, r.Findings)
	return r.Findings, false, ""
}

// judged leaves out what the user has judged harmless: its repeats are harmless too.
func (s *scanner) judged(path string, text []byte, found []scrub.Finding) []scrub.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f scrub.Finding) bool {
		return s.Memory.Allowed(f.Class, s.Engine.Plain(path, text, f))
	})
}

// maxRepeats bounds the places of one text at which values that are known stand, that are told. A
// scrub takes out all of them.
const maxRepeats = scrub.DefaultLimit

// second joins what a file says by itself with the values of all others, and files the places.
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
				src.skip = Incomplete
			}
		}
	}
	again, err := s.survey.values.Search(ctx, src.path, text, maxRepeats)
	if err != nil {
		return // of the scan as a whole
	}
	if len(again) > maxRepeats {
		again, src.skip = again[:maxRepeats], Incomplete
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
		p.Before, p.After = about(text, found, i)
		s.add(p, f, s.Engine.Plain(of.Path, text, f))
	}
}

// aboutMost is how much of a line is kept on either side of a value, in bytes.
const aboutMost = 120

// about is what stands about a finding on its line, with the values beside it masked.
func about(text []byte, found []scrub.Finding, i int) (before, after string) {
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
	p.ID = s.Memory.ID(value)
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
	g.Severity = max(g.Severity, f.Severity)
	g.Places = append(g.Places, p)
	if !p.Past {
		g.Live++
	}
}

// past visits the contents that no file has.
func (s *scanner) past(ctx context.Context, do func(context.Context, journal.Kept, []byte)) error {
	if s.Journal == nil {
		return nil
	}
	err := s.Journal.Contents(ctx, func(k journal.Kept, text []byte) bool {
		if !s.live[k.Digest] && int64(len(text)) <= s.MaxFile {
			do(ctx, k, text)
		}
		return ctx.Err() == nil
	})
	return cmp.Or(ctx.Err(), err)
}

func (s *scanner) firstPast(ctx context.Context, k journal.Kept, text []byte) {
	found, known, why := s.find(ctx, k.Path, k.Digest, text)
	if why == Binary {
		return
	}
	s.survey.Contents++
	s.survey.Bytes += int64(len(text))
	if known {
		s.survey.Cached++
	}
	s.collector.Add(k.Path, text, s.judged(k.Path, text, found))
}

func (s *scanner) secondPast(ctx context.Context, k journal.Kept, text []byte) {
	found, _, _ := s.find(ctx, k.Path, k.Digest, text)
	again, err := s.survey.values.Search(ctx, k.Path, text, maxRepeats)
	if err != nil {
		return
	}
	if len(again) > maxRepeats {
		again = again[:maxRepeats]
		s.mu.Lock()
		s.survey.Skipped = append(s.survey.Skipped, Skipped{k.Path, Incomplete})
		s.mu.Unlock()
	}
	found = scrub.Merge(found, again)
	s.file(text, found, Place{Path: k.Path, Past: true, Rev: k.Rev, Revisions: k.Revisions, Content: k.Digest})
}

// names looks at the names of files and folders, now and once.
func (s *scanner) names(ctx context.Context) error {
	seen := map[string]bool{}
	look := func(path string, past bool) {
		if seen[path] {
			return
		}
		seen[path] = true
		found := scrub.Merge(s.Engine.FindName(path), s.survey.values.Find("", []byte(path)))
		for _, f := range found {
			if f.End <= strings.LastIndexByte(path, '/')+1 {
				continue // it is in the name of a folder above
			}
			s.add(Place{Path: path, InName: true, Past: past}, f, s.Engine.Plain("", []byte(path), f))
		}
	}
	for _, src := range s.sources {
		look(src.path, false)
	}
	for _, dir := range s.dirs {
		look(dir, false)
	}
	if s.Journal == nil {
		return ctx.Err()
	}
	return s.Journal.Names(ctx, func(path string) bool {
		look(path, true)
		return ctx.Err() == nil
	})
}

// done orders the groups: the worst first, then those with the most places.
func (s *scanner) done() *Survey {
	for _, src := range s.sources {
		if src.skip != "" {
			s.survey.Skipped = append(s.survey.Skipped, Skipped{src.path, src.skip})
		}
	}
	for _, g := range s.groups {
		g.Allowed = s.Memory.Allowed(g.Class, g.value)
		slices.SortFunc(g.Places, comparePlaces)
		s.survey.Groups = append(s.survey.Groups, g)
	}
	slices.SortFunc(s.survey.Groups, func(a, b *Group) int {
		return cmp.Or(compareBool(a.Allowed, b.Allowed), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Class, b.Class), cmp.Compare(len(b.Places), len(a.Places)),
			comparePlaces(a.Places[0], b.Places[0]))
	})
	survey := s.survey
	survey.byID = s.groups
	return &survey
}
