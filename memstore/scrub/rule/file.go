package rule

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"

	"memcurator/memstore/scrub/prose"
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
	Stop      []string               // of all rules: what contains one is not a value
	Detectors func(name string) bool // reports whether a detector has that name
}

// cueWords are words of one kind that announce a value.
type cueWords struct {
	Kind  string
	Words []string
}

// Readable returns an error with the line where a file of rules is not TOML, so that none of its rules can be used.
func Readable(text []byte) error {
	var doc map[string]any
	if err := toml.Unmarshal(text, &doc); err != nil {
		line, reason := notTOML(err)
		return fmt.Errorf("line %d: %s", line, reason)
	}
	return nil
}

// notTOML is the parser's error as the end of a sentence, with the line; 0: unknown.
func notTOML(err error) (line int, reason string) {
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ = decode.Position()
	}
	return line, "this is not TOML: " + strings.TrimPrefix(err.Error(), "toml: ")
}

// Load reads a file into the set. What cannot be used is named in the problems and left out.
func (s *Set) Load(f File) []Problem {
	var doc map[string]any
	if err := toml.Unmarshal(f.Text, &doc); err != nil {
		line, reason := notTOML(err)
		return []Problem{{File: f.Name, Line: line, Reason: reason}}
	}
	l := loader{set: s, file: f.Name, doc: doc, lines: headerLines(f.Text, "[[rule]]")}
	l.load()
	return l.problems
}

// headerLines are the lines at which the tables of an array begin.
func headerLines(text []byte, header string) []int {
	var at []int
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), header) {
			at = append(at, i+1)
		}
	}
	return at
}

// loader reads one document.
type loader struct {
	set      *Set
	file     string
	doc      map[string]any
	lines    []int
	problems []Problem
}

func (l *loader) report(line int, id, format string, args ...any) {
	l.problems = append(l.problems, Problem{l.file, line, id, fmt.Sprintf(format, args...)})
}

func (l *loader) line(i int) int {
	if i < len(l.lines) {
		return l.lines[i]
	}
	return 0
}

func (l *loader) load() {
	for _, key := range slices.Sorted(maps.Keys(l.doc)) {
		if !slices.Contains([]string{"class", "rule", "cue", "stop"}, key) {
			l.report(0, "", "unknown key %q; the keys are class, rule, cue, stop", key)
		}
	}
	classes, _ := l.doc["class"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		l.class(name, classes[name])
	}
	cues, _ := l.doc["cue"].(map[string]any)
	for _, kind := range slices.Sorted(maps.Keys(cues)) {
		f := fields{values: map[string]any{"words": cues[kind]}}
		l.set.Cues = append(l.set.Cues, cueWords{kind, f.texts("words")})
		if _, known := prose.Kinds[kind]; !known {
			l.report(0, "", "unknown kind of cue %q", kind)
		}
	}
	f := fields{values: l.doc}
	l.set.Stop = append(l.set.Stop, lowerAll(f.texts("stop"))...)
	tables, _ := l.doc["rule"].([]any)
	for i, t := range tables {
		table, _ := t.(map[string]any)
		l.rule(table, l.line(i))
	}
}

func (l *loader) class(name string, value any) {
	table, _ := value.(map[string]any)
	f := fields{values: table}
	c := Class{Name: name, Title: f.text("title"), Personal: f.flag("personal"), Rotate: f.text("rotate"), Quiet: f.flag("quiet"),
		Off:      f.flag("off"),
		Severity: High}
	if s := f.text("severity"); s != "" {
		c.Severity, f.wrong = ParseSeverity(s)
	}
	switch {
	case !redact.ValidClass(name):
		l.report(0, "", "class %q: use lower-case letters, digits and dashes, at most %d", name, redact.MaxClass)
		return
	case f.problem() != "":
		l.report(0, "", "class %q: %s", name, f.problem())
		if _, ok := l.set.Classes[name]; ok {
			return
		}
	}
	if c.Title == "" {
		c.Title = name
	}
	l.set.Classes[name] = c
}

// rule reads one table. It is added only if all of it can be used.
func (l *loader) rule(table map[string]any, line int) {
	f := fields{values: table}
	r := &Rule{
		ID: f.text("id"), Class: f.text("class"), Score: f.number("score", 90), Group: f.number("group", 0),
		Keywords: lowerAll(f.texts("keywords")), Detector: f.text("detector"), Check: f.text("check"),
		MinEntropy: f.float("min_entropy"), Context: lowerAll(f.texts("context")), Required: f.flag("context_required"),
		Window: f.number("window", 60), Stop: lowerAll(f.texts("stop")),
		Examples: f.texts("examples"), Counterexamples: f.texts("counterexamples"), File: l.file, Line: line,
	}
	if r.Class == "" {
		r.Class = r.ID
	}
	for _, source := range f.texts("patterns") {
		p, err := parsePattern(source)
		f.fail(err)
		r.Patterns = append(r.Patterns, p)
	}
	if source := f.text("regex"); source != "" {
		r.Regex = f.regexp(source)
	}
	for _, source := range f.texts("allow") {
		r.Allow = append(r.Allow, f.regexp(source))
	}
	if s := f.text("severity"); s != "" {
		var err error
		r.Severity, err = ParseSeverity(s)
		f.fail(err)
	}
	if old := l.set.extended(r); old != nil {
		l.extend(old, r, &f, line)
		return
	}
	title, rotate := f.text("title"), f.text("rotate")
	f.fail(r.usable(l.set.Detectors))
	if why := f.problem(); why != "" {
		l.report(line, r.ID, "%s", why)
		return
	}
	if _, known := l.set.Classes[r.Class]; !known {
		l.set.Classes[r.Class] = Class{Name: r.Class, Title: cmp.Or(title, r.Class), Rotate: rotate, Severity: cmp.Or(r.Severity, Critical)}
	}
	l.set.add(r)
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
func (l *loader) extend(old, r *Rule, f *fields, line int) {
	for key := range f.values {
		if !slices.Contains([]string{"id", "allow", "stop", "counterexamples"}, key) {
			f.fail(fmt.Errorf("a rule without patterns extends the one of its id, so it may have only allow, stop and "+
				"counterexamples, not %s", key))
		}
	}
	if why := f.problem(); why != "" {
		l.report(line, r.ID, "%s", why)
		return
	}
	more := *old
	more.Allow = slices.Concat(old.Allow, r.Allow)
	more.Stop = slices.Concat(old.Stop, r.Stop)
	more.Counterexamples = slices.Concat(old.Counterexamples, r.Counterexamples)
	l.set.add(&more)
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

// fields reads the keys of one table, and keeps the first mistake and which keys were read.
type fields struct {
	values map[string]any
	asked  []string
	wrong  error
}

func (f *fields) fail(err error) {
	if f.wrong == nil {
		f.wrong = err
	}
}

func (f *fields) get(key string) (any, bool) {
	f.asked = append(f.asked, key)
	v, ok := f.values[key]
	return v, ok
}

func (f *fields) text(key string) string {
	v, ok := f.get(key)
	s, isText := v.(string)
	if ok && !isText {
		f.fail(fmt.Errorf("%s must be a string", key))
	}
	return s
}

func (f *fields) flag(key string) bool {
	v, ok := f.get(key)
	b, isFlag := v.(bool)
	if ok && !isFlag {
		f.fail(fmt.Errorf("%s must be true or false", key))
	}
	return b
}

func (f *fields) number(key string, absent int) int {
	v, ok := f.get(key)
	if !ok {
		return absent
	}
	n, isNumber := v.(int64)
	if !isNumber {
		f.fail(fmt.Errorf("%s must be a whole number", key))
	}
	return int(n)
}

func (f *fields) float(key string) float64 {
	v, ok := f.get(key)
	switch n := v.(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	if ok {
		f.fail(fmt.Errorf("%s must be a number", key))
	}
	return 0
}

func (f *fields) texts(key string) []string {
	v, ok := f.get(key)
	if one, isText := v.(string); isText {
		return []string{one}
	}
	list, isList := v.([]any)
	if ok && !isList {
		f.fail(fmt.Errorf("%s must be a list of strings", key))
	}
	var out []string
	for _, item := range list {
		s, isText := item.(string)
		if !isText {
			f.fail(fmt.Errorf("%s must be a list of strings", key))
		}
		out = append(out, s)
	}
	return out
}

// regexp checks the syntax and leaves the compiling for later.
func (f *fields) regexp(source string) *Expression {
	if len(source) > maxRegexp {
		f.fail(fmt.Errorf("the regex has more than %d bytes", maxRegexp))
	} else if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		f.fail(fmt.Errorf("the regex does not compile: %w", err))
	}
	return &Expression{Source: source}
}

// problem is an unknown key, which may be why another one seems to be missing, or else the first mistake.
func (f *fields) problem() string {
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if !slices.Contains(f.asked, key) {
			return fmt.Sprintf("unknown key %q", key)
		}
	}
	if f.wrong != nil {
		return f.wrong.Error()
	}
	return ""
}

func lowerAll(words []string) []string {
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}
