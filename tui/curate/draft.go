package curate

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
	"memcurator/tui/kit"
)

const day = 24 * time.Hour

// ruleKind is what a rule made on the screen may go by.
type ruleKind struct {
	key   string
	words string
	unit  string // of its limit: "day", "KB", "line"
}

var ruleKinds = []ruleKind{
	{"max_idle", "unused for", "day"},
	{"ttl", "unchanged for", "day"},
	{"max_age", "older than", "day"},
	{"max_file_bytes", "larger than", "KB"},
	{"max_file_lines", "longer than", "line"},
}

// times reports whether the limit of the kind is a time; else it bounds the size of files.
func (k ruleKind) times() bool { return k.unit == "day" }

// thens are what a rule of the kind may do, as the configuration has it.
func (k ruleKind) thens() []string {
	if k.times() {
		return []string{string(config.ExpireDelete), string(config.ExpireArchive), string(config.ExpireWarn)}
	}
	return []string{string(config.ModeWarn), string(config.ModeRefuse)}
}

// ruleDraft is a rule that is being made.
type ruleDraft struct {
	kind  int
	limit int64 // in the unit of the kind
	then  int
	glob  string
}

// newDraft begins a rule for the folder of a file, no harsher than what is proposed for it.
func newDraft(agentPath string, do policy.Do) ruleDraft {
	glob := "**"
	if dir := path.Dir(agentPath); agentPath != "" && agentPath != memstore.Root && dir != memstore.Root {
		if g, ok := globOf(dir); ok {
			glob = g + "/**"
		}
	}
	word := config.ExpireWarn
	switch do {
	case policy.Delete:
		word = config.ExpireDelete
	case policy.Archive:
		word = config.ExpireArchive
	}
	return ruleDraft{limit: 60, then: slices.Index(ruleKinds[0].thens(), string(word)), glob: glob}
}

// turn chooses the next kind, or another.
func (d *ruleDraft) turn(by int) {
	old := ruleKinds[d.kind]
	d.kind = (d.kind + by + len(ruleKinds)) % len(ruleKinds)
	k := ruleKinds[d.kind]
	if k.unit != old.unit {
		d.limit = map[string]int64{"day": 60, "KB": 16, "line": 200}[k.unit]
	}
	if !slices.Equal(k.thens(), old.thens()) {
		d.then = max(0, slices.Index(k.thens(), string(config.ModeWarn)))
	}
}

// limitText is the limit in words: "60 days", "16 KB".
func (d *ruleDraft) limitText() string {
	k := ruleKinds[d.kind]
	if k.unit == "KB" {
		return strconv.FormatInt(d.limit, 10) + " KB"
	}
	return kit.Count(int(d.limit), k.unit)
}

// match are the globs.
func (d *ruleDraft) match() (globs []string) {
	for _, g := range strings.Split(d.glob, ", ") {
		if g = strings.TrimSpace(g); g != "" {
			globs = append(globs, g)
		}
	}
	return globs
}

// keys are the lines of the rule.
func (d *ruleDraft) keys() []config.KeyValue {
	k := ruleKinds[d.kind]
	value := config.Period(time.Duration(d.limit) * day)
	switch k.unit {
	case "KB":
		value = config.Size(d.limit << 10)
	case "line":
		value = config.Count(d.limit)
	}
	then := k.thens()[d.then]
	set := []config.KeyValue{{Key: k.key, Value: value}}
	if !k.times() {
		return append(set, config.KeyValue{Key: "mode", Value: config.Text(then)})
	}
	set = append(set, config.KeyValue{Key: "expire", Value: config.Text(then)})
	if then == string(config.ExpireArchive) {
		set = append(set, config.KeyValue{Key: "archive_to", Value: config.Text("archive")})
	}
	return set
}

// edit works out how the rule changes the configuration.
func (d *ruleDraft) edit(place ConfigPlace, store string, data []byte) (after []byte, err error) {
	if len(d.match()) == 0 {
		return nil, said("Name files, as in notes/** or *.md")
	}
	if d.limit == 0 {
		return nil, said("Type a limit of 1 or more")
	}
	if data, store, err = withSection(place, data, store); err != nil {
		return nil, err
	}
	return config.AppendRule(place.File, data, place.Home, store, d.match(), d.keys()...)
}
