package findings

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// Scrubber removes the chosen values of a survey. It is not safe for concurrent use.
type Scrubber struct {
	Engine *scrub.Engine
	State  *State // nil: no dismissals
	// Store is where to write: a store with the curator as actor, and with Journal among its recorders if there is one.
	Store   *memstore.Store
	Journal *journal.Journal // nil: no past
	// StateDir is the state folder of the store, "" if it has none; Dir is the store's own folder, "" if it is not on a disk. A purge
	// searches both for residues, and the state folders of other stores beside StateDir ([Scrubber.Prove]).
	StateDir, Dir string
	// Transcripts are the files of the agent's conversations. A purge searches them, and doesn't change them.
	Transcripts []string
	// Report is called with the progress; nil: no report.
	Report func(Step, int, int)

	accept map[string]string         // chosen values, with their classes
	sure   map[string]scrub.Evidence // evidence for the values of accept, if known
	named  map[string][]string       // values found in names of files and folders, by name without parents
	purge  bool                      // remove values in every form that the proof searches for

	// Derived from accept by seek:
	values   *scrub.Values
	peculiar []string // values distinctive enough to search for without context
	needles  *needles // values in all their forms
}

// Step is a part of the work.
type Step string

// Steps in order. Purge has all of them, Redact the first one.
const (
	StepFiles   Step = "files"
	stepState   Step = "state"
	stepJournal Step = "journal"
	stepProof   Step = "proof"
)

// Done is the result of a redaction.
type Done struct {
	Files   int            // rewritten
	Names   int            // renamed
	Values  int            // places replaced
	Classes map[string]int // places by class
	Failed  []Skipped      // unchanged files and folders, with the reason
}

// add adds later results.
func (d *Done) add(more *Done) {
	d.Files += more.Files
	d.Names += more.Names
	d.Values += more.Values
	if d.Classes == nil {
		d.Classes = map[string]int{}
	}
	for class, n := range more.Classes {
		d.Classes[class] += n
	}
	d.Failed = more.Failed // later attempts supersede it
}

// rounds limits how often to process one file: other programs may write meanwhile.
const rounds = 8

// Accept sets the secrets to remove. Call it once, before Redact or Purge.
func (s *Scrubber) Accept(secrets []*Secret) {
	s.sure = map[string]scrub.Evidence{}
	s.accept, s.named = map[string]string{}, map[string][]string{}
	for _, secret := range secrets {
		s.accept[secret.value], s.sure[secret.value] = secret.Class, secret.Evidence
		for _, p := range secret.Places {
			if base, ok := nameAt(&p); ok {
				s.named[base] = append(s.named[base], p.Path[p.Start:p.End])
			}
		}
	}
	s.seek()
}

// nameAt returns the name of the file or folder that contains a whole place.
func nameAt(p *Place) (base string, ok bool) {
	if !p.InName || p.Start < 0 || p.End > len(p.Path) || strings.Contains(p.Path[p.Start:p.End], "/") {
		return "", false
	}
	from := strings.LastIndexByte(p.Path[:p.Start], '/') + 1
	base, _, _ = strings.Cut(p.Path[from:], "/")
	return base, true
}

// seek prepares the lists of values to search for without context.
func (s *Scrubber) seek() {
	all := s.Engine.Collect()
	s.peculiar = nil
	for _, value := range s.sought() {
		class := s.accept[value]
		n := all.Len()
		all.AddValue(value, scrub.Finding{Class: class, Rule: "repeat", Severity: s.Engine.Class(class).Severity, Score: 100,
			Evidence: s.sure[value]})
		if all.Len() > n {
			s.peculiar = append(s.peculiar, value)
		}
	}
	s.values, s.needles = all.Values(), newNeedles(s.peculiar)
	if s.State == nil {
		s.State, _ = OpenState("") // fails only with a folder
	}
	if s.Report == nil {
		s.Report = func(Step, int, int) {}
	}
}

// ofName is the name passed to find and Clean for a text that is itself the name of a file or folder. No file has this name.
const ofName = "\x00"

// find returns the spans of a text to remove.
func (s *Scrubber) find(name string, text []byte) []scrub.Finding {
	var own []scrub.Finding
	for _, f := range s.Engine.Find(name, text) {
		if class, ok := s.accept[s.Engine.Plain(name, text, f)]; ok {
			f.Class = class
			own = append(own, f)
		}
	}
	again := s.values.Find(name, text)
	if name == ofName {
		again = s.values.InName(string(text))
	}
	found := scrub.Merge(own, again)
	if s.purge {
		return scrub.Merge(found, s.inAnyForm(text))
	}
	return found
}

// inAnyForm returns what the proof would find in a text.
func (s *Scrubber) inAnyForm(text []byte) (found []scrub.Finding) {
	s.needles.in(bytes.Clone(text), func(one needle, start, end int) {
		value := s.peculiar[one.value]
		found = append(found, scrub.Finding{Start: start, End: end, Class: s.accept[value], Rule: "repeat", Score: 50})
	})
	return scrub.Merge(found, nil)
}

// Clean returns a text without the chosen values; counts are the places by class.
func (s *Scrubber) Clean(name string, text []byte) (clean []byte, counts map[string]int) {
	if scrub.IsBinary(text) {
		return text, nil
	}
	return s.Engine.Clean(name, text, func(text []byte) []scrub.Finding { return s.find(name, text) })
}

// Masked replaces the chosen values of a text by mask, for display.
func (s *Scrubber) Masked(name string, text []byte, mask string) []byte {
	var out []byte
	at := 0
	for _, f := range s.find(name, text) {
		out = append(append(out, text[at:f.Start]...), mask...)
		at = f.End
	}
	return append(out, text[at:]...)
}

// Redact removes the chosen values from files and names, as one group that one undo restores. Done lists files that could not be written;
// the error is that of ctx or of the store as a whole. An error doesn't revert what was already changed.
func (s *Scrubber) Redact(ctx context.Context) (*Done, error) {
	d := &Done{Classes: map[string]int{}}
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: "redact " + rand.Text(), As: "redact"})
	snap, err := scanStore(ctx, s.Store.Backend())
	if err != nil {
		return d, err
	}
	var files, links, all []string
	snap.Walk(func(at string, n *memstore.Node) bool {
		if at != memstore.Root {
			all = append(all, at)
		}
		if n.Problem != nil {
			d.Failed = append(d.Failed, Skipped{Path: at, Why: Unreadable})
		}
		switch n.Kind {
		case memstore.KindFile:
			files = append(files, at)
		case memstore.KindLink:
			links = append(links, at)
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
	for _, at := range links {
		if err := s.link(ctx, at); err != nil {
			return d, err
		}
	}
	err = s.names(ctx, all, d)
	return d, err
}

// file rewrites one file.
func (s *Scrubber) file(ctx context.Context, at string, d *Done) error {
	name := strings.TrimPrefix(at, memstore.Root+"/")
	for range rounds {
		text, why := read(s.Store.Backend(), name)
		if why != "" {
			if !why.ByRule() && why != gone {
				d.Failed = append(d.Failed, Skipped{Path: at, Why: why})
			}
			return nil
		}
		clean, counts := s.Clean(at, text)
		if bytes.Equal(clean, text) {
			return nil
		}
		sum := memstore.Sum(text)
		_, err := s.Store.Apply(ctx, memstore.Step{Kind: memstore.KindFile, Path: at, Data: clean, Expect: &sum})
		switch {
		case err == nil:
			d.Files++
			for class, n := range counts {
				d.Classes[class] += n
				d.Values += n
			}
			return nil
		case errors.Is(err, memstore.ErrChanged):
			continue // another program was faster: process its text
		case errors.Is(err, memstore.ErrNotExist):
			return nil
		case errors.Is(err, memstore.ErrPermission):
			d.Failed = append(d.Failed, Skipped{Path: at, Why: refusal(err)})
			return nil
		default:
			return err
		}
	}
	d.Failed = append(d.Failed, Skipped{Path: at, Why: changing})
	return nil
}
