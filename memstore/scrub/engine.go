package scrub

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

//go:embed rules/*.toml
var ruleFiles embed.FS

// Options say what an engine knows.
type Options struct {
	// Files are rules of the user, ours or gitleaks'. Later ones override earlier ones, and the embedded ones, by id.
	Files []RuleFile
	// Bare leaves the embedded rules out.
	Bare bool
	// Off are names of classes and ids of rules that find nothing.
	Off []string
	// Limit is the most findings of one text; 0 means DefaultLimit.
	Limit int
	// Allowed reports whether the user has judged a value of a class harmless. It gets the
	// plain value, is called by many goroutines at once and may be nil.
	Allowed func(class string, value []byte) bool
	// Check runs the examples of the embedded rules too, by themselves; those of Files always
	// run. It doubles the time that New takes.
	Check bool
}

// DefaultLimit is the most findings of one text where Options name no other.
const DefaultLimit = 10_000

// Engine finds sensitive values. It does not change after New and is safe for concurrent use.
type Engine struct {
	rules    []*rule
	classes  map[string]Class
	byID     map[string]*rule
	detector map[string]*rule
	words    []keyword
	trie     *trie
	byLead   [maxLead][]shaped // patterns that begin with that many digits
	byLetter [256][]shaped     // patterns that begin with that letter
	anywhere []*rule           // expressions without keywords: they are tried on the whole text
	stopped  ascii.Words       // values that are words, lower case
	never    map[string]bool   // whole values, lower case, that rule files exclude from every class
	limit    int
	window   int // windowSize, but in tests
	allowed  func(string, []byte) bool
	version  string
}

// prefixInTrie bounds what of a pattern's beginning the trie knows, so that a token
// broken after it is still met.
const prefixInTrie = 12

// maxLead bounds the digits by which patterns are looked up: fewer than this.
const maxLead = 40

// keyword is one word of the trie and everything that waits for it.
type keyword struct {
	text     string
	patterns []shaped // that begin with it
	regexes  []*rule
	cues     []cueKind // what it announces
	context  bool      // a context word of some rule
	detector int       // by number in registered, from 1; 0: it leads to none
	bounded  bool      // counts only as a whole word
}

// shaped is a pattern and the rule it belongs to.
type shaped struct {
	*pattern
	rule *rule
}

// New makes an engine of the embedded rules and those in o. Problems name what was left
// out; the engine works whatever they are.
func New(o Options) (*Engine, []Problem) {
	set := &ruleSet{classes: map[string]Class{}}
	var problems []Problem
	if !o.Bare {
		for _, f := range embeddedFiles() {
			problems = append(problems, set.load(f)...)
		}
	}
	var failed []Problem
	if o.Check { // by themselves: what the user adds to words must not cost a rule of ours
		failed = build(set, o).tryExamples(set.rules)
	}
	own := len(set.rules)
	embedded := slices.Clone(set.rules)
	for _, f := range o.Files {
		problems = append(problems, set.load(f)...)
	}
	e := build(set, o)
	var suspects []*rule
	for i, r := range set.rules {
		if i >= own || embedded[i] != r {
			suspects = append(suspects, r)
		}
	}
	failed = append(failed, e.tryExamples(suspects)...)
	if len(failed) > 0 {
		problems = append(problems, failed...)
		set.rules = slices.DeleteFunc(set.rules, func(r *rule) bool {
			return slices.ContainsFunc(failed, func(p Problem) bool { return p.Rule == r.id })
		})
		e = build(set, o)
	}
	return e, problems
}

// embeddedFiles are our own rule files, by name.
func embeddedFiles() []RuleFile {
	var out []RuleFile
	names, _ := fs.Glob(ruleFiles, "rules/*.toml")
	for _, name := range names {
		text, err := ruleFiles.ReadFile(name)
		if err == nil {
			out = append(out, RuleFile{name, text})
		}
	}
	return out
}

// build lays out the tables of an engine.
func build(set *ruleSet, o Options) *Engine {
	e := &Engine{classes: set.classes, byID: map[string]*rule{}, detector: map[string]*rule{}, never: map[string]bool{}, limit: o.Limit,
		window: windowSize, allowed: o.Allowed}
	if e.limit <= 0 {
		e.limit = DefaultLimit
	}
	for _, r := range set.rules {
		if slices.Contains(o.Off, r.id) || slices.Contains(o.Off, r.class) {
			continue
		}
		if r.severity == 0 {
			r.severity = e.class(r.class).Severity
		}
		e.rules = append(e.rules, r)
		e.byID[r.id] = r
		if r.detector != "" {
			e.detector[r.detector] = r
		}
	}
	e.index(set)
	e.version = e.hash(set)
	return e
}

// manyWords is about how many words the embedded rules wait for.
const manyWords = 3 << 10

// index fills the keyword table and the tables of patterns without a fixed beginning.
func (e *Engine) index(set *ruleSet) {
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
	for _, c := range set.cues {
		for _, text := range c.words {
			for _, spelled := range spellingsOf(text) {
				e.stopped.Add(spelled)
				w := word(spelled)
				if kind := cueKinds[c.kind]; !slices.Contains(w.cues, kind) {
					w.cues, w.bounded = append(w.cues, kind), true
				}
			}
		}
	}
	for i, d := range registered {
		if d.words != nil {
			for _, text := range d.words() {
				word(text).detector = i + 1
			}
		}
	}
	for _, r := range e.rules {
		e.indexRule(r, word)
	}
	texts := make([]string, len(e.words))
	for i, w := range e.words {
		texts[i] = w.text
	}
	e.trie, _ = newTrie(texts)
	for _, w := range set.stop {
		if w != "" {
			e.stopped.Add(w)
			e.never[w] = true
		}
	}
	for _, r := range e.rules {
		r.contextWords(at)
	}
}

// spellingsOf are a cue of several words as keys of configurations spell it too, and one
// that begins with a letter beyond ASCII, whose case the trie does not fold, with a capital.
func spellingsOf(text string) []string {
	out := []string{text}
	if first, n := utf8.DecodeRuneInString(text); n > 1 && unicode.ToUpper(first) != first {
		out = append(out, string(unicode.ToUpper(first))+text[n:])
	}
	if strings.Contains(text, " ") && !strings.ContainsAny(text, "/:'") {
		for _, sep := range []string{"_", "-", ".", ""} {
			out = append(out, strings.ReplaceAll(text, " ", sep))
		}
	}
	return out
}

func (e *Engine) indexRule(r *rule, word func(string) *keyword) {
	for _, text := range r.context {
		for _, spelled := range spellingsOf(text) {
			w := word(spelled)
			w.context, w.bounded = true, true
		}
	}
	if r.regex != nil && len(r.keywords) == 0 {
		e.anywhere = append(e.anywhere, r)
	}
	for _, text := range r.keywords {
		if r.regex != nil {
			w := word(text)
			w.regexes = append(w.regexes, r)
		}
	}
	for _, p := range r.patterns {
		if p == nil {
			continue
		}
		s := shaped{p, r}
		if prefix := p.prefix(); len(prefix) >= 3 && !ascii.Digits[prefix[0]] {
			w := word(prefix[:min(len(prefix), prefixInTrie)])
			w.patterns = append(w.patterns, s)
			continue
		}
		lo, hi := p.lead()
		if first := p.pieces[0]; lo == 0 && first.set != nil && first.set['0'] {
			e.indexLetter(s)
			lo, hi = 1, maxLead
		}
		for n := lo; n <= min(hi, len(e.byLead)-1); n++ {
			e.byLead[n] = append(e.byLead[n], s)
		}
		if lo == 0 {
			e.indexLetter(s)
		}
	}
}

// lead is how many digits a match can begin with; 0, 0 where it begins with something else.
func (p *pattern) lead() (lo, hi int) {
	for _, piece := range p.pieces {
		if piece.set == nil {
			n := ascii.Run([]byte(piece.literal), 0, ascii.Digits)
			if piece.optional {
				return lo, hi
			}
			lo, hi = lo+n, hi+n
			if n < len(piece.literal) {
				return lo, hi
			}
			continue
		}
		some, others := piece.set.HasDigits()
		switch {
		case some && !others:
			lo, hi = lo+piece.min, hi+piece.max
		case some && lo > 0:
			return lo, maxLead
		default:
			return lo, hi
		}
	}
	return lo, hi
}

// indexLetter notes a pattern under each byte that it can begin with.
func (e *Engine) indexLetter(s shaped) {
	for b := range e.byLetter {
		if !ascii.Digits[b] && s.mayBegin(byte(b)) {
			e.byLetter[b] = append(e.byLetter[b], s)
		}
	}
}

// Classes are all kinds of sensitive data that the engine knows, by name.
func (e *Engine) Classes() []Class {
	var out []Class
	for _, name := range slices.Sorted(maps.Keys(e.classes)) {
		out = append(out, e.classes[name])
	}
	return out
}

// Class describes one class; of an unknown name it knows only the name.
func (e *Engine) Class(name string) Class { return e.class(name) }

func (e *Engine) class(name string) Class {
	if c, ok := e.classes[name]; ok {
		return c
	}
	return Class{Name: name, Title: name, Severity: High}
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
	if isBinary(text) || len(text) > view.MaxText {
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
	format := view.FormatOf(name, text)
	big, wide := view.UTF16Order(text)
	return plain(view.Of(text[f.Start:f.End], format, big, wide).Text)
}

// plain turns bytes of a view into what a reader sees.
func plain(b []byte) string { return strings.Map(view.Outer, string(b)) }
