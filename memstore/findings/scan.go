package findings

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/journal"
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
	// Report is called with the number of files scanned; nil: no report.
	Report func(done, all int)
}

// maxFile is the size of the largest file to scan, search or rewrite, in bytes.
const maxFile = 64 << 20

func (o *Options) fill() {
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
	o.State.useCache(o.Engine)
	_ = o.State.Refresh() // on an error, the dismissals stay as they were
	s := &scanner{
		Options: o, collector: o.Engine.Collect(), secrets: map[string]*Secret{},
		live: map[memstore.Digest]bool{}, skipped: map[Skipped]bool{},
	}
	if o.NoJournal != nil {
		s.noPast(o.NoJournal)
	}
	steps := []func(context.Context) error{
		s.list,
		func(ctx context.Context) error { return s.now(ctx, s.first) },
		func(ctx context.Context) error { return s.past(ctx, s.first) },
		s.seek,
		func(ctx context.Context) error { return s.now(ctx, s.second) },
		s.secondsPast,
		s.names,
	}
	for _, step := range steps {
		if err := cmp.Or(step(ctx), ctx.Err()); err != nil {
			return nil, err
		}
	}
	return s.done(), nil
}

// seek prepares the search everywhere for the values found anywhere.
func (s *scanner) seek(context.Context) error {
	s.survey.values = s.collector.Values()
	s.survey.Unsought = s.survey.values.Full()
	return nil
}

// scanner is one scan. It reads every text twice: values found anywhere in the first pass are searched everywhere in the second.
type scanner struct {
	Options
	files     []string // agent paths
	others    []string // of folders and what else has only a name
	live      map[memstore.Digest]bool
	collector *scrub.Collector
	inPast    bool // a content of the journal has a value recognizable by itself
	secrets   map[string]*Secret
	skipped   map[Skipped]bool // as in survey
	survey    Survey
}

// scanStore reads the tree of a store.
func scanStore(ctx context.Context, b memstore.Backend) (*memstore.Snapshot, error) {
	look := memstore.New(b, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}})
	return look.Scan(ctx, memstore.ScanOptions{})
}

// list finds the files. One that vanishes before it is read counts as not read: it may have been renamed.
func (s *scanner) list(ctx context.Context) error {
	snap, err := scanStore(ctx, s.Backend)
	if err != nil {
		return err
	}
	snap.Walk(func(at string, n *memstore.Node) bool {
		switch n.Kind {
		case memstore.KindDir:
			if n.Problem != nil {
				s.skip(Skipped{Path: at, Why: Unreadable})
			}
			if memstore.InGit(at) {
				s.skip(Skipped{Path: at, Why: OfGit})
			}
			s.others = append(s.others, at)
		case memstore.KindLink:
			if _, err := s.Backend.Stat(memstore.BackendName(at)); err != nil { // where it leads to in the store is read there
				s.skip(Skipped{Path: at, Why: Linked})
			}
		case memstore.KindOther:
			s.skip(Skipped{Path: at, Why: NotRegular})
			s.others = append(s.others, at)
		default:
			s.files = append(s.files, at)
		}
		return true
	})
	return nil
}

// now visits the files. The place is that of the text as a whole.
func (s *scanner) now(ctx context.Context, visit func(context.Context, Place, []byte)) error {
	for i, at := range s.files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.Report(i+1, len(s.files))
		text, why := read(s.Backend, memstore.BackendName(at))
		if why != "" {
			s.skip(Skipped{Path: at, Why: why})
			continue
		}
		digest := memstore.Sum(text)
		s.live[digest] = true
		visit(ctx, Place{Path: at, Content: digest}, text)
	}
	return nil
}

// skip records, once, what was not searched.
func (s *scanner) skip(one Skipped) {
	if !s.skipped[one] {
		s.skipped[one] = true
		s.survey.Skipped = append(s.survey.Skipped, one)
	}
}

// first finds the values that are recognizable in a text by itself.
func (s *scanner) first(ctx context.Context, of Place, text []byte) {
	found, ok := s.find(ctx, of, text)
	if !ok {
		return
	}
	if of.Past {
		s.survey.Contents++
		s.inPast = s.inPast || len(found) > 0
	} else {
		s.survey.Files++
	}
	s.survey.Bytes += int64(len(text))
	s.collector.Add(of.Path, text, s.counting(of.Path, text, found))
}

// find returns the engine's findings, from the cache if the content is known; not ok if it can't be searched.
func (s *scanner) find(ctx context.Context, of Place, text []byte) (found []scrub.Finding, ok bool) {
	if found, known := s.State.known(of.Content, of.Path); known {
		return found, true
	}
	r, err := s.Engine.Scan(ctx, of.Path, text)
	var why Reason
	switch {
	case err != nil:
		return nil, false
	case r.Binary && isUTF16(text):
		why = encoded
	case r.Binary:
		why = Binary
	case r.Truncated:
		why = incomplete
	default:
		s.State.keep(of.Content, of.Path, r.Findings)
	}
	if why != "" && !(why == Binary && of.Past) {
		s.skip(Skipped{Path: of.Path, Why: why, Past: of.Past})
	}
	return r.Findings, !r.Binary
}

// counting drops findings that the user has dismissed, so that their repeats don't count either.
func (s *scanner) counting(path string, text []byte, found []scrub.Finding) []scrub.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f scrub.Finding) bool {
		return s.State.Dismissed(f.Class, s.Engine.Plain(path, text, f))
	})
}

// maxRepeats limits the reported places of known values in one text. A scrub removes all of them.
const maxRepeats = scrub.MostFindings

// second searches a text for its own values and those of all others, and records the places.
func (s *scanner) second(ctx context.Context, of Place, text []byte) {
	found, ok := s.find(ctx, of, text)
	if !ok {
		return
	}
	again, err := s.survey.values.Search(ctx, of.Path, text, maxRepeats)
	if err != nil {
		return // of the scan as a whole
	}
	if len(again) > maxRepeats {
		again = again[:maxRepeats]
		s.skip(Skipped{Path: of.Path, Why: incomplete, Past: of.Past})
	}
	s.file(text, scrub.Merge(found, again), of)
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
	dismissals := s.State.Dismissals()
	for _, secret := range s.secrets {
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
