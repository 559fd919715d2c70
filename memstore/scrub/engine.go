package scrub

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/rule"

	"memcurator/memstore/scrub/view"
)

//go:embed rules/*.toml
var ruleFiles embed.FS

// Options say what an engine knows.
type Options struct {
	// Files are rules of the user. Later ones override earlier ones, and the embedded ones, by id.
	Files []rule.File
	// Off are names of classes and ids of rules that find nothing.
	Off []string
}

// MostFindings bounds the findings of one text.
const MostFindings = 10_000

// Engine finds sensitive values. It does not change after New and is safe for concurrent use.
type Engine struct {
	rules    []*rule.Rule
	classes  map[string]rule.Class
	byID     map[string]*rule.Rule
	detector map[string]*rule.Rule
	words    []keyword
	trie     *wordTrie
	byLead   [rule.MaxLead][]rulePattern // patterns that begin with that many digits
	byLetter [256][]rulePattern          // patterns that begin with that letter
	anywhere []*rule.Rule                // expressions without keywords: they are tried on the whole text
	stopped  ascii.Words                 // values that are words, lower case
	never    map[string]bool             // whole values, lower case, that rule files exclude from every class
}

// prefixInTrie bounds what of a pattern's beginning the trie knows, so that a token
// broken after it is still met.
const prefixInTrie = 12

// keyword is one word of the trie and everything that waits for it.
type keyword struct {
	text     string
	patterns []rulePattern // that begin with it
	regexes  []*rule.Rule
	cues     []judge.Kind                  // what it announces
	context  bool                          // a context word of some rule
	read     func(s *scan, start, end int) // reads the text round it; nil: nothing does
	bounded  bool                          // counts only as a whole word
}

// rulePattern is a pattern and the rule it belongs to.
type rulePattern struct {
	*rule.Pattern
	rule *rule.Rule
}

// New makes an engine of the embedded rules and those in o. Problems name what was left
// out; the engine works whatever they are.
func New(o Options) (*Engine, []rule.Problem) {
	set := &rule.Set{Classes: map[string]rule.Class{}, Detectors: detectors}
	var problems []rule.Problem
	for _, f := range embeddedFiles() {
		problems = append(problems, set.Load(f)...)
	}
	for _, f := range o.Files {
		problems = append(problems, set.Load(f)...)
	}
	e := build(set, o)
	own := slices.DeleteFunc(slices.Clone(set.Rules), func(r *rule.Rule) bool {
		return !slices.ContainsFunc(o.Files, func(f rule.File) bool { return f.Name == r.File })
	})
	if failed := e.tryExamples(own); len(failed) > 0 {
		problems = append(problems, failed...)
		set.Rules = slices.DeleteFunc(set.Rules, func(r *rule.Rule) bool {
			return slices.ContainsFunc(failed, func(p rule.Problem) bool { return p.Rule == r.ID })
		})
		e = build(set, o)
	}
	return e, problems
}

// embeddedFiles are the built-in rules, by name.
func embeddedFiles() []rule.File {
	var out []rule.File
	names, _ := fs.Glob(ruleFiles, "rules/*.toml")
	for _, name := range names {
		text, err := ruleFiles.ReadFile(name)
		if err == nil {
			out = append(out, rule.File{Name: name, Text: text})
		}
	}
	return out
}

// build lays out the tables of an engine.
func build(set *rule.Set, o Options) *Engine {
	e := &Engine{
		classes: set.Classes, byID: map[string]*rule.Rule{}, detector: map[string]*rule.Rule{}, never: map[string]bool{},
	}
	for _, r := range set.Rules {
		if slices.Contains(o.Off, r.ID) || slices.Contains(o.Off, r.Class) {
			continue
		}
		if r.Severity == 0 {
			r.Severity = e.class(r.Class).Severity
		}
		e.rules = append(e.rules, r)
		e.byID[r.ID] = r
		if r.Detector != "" {
			e.detector[r.Detector] = r
		}
	}
	e.index(set)
	return e
}

// manyWords is about how many words the embedded rules wait for.
const manyWords = 3 << 10

// index fills the keyword table and the tables of patterns without a fixed beginning.
func (e *Engine) index(set *rule.Set) {
	at := make(map[string]int, manyWords)
	e.words = make([]keyword, 0, manyWords)
	word := func(text string) *keyword {
		text = ascii.ToLower(text)
		i, ok := at[text]
		if !ok {
			i = len(e.words)
			at[text] = i
			e.words = append(e.words, keyword{text: text})
		}
		return &e.words[i]
	}
	for _, c := range set.Cues {
		for _, text := range c.Words {
			for _, spelled := range rule.Spellings(text) {
				e.stopped.Add(spelled)
				w := word(spelled)
				if kind := judge.Kinds[c.Kind]; !slices.Contains(w.cues, kind) {
					w.cues, w.bounded = append(w.cues, kind), true
				}
			}
		}
	}
	for _, r := range readers {
		for _, text := range r.words {
			word(text).read = r.read
		}
	}
	for _, r := range e.rules {
		e.indexRule(r, word)
	}
	texts := make([]string, len(e.words))
	for i, w := range e.words {
		texts[i] = w.text
	}
	e.trie, _ = newWordTrie(texts)
	for _, w := range set.Stop {
		if w != "" {
			e.stopped.Add(w)
			e.never[w] = true
		}
	}
	for _, r := range e.rules {
		r.ContextWords(at)
	}
}

func (e *Engine) indexRule(r *rule.Rule, word func(string) *keyword) {
	for _, text := range r.Context {
		for _, spelled := range rule.Spellings(text) {
			w := word(spelled)
			w.context, w.bounded = true, true
		}
	}
	if r.Regex != nil && len(r.Keywords) == 0 {
		e.anywhere = append(e.anywhere, r)
	}
	for _, text := range r.Keywords {
		if r.Regex != nil {
			w := word(text)
			w.regexes = append(w.regexes, r)
		}
	}
	for _, p := range r.Patterns {
		if p == nil {
			continue
		}
		s := rulePattern{p, r}
		if prefix := p.Prefix(); len(prefix) >= 3 && !ascii.Digits[prefix[0]] {
			w := word(prefix[:min(len(prefix), prefixInTrie)])
			w.patterns = append(w.patterns, s)
			continue
		}
		lo, hi := p.Lead()
		if first := p.Pieces[0]; lo == 0 && first.Set != nil && first.Set['0'] {
			e.indexLetter(s)
			lo, hi = 1, rule.MaxLead
		}
		for n := lo; n <= min(hi, len(e.byLead)-1); n++ {
			e.byLead[n] = append(e.byLead[n], s)
		}
		if lo == 0 {
			e.indexLetter(s)
		}
	}
}

// indexLetter notes a pattern under each byte that it can begin with.
func (e *Engine) indexLetter(s rulePattern) {
	for b := range e.byLetter {
		if !ascii.Digits[b] && s.MayBegin(byte(b)) {
			e.byLetter[b] = append(e.byLetter[b], s)
		}
	}
}

// Classes are all kinds of sensitive data that the engine knows, by name.
func (e *Engine) Classes() []rule.Class {
	var out []rule.Class
	for _, name := range slices.Sorted(maps.Keys(e.classes)) {
		out = append(out, e.classes[name])
	}
	return out
}

// Class describes one class; of an unknown name it knows only the name.
func (e *Engine) Class(name string) rule.Class { return e.class(name) }

func (e *Engine) class(name string) rule.Class {
	if c, ok := e.classes[name]; ok {
		return c
	}
	return rule.Class{Name: name, Title: name, Severity: rule.High}
}

// Find is Scan for callers that need only the spans.
func (e *Engine) Find(name string, text []byte) []Finding {
	report, _ := e.Scan(context.Background(), name, text)
	return report.Findings
}

// FindName looks at an agent path itself, without the ending that says what format its
// file has; the offsets are those of path.
func (e *Engine) FindName(name string) []Finding {
	if end := path.Ext(name); view.KnownEnding(strings.ToLower(end)) {
		name = strings.TrimSuffix(name, end)
	}
	report, _ := e.scan(context.Background(), []byte(name), view.Plain)
	return report.Findings
}

// Scan finds the sensitive values of a text. The name (an agent path) only says what
// format it is; the text decides where the name does not. The error is that of ctx.
func (e *Engine) Scan(ctx context.Context, name string, text []byte) (Report, error) {
	if IsBinary(text) || len(text) > view.MaxText {
		return Report{Binary: true}, nil
	}
	return e.scan(ctx, text, view.FormatOf(name, text))
}

// Plain is the value of a finding as a reader of the text would say it: escapes,
// entities and full-width forms read.
func (e *Engine) Plain(name string, text []byte, f Finding) string {
	if f.Start < 0 || f.End > len(text) || f.Start >= f.End {
		return ""
	}
	return plainIn(text, view.FormatOf(name, text), f)
}

func plainIn(text []byte, format view.Format, f Finding) string {
	return plain(view.New(text[f.Start:f.End], format).Text)
}

// plain turns bytes of a view into what a reader sees.
func plain(b []byte) string { return strings.Map(view.Outer, string(b)) }
