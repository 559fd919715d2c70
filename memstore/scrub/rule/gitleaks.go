package rule

import (
	"strings"

	"memcurator/memstore/scrub/redact"
)

// tablesOf flattens tables and lists of tables.
func tablesOf(values ...any) []map[string]any {
	var out []map[string]any
	for _, v := range values {
		switch v := v.(type) {
		case map[string]any:
			out = append(out, v)
		case []any:
			out = append(out, tablesOf(v...)...)
		}
	}
	return out
}

// classOf makes a class of a foreign id.
func classOf(id string) string {
	name := []byte(strings.ToLower(id))
	for i, b := range name {
		if !redact.ClassBytes[b] {
			name[i] = '-'
		}
	}
	return string(name[:min(len(name), redact.MaxClass)])
}

// gitleaks reads the rule format of gitleaks: [[rules]] with id, description, regex,
// secretGroup, entropy, keywords and [[rules.allowlists]]. Rules of paths only, and
// lists of commits and paths, say nothing about notes and are dropped silently.
func (l *loader) gitleaks() {
	var stop []string
	var allow []*Expression
	lists := tablesOf(l.doc["allowlist"], l.doc["allowlists"])
	for _, list := range lists {
		f := fields{values: list}
		stop = append(stop, lowerAll(f.texts("stopwords"))...)
		for _, source := range f.texts("regexes") {
			allow = append(allow, f.regexp(source))
		}
		if f.wrong != nil {
			l.report(0, "", "allowlist: %v", f.wrong)
			stop, allow = nil, nil
		}
	}
	for i, table := range tablesOf(l.doc["rules"]) {
		l.gitleaksRule(table, l.line(i), stop, allow)
	}
}

func (l *loader) gitleaksRule(table map[string]any, line int, stop []string, allow []*Expression) {
	f := fields{values: table}
	source := f.text("regex")
	id := f.text("id")
	if source == "" {
		if f.text("path") == "" {
			l.report(line, id, "a rule needs a regex")
		}
		return
	}
	r := &Rule{
		ID: id, Class: classOf(id), Score: 80, Severity: High, Regex: f.regexp(source),
		Group: f.number("secretGroup", 0), MinEntropy: f.float("entropy"), Keywords: lowerAll(f.texts("keywords")),
		Window: 60, Stop: stop, Allow: allow, File: l.file, Line: line,
	}
	for _, list := range tablesOf(table["allowlist"], table["allowlists"]) {
		a := fields{values: list}
		r.Stop = append(r.Stop[:len(r.Stop):len(r.Stop)], lowerAll(a.texts("stopwords"))...)
		for _, source := range a.texts("regexes") {
			r.Allow = append(r.Allow[:len(r.Allow):len(r.Allow)], a.regexp(source))
		}
		f.fail(a.wrong)
	}
	f.fail(r.usable(l.set.Detectors))
	if f.wrong != nil {
		l.report(line, id, "%v", f.wrong)
		return
	}
	if _, known := l.set.Classes[r.Class]; !known {
		title := f.text("description")
		if len(title) > 80 || title == "" {
			title = id
		}
		l.set.Classes[r.Class] = Class{Name: r.Class, Title: title, Severity: High}
	}
	l.set.add(r)
}
