package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memcurator/cli/session"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// mostSessions is how many sessions a message lists, newest first.
const mostSessions = 5

// recordedNames are the names in a journal that log filters by.
type recordedNames struct{ actors, commands, sessions []string }

func namesIn(ctx context.Context, p *session.Recorded) (n recordedNames, err error) {
	err = p.Journal.List(ctx, past.Filter{Newest: true}, func(r past.Revision) bool {
		for _, one := range []struct {
			list *[]string
			name string
		}{{&n.actors, string(r.Actor)}, {&n.commands, r.Command}, {&n.sessions, r.Session}} {
			if one.name != "" && !slices.Contains(*one.list, one.name) {
				*one.list = append(*one.list, one.name)
			}
		}
		return true
	})
	return n, err
}

// sessionNamed completes the prefix of a session's ID, as screens and lists shorten it. If no session, or more than one, begins with it,
// it is returned unchanged.
func sessionNamed(ctx context.Context, p *session.Recorded, typed string) (string, error) {
	if typed == "" {
		return typed, nil
	}
	if known, err := past.Revisions(ctx, p.Journal, past.Filter{Session: typed, Limit: 1}); err != nil || len(known) > 0 {
		return typed, err
	}
	n, err := namesIn(ctx, p)
	if err != nil {
		return typed, err
	}
	var matches []string
	for _, id := range n.sessions {
		if strings.HasPrefix(id, typed) || text.ShortID(id) == typed {
			matches = append(matches, id)
		}
	}
	switch len(matches) {
	case 0:
		return typed, nil
	case 1:
		return matches[0], nil
	}
	return typed, session.WrongUse("%d sessions begin with %s: %s", len(matches), typed, listed(matches))
}

// sayNothing says why log lists nothing: a name that the journal never recorded, with those it did, or no match.
func sayNothing(run *session.Session, ctx context.Context, p *session.Recorded, flags logFlags) error {
	n, err := namesIn(ctx, p)
	if err != nil {
		return err
	}
	said := false
	unknown := func(kind string, typed, known []string) {
		for _, name := range typed {
			if name == "" || slices.Contains(known, name) {
				continue
			}
			said = true
			if len(known) == 0 {
				run.Say(fmt.Sprintf("No %s %s; the journal has none", kind, text.Clean(name)))
			} else {
				run.Say(fmt.Sprintf("No %s %s; the journal has %s", kind, text.Clean(name), listed(known)))
			}
		}
	}
	unknown("actor", flags.actors, n.actors)
	unknown("command", flags.commands, n.commands)
	unknown("session", []string{flags.session}, n.sessions)
	switch {
	case said:
	case len(n.actors) == 0:
		run.Say("No changes yet")
	default:
		run.Say("No matching changes")
	}
	return nil
}

func listed(names []string) string {
	shown := make([]string, 0, mostSessions)
	for _, name := range names[:min(len(names), mostSessions)] {
		shown = append(shown, text.Clean(name))
	}
	if more := len(names) - len(shown); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), more)
	}
	return strings.Join(shown, ", ")
}
