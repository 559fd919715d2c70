package findings

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// Scrubber takes values out: those of a survey that were accepted. For one goroutine.
type Scrubber struct {
	Engine    *scrub.Engine
	Memory    *Memory // nil: nothing is allowed
	Treatment scrub.Treatment
	// Store writes: a store of the curator, with Journal among its recorders where there is one.
	Store   *memstore.Store
	Journal *journal.Journal // nil: there is no past
	// StateDir is the folder of the store's state, "" where there is none; Dir the store's own folder, "" where
	// it is none on a disk. Both are searched for what is left after a purge.
	StateDir, Dir string
	// Class overrides, by id of the group, what a value is taken for.
	Class map[string]string
	// Action overrides, by id of the group, what is done about a value.
	Action map[string]scrub.Action
	// All tells of which classes every value is taken out, also one that shows only once others are gone; nil:
	// those that were accepted and no more.
	All func(class string) bool
	// MaxFile is the largest file that is rewritten, in bytes; 0: 64 MiB.
	MaxFile int64
	// Report is told how far the work has come; nil: nobody.
	Report func(Step, int, int)

	values *scrub.Values
	accept map[string]string       // values and their classes
	action map[string]scrub.Action // of values that have one of their own
}

// Step is a part of the work.
type Step string

// The steps, in their order. Purge has all of them, Redact the first one.
const (
	StepFiles   Step = "files"
	StepState   Step = "state"
	StepJournal Step = "journal"
	StepProof   Step = "proof"
)

// Done is what a redaction has done.
type Done struct {
	Files   int            // rewritten
	Names   int            // renamed
	Values  int            // places replaced
	Classes map[string]int // of those, by class
	Failed  []Skipped      // files that stay as they were, with the reason
}

// Changed is the reason of a file that another program changed while it was being rewritten, more than once.
const Changed Reason = "changed"

// rounds bounds how often one file is looked at again: what a replacement uncovers, and what another program
// writes meanwhile, is found in the next one.
const rounds = 8

// Accept says which groups are taken out. It is called once, before the work.
func (s *Scrubber) Accept(groups []*Group) {
	s.accept, s.action = map[string]string{}, map[string]scrub.Action{}
	for _, g := range groups {
		class := g.Class
		if c := s.Class[g.ID]; c != "" {
			class = c
		}
		s.accept[g.value] = class
		if a := s.Action[g.ID]; a != "" {
			s.action[g.value] = a
		}
	}
	s.seek()
}

// seek makes the list of values that are sought without their context.
func (s *Scrubber) seek() {
	c := s.Engine.Collect()
	for value, class := range s.accept {
		c.AddValue(value, scrub.Finding{Class: class, Rule: "repeat", Severity: s.Engine.Class(class).Severity, Score: 100, Action: s.action[value]})
	}
	s.values = c.Values()
	if s.Memory == nil {
		s.Memory, _ = OpenMemory("") // an error is of folders, and there is none
	}
	if s.MaxFile == 0 {
		s.MaxFile = 64 << 20
	}
	if s.Report == nil {
		s.Report = func(Step, int, int) {}
	}
}

// find is what of a text is taken out.
func (s *Scrubber) find(name string, text []byte) []scrub.Finding {
	var own []scrub.Finding
	for _, f := range s.Engine.Find(name, text) {
		value := s.Engine.Plain(name, text, f)
		class, ok := s.accept[value]
		if !ok && s.All != nil && s.All(f.Class) && !s.Memory.Allowed(f.Class, value) {
			class, ok = f.Class, true
			s.accept[value] = class // it is sought afterwards too
		}
		if ok {
			f.Class, f.Action = class, s.action[value]
			own = append(own, f)
		}
	}
	return scrub.Merge(own, s.values.Find(name, text))
}

// Clean is a text without the accepted values; counts are the places by class.
func (s *Scrubber) Clean(name string, text []byte) (clean []byte, counts map[string]int) {
	for range rounds {
		edits := s.Engine.Edits(name, text, s.find(name, text), s.Treatment)
		if len(edits) == 0 {
			break
		}
		if counts == nil {
			counts = map[string]int{}
		}
		for _, e := range edits {
			if e.Class != "" {
				counts[e.Class]++
			}
		}
		text = scrub.Apply(text, edits)
	}
	return text, counts
}

// Masked is a text with dots in the place of the accepted values: for showing it to people.
func (s *Scrubber) Masked(name string, text []byte) []byte {
	var out []byte
	at := 0
	for _, f := range s.find(name, text) {
		out = append(append(out, text[at:f.Start]...), dots...)
		at = f.End
	}
	return append(out, text[at:]...)
}

// Redact takes the accepted values out of the files and names, as one group that one undo takes back. Files
// that cannot be written are told in Done; the error is that of ctx or of the store as a whole. What
// was done stays done.
func (s *Scrubber) Redact(ctx context.Context) (*Done, error) {
	d := &Done{Classes: map[string]int{}}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: "scrub " + rand.Text()})
	ctx = journal.Calling(ctx, "scrub")
	look := memstore.New(s.Store.Backend(), memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}})
	snap, err := look.Scan(ctx, nil)
	if err != nil {
		return d, err
	}
	var files, all []string
	snap.Walk(func(at string, n *memstore.Node) bool {
		if at != memstore.Root {
			all = append(all, at)
		}
		if n.Kind == memstore.KindFile {
			files = append(files, at)
		}
		return true
	})
	for i, at := range files {
		s.Report(StepFiles, i, len(files))
		if err := ctx.Err(); err != nil {
			return d, err
		}
		if err := s.file(ctx, at, d); err != nil {
			return d, err
		}
	}
	s.Report(StepFiles, len(files), len(files))
	err = s.names(ctx, all, d)
	if s.Journal != nil {
		s.Journal.Flush()
	}
	return d, err
}

// file rewrites one file.
func (s *Scrubber) file(ctx context.Context, at string, d *Done) error {
	name := strings.TrimPrefix(at, memstore.Root+"/")
	for range rounds {
		text, why := read(s.Store.Backend(), name, s.MaxFile)
		if why == TooBig || why == Unreadable {
			d.Failed = append(d.Failed, Skipped{at, why})
		}
		if why != "" {
			return nil
		}
		clean, counts := s.Clean(at, text)
		if bytes.Equal(clean, text) {
			return nil
		}
		sum := memstore.Sum(text)
		err := s.Store.Apply(ctx, memstore.Step{Kind: memstore.KindFile, Path: at, Data: clean, Expect: &sum})
		switch {
		case err == nil:
			d.Files++
			for class, n := range counts {
				d.Classes[class] += n
				d.Values += n
			}
			return nil
		case errors.Is(err, memstore.ErrChanged):
			continue // another program was quicker: its text is looked at
		case errors.Is(err, memstore.ErrNotExist):
			return nil
		case errors.Is(err, memstore.ErrPermission):
			d.Failed = append(d.Failed, Skipped{at, Unreadable})
			return nil
		default:
			return err
		}
	}
	d.Failed = append(d.Failed, Skipped{at, Changed})
	return nil
}

// names renames what has an accepted value in its name, the deepest first.
func (s *Scrubber) names(ctx context.Context, all []string, d *Done) error {
	taken := map[string]bool{}
	for _, at := range all {
		taken[at] = true
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, at := range all {
		base := journal.RedactName(path.Base(at), s.redactName)
		if base == path.Base(at) {
			continue
		}
		to := journal.FreeName(path.Dir(at)+"/"+base, func(name string) bool { return taken[name] })
		err := s.Store.Apply(ctx, memstore.Step{Path: to, OldPath: at, Kind: memstore.KindFile})
		if errors.Is(err, memstore.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		taken[to] = true
		d.Names++
	}
	return nil
}

func (s *Scrubber) redactName(base []byte) []byte {
	clean, _ := s.Clean("", base)
	return clean
}

// leftovers removes temporary files of writes that were killed, where they hold an accepted value. It is in the
// store's turn, so that no write of ours is under way.
func (s *Scrubber) leftovers(ctx context.Context) error {
	unlock, err := s.Store.Backend().Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.leftoversIn(ctx, ".")
}

func (s *Scrubber) leftoversIn(ctx context.Context, dir string) error {
	b := s.Store.Backend()
	list, err := b.ReadDir(dir)
	if err != nil {
		return ignoreStoreGone(err)
	}
	for _, i := range list {
		name := i.Name
		if dir != "." {
			name = dir + "/" + i.Name
		}
		switch {
		case i.Kind == memstore.KindDir:
			err = s.leftoversIn(ctx, name)
		case i.Kind == memstore.KindFile && memstore.TempName(i.Name):
			if text, why := read(b, name, s.MaxFile); why == "" && len(s.find("", text)) > 0 {
				err = ignoreStoreGone(b.Remove(name))
			}
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}
