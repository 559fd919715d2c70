package timeline

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/tui/ui"
)

// Filter is what a user narrows a list of revisions to. Make it with [ParseFilter].
type Filter struct {
	text     string
	words    []string
	actors   []memstore.Actor
	commands []string
	session  string
	unread   bool
	since    time.Time
	until    time.Time
}

// Text is the line that the filter was parsed from.
func (f Filter) Text() string { return f.text }

// terms are the words with a colon that a filter knows.
var terms = []string{"actor:", "command:", "session:", "since:", "until:", "is:unread"}

// ParseFilter reads a line such as `actor:agent command:delete since:2d prefs`: terms
// narrow, other words must all be part of the path, of the session's id or of its title, in any case. Times are those of
// [config.ParseMoment]. The error is a sentence.
func ParseFilter(line string, now time.Time) (Filter, error) {
	f := Filter{text: strings.TrimSpace(line)}
	for _, word := range strings.Fields(line) {
		key, value, isTerm := strings.Cut(word, ":")
		var err error
		switch {
		case isTerm && key == "actor":
			var named []memstore.Actor
			named, err = actorsNamed(value)
			f.actors = append(f.actors, named...)
		case isTerm && key == "command":
			f.commands = append(f.commands, value)
		case isTerm && key == "session":
			f.session = value
		case isTerm && key == "since":
			f.since, err = config.ParseMoment(value, now)
		case isTerm && key == "until":
			f.until, err = config.ParseMoment(value, now)
		case word == "is:unread":
			f.unread = true
		case isTerm:
			err = fmt.Errorf("%q is not a filter term; choose %s", word, strings.Join(terms, " "))
		default:
			f.words = append(f.words, strings.ToLower(word))
		}
		if err != nil {
			return Filter{text: f.text}, err
		}
	}
	return f, nil
}

// actors are those that a revision can have.
var actors = []memstore.Actor{memstore.Agent, memstore.External, memstore.Curator, memstore.Replay}

// actorsNamed are those whose names begin with what is typed, so that the list follows the typing.
func actorsNamed(typed string) (named []memstore.Actor, err error) {
	var names []string
	for _, a := range actors {
		if strings.HasPrefix(string(a), typed) {
			named = append(named, a)
		}
		names = append(names, string(a))
	}
	if named == nil {
		return nil, fmt.Errorf("%q is not an actor; choose %s", typed, strings.Join(names, " "))
	}
	return named, nil
}

// CompleteFilter lists the lines that could follow a filter being typed.
func CompleteFilter(line string) []string {
	if lines := ui.CompleteWord(line, terms); lines != nil {
		return lines
	}
	var named []string
	for _, a := range actors {
		named = append(named, "actor:"+string(a))
	}
	return ui.CompleteWord(line, named)
}

// ParseRevision reads the number of a revision, with or without its sign.
func ParseRevision(typed string) (rev int64, ok bool) {
	rev, err := strconv.ParseInt(strings.TrimPrefix(typed, "#"), 10, 64)
	return rev, err == nil && rev >= 0
}

// own reports whether the filter is about who changed something or how, of which nothing is hidden.
func (f Filter) own() bool { return len(f.actors)+len(f.commands) > 0 }

// narrow adds what the user typed to what a list is for.
func (f Filter) narrow(base past.Filter) past.Filter {
	if len(f.actors) > 0 {
		base.Actors = f.actors
	}
	if len(f.commands) > 0 {
		base.Commands = f.commands
	}
	if f.session != "" {
		base.SessionPart = f.session
	}
	base.Unread = base.Unread || f.unread
	if f.since.After(base.Since) {
		base.Since = f.since
	}
	if !f.until.IsZero() {
		base.Until = f.until
	}
	base.Words = f.words
	return base
}
