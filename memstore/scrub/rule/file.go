package rule

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp/syntax"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/redact"

	"github.com/pelletier/go-toml/v2"
)

// File is the text of one file of rules. Its name is for messages.
type File struct {
	Name string
	Text []byte
}

// Set is the merged result of rule files. Later files override earlier ones by id and by name.
type Set struct {
	Rules     []*Rule
	Classes   map[string]Class
	Cues      []cueWords
	Stop      []string // of all rules: a value that is one of these is not reported
	Detectors []string // that rules may name
}

// cueWords are words of one kind that announce a value.
type cueWords struct {
	Kind  string
	Words []string
}

// document is a file of rules as it is written; docs/rules.md describes its keys.
type document struct {
	Class map[string]classTable `toml:"class"`
	Rule  []ruleTable           `toml:"rule"`
	Cue   map[string][]string   `toml:"cue"`
	Stop  []string              `toml:"stop"`
}

type classTable struct {
	Title    string `toml:"title"`
	Severity string `toml:"severity"`
	Rotate   string `toml:"rotate"`
	Personal bool   `toml:"personal"`
	Quiet    bool   `toml:"quiet"`
}

type ruleTable struct {
	ID              string   `toml:"id"`
	Class           string   `toml:"class"`
	Title           string   `toml:"title"`
	Rotate          string   `toml:"rotate"`
	Severity        string   `toml:"severity"`
	Score           int      `toml:"score"`
	Patterns        []string `toml:"patterns"`
	Regex           string   `toml:"regex"`
	Group           int      `toml:"group"`
	Keywords        []string `toml:"keywords"`
	Detector        string   `toml:"detector"`
	Check           string   `toml:"check"`
	MinEntropy      float64  `toml:"min_entropy"`
	Context         []string `toml:"context"`
	Required        bool     `toml:"context_required"`
	Window          int      `toml:"window"`
	Allow           []string `toml:"allow"`
	Stop            []string `toml:"stop"`
	Examples        []string `toml:"examples"`
	Counterexamples []string `toml:"counterexamples"`
}

// decode reads a file. What is wrong with it as a whole is the error; unknown keys are problems, and the rest counts.
func decode(f File) (doc document, problems []Problem, err error) {
	d := toml.NewDecoder(bytes.NewReader(f.Text)).DisallowUnknownFields()
	err = d.Decode(&doc)
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		for _, e := range strict.Errors {
			line, _ := e.Position()
			problems = append(problems, Problem{f.Name, line, "", fmt.Sprintf("unknown key %q", strings.Join(e.Key(), "."))})
		}
		return doc, problems, nil
	}
	return doc, nil, err
}

// Readable returns an error with the line where a file of rules is broken, so that none of its rules can be used.
func Readable(text []byte) error {
	_, _, err := decode(File{Text: text})
	if err == nil {
		return nil
	}
	line, reason := broken(err)
	return fmt.Errorf("line %d: %s", line, reason)
}

// broken is the parser's error as the end of a sentence, with the line; 0: unknown.
func broken(err error) (line int, reason string) {
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, _ = at.Position()
	}
	return line, "this can't be read: " + strings.TrimPrefix(err.Error(), "toml: ")
}

// Load reads a file into the set. What cannot be used is named in the problems and left out.
func (s *Set) Load(f File) []Problem {
	doc, problems, err := decode(f)
	if err != nil {
		line, reason := broken(err)
		return []Problem{{File: f.Name, Line: line, Reason: reason}}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Class)) {
		if err := s.class(name, doc.Class[name]); err != nil {
			problems = append(problems, Problem{f.Name, 0, "", fmt.Sprintf("class %q: %v", name, err)})
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(doc.Cue)) {
		s.Cues = append(s.Cues, cueWords{kind, doc.Cue[kind]})
		if _, known := judge.Kinds[kind]; !known {
			problems = append(problems, Problem{f.Name, 0, "", fmt.Sprintf("unknown kind of cue %q", kind)})
		}
	}
	s.Stop = append(s.Stop, lowerAll(doc.Stop)...)
	lines := headerLines(f.Text)
	for i, t := range doc.Rule {
		line := 0 // of an inline table
		if i < len(lines) {
			line = lines[i]
		}
		if err := s.rule(t, f.Name, line); err != nil {
			problems = append(problems, Problem{f.Name, line, t.ID, err.Error()})
		}
	}
	return problems
}

// headerLines are the lines at which the tables of rules begin.
func headerLines(text []byte) (at []int) {
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "[[rule]]") {
			at = append(at, i+1)
		}
	}
	return at
}

func (s *Set) class(name string, t classTable) (err error) {
	c := Class{Name: name, Title: cmp.Or(t.Title, name), Personal: t.Personal, Rotate: t.Rotate, Quiet: t.Quiet, Severity: High}
	if !redact.ValidClass(name) {
		return fmt.Errorf("use lower-case letters, digits and dashes, at most %d", redact.MaxClass)
	}
	if t.Severity != "" {
		if c.Severity, err = parseSeverity(t.Severity); err != nil {
			return err
		}
	}
	s.Classes[name] = c
	return nil
}

// rule reads one table. It is added only if all of it can be used.
func (s *Set) rule(t ruleTable, file string, line int) (err error) {
	r := &Rule{
		ID: t.ID, Class: cmp.Or(t.Class, t.ID), Score: cmp.Or(t.Score, 90), Group: t.Group, Keywords: lowerAll(t.Keywords),
		Detector: t.Detector, Check: t.Check, MinEntropy: t.MinEntropy, Context: lowerAll(t.Context), Required: t.Required,
		Window: cmp.Or(t.Window, 60), Stop: lowerAll(t.Stop), Examples: t.Examples, Counterexamples: t.Counterexamples, File: file, Line: line,
	}
	for _, source := range t.Patterns {
		p, err := parsePattern(source)
		if err != nil {
			return err
		}
		r.Patterns = append(r.Patterns, p)
	}
	if t.Regex != "" {
		if r.Regex, err = parseRegexp(t.Regex); err != nil {
			return err
		}
	}
	for _, source := range t.Allow {
		allow, err := parseRegexp(source)
		if err != nil {
			return err
		}
		r.Allow = append(r.Allow, allow)
	}
	if t.Severity != "" {
		if r.Severity, err = parseSeverity(t.Severity); err != nil {
			return err
		}
	}
	if old := s.extended(r); old != nil {
		return s.extend(old, r, t)
	}
	if err := r.usable(s.Detectors); err != nil {
		return err
	}
	if _, known := s.Classes[r.Class]; !known {
		s.Classes[r.Class] = Class{Name: r.Class, Title: cmp.Or(t.Title, r.Class), Rotate: t.Rotate, Severity: cmp.Or(r.Severity, Critical)}
	}
	s.add(r)
	return nil
}

// extended is the existing rule whose exceptions r extends, having its id and finding nothing itself; nil: r is a new rule.
func (s *Set) extended(r *Rule) *Rule {
	i := slices.IndexFunc(s.Rules, func(old *Rule) bool { return old.ID == r.ID })
	if i < 0 || r.Detector != "" || r.Regex != nil || len(r.Patterns) > 0 {
		return nil
	}
	return s.Rules[i]
}

// extend adds the exceptions of r to an existing rule.
func (s *Set) extend(old, r *Rule, t ruleTable) error {
	t.ID, t.Allow, t.Stop = "", nil, nil
	if !reflect.DeepEqual(t, ruleTable{}) {
		return errors.New("a rule without patterns extends the one of its id, so it may have only allow and stop")
	}
	more := *old
	more.Allow = slices.Concat(old.Allow, r.Allow)
	more.Stop = slices.Concat(old.Stop, r.Stop)
	s.add(&more)
	return nil
}

// add puts a rule in, in the place of one with its id.
func (s *Set) add(r *Rule) {
	i := slices.IndexFunc(s.Rules, func(old *Rule) bool { return old.ID == r.ID })
	if i >= 0 {
		s.Rules[i] = r
		return
	}
	s.Rules = append(s.Rules, r)
}

// maxRegexp bounds a user's expression: what it may compile to grows with it.
const maxRegexp = 20_000

// parseRegexp checks the syntax and leaves the compiling for later.
func parseRegexp(source string) (*ascii.Expression, error) {
	if len(source) > maxRegexp {
		return nil, fmt.Errorf("the regex has more than %d bytes", maxRegexp)
	}
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return nil, fmt.Errorf("the regex does not compile: %w", err)
	}
	return ascii.NewExpression(source), nil
}

func lowerAll(words []string) []string {
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}
