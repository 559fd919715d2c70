package scrub

import (
	"strings"

	"memcurator/memstore/scrub/redact"
)

// gitleaks reads the rule format of gitleaks: [[rules]] with id, description, regex,
// secretGroup, entropy, keywords and [[rules.allowlists]]. Rules of paths only, and
// lists of commits and paths, say nothing about notes and are left out without a word.
func (l *loader) gitleaks() {
	var stop []string
	var allow []*lazyRegexp
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

func (l *loader) gitleaksRule(table map[string]any, line int, stop []string, allow []*lazyRegexp) {
	f := fields{values: table}
	source := f.text("regex")
	id := f.text("id")
	if source == "" {
		if f.text("path") == "" {
			l.report(line, id, "a rule needs a regex")
		}
		return
	}
	r := &rule{
		id: id, class: classOf(id), score: 80, severity: High, regex: f.regexp(source),
		group: f.number("secretGroup", 0), minEntropy: f.float("entropy"), keywords: lowerAll(f.texts("keywords")),
		window: 60, stop: stop, allow: allow, file: l.file, line: line,
	}
	for _, list := range tablesOf(table["allowlist"], table["allowlists"]) {
		a := fields{values: list}
		r.stop = append(r.stop[:len(r.stop):len(r.stop)], lowerAll(a.texts("stopwords"))...)
		for _, source := range a.texts("regexes") {
			r.allow = append(r.allow[:len(r.allow):len(r.allow)], a.regexp(source))
		}
		f.fail(a.wrong)
	}
	f.fail(r.usable())
	if f.wrong != nil {
		l.report(line, id, "%v", f.wrong)
		return
	}
	if _, known := l.set.classes[r.class]; !known {
		title := f.text("description")
		if len(title) > 80 || title == "" {
			title = id
		}
		l.set.classes[r.class] = Class{Name: r.class, Title: title, Severity: High}
	}
	l.set.add(r)
}

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
