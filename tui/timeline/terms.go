package timeline

import (
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// terms are those of the filter of a table whose rows are revisions.
func terms[T any](env *kit.Env, of func(T) *past.Revision) []kit.Term[T] {
	moment := func(fits func(made, moment time.Time) bool) func(string) (func(T) bool, error) {
		return func(value string) (func(T) bool, error) {
			at, err := config.ParseMoment(value, env.Now())
			return func(row T) bool { return fits(of(row).Time, at) }, err
		}
	}
	actors := []string{string(memstore.Agent), string(memstore.External), string(memstore.Curator), string(memstore.Replay)}
	return []kit.Term[T]{
		{Key: "actor", Values: actors, Fits: func(row T, actor string) bool { return string(of(row).Actor) == actor }},
		{Key: "command", Fits: func(row T, command string) bool { return strings.HasPrefix(of(row).Command, command) }},
		{Key: "session", Fits: func(row T, part string) bool { return strings.Contains(strings.ToLower(of(row).Session), part) }},
		{Key: "since", Parse: moment(func(made, at time.Time) bool { return !made.Before(at) })},
		{Key: "until", Parse: moment(time.Time.Before)},
		{Key: "is", Values: []string{"unread"}, Fits: func(row T, _ string) bool { return of(row).Unread }},
	}
}

// words is what the words of a filter may occur in: what is known of a revision, and the title of its session.
func words(r *past.Revision, title string) string {
	parts := []string{"#" + kit.Number(int(r.Rev)), string(r.Actor), r.Command, kit.PathText(r.Path), kit.PathText(r.OldPath), r.Session, title,
		r.Transfer}
	return strings.ToLower(strings.Join(parts, "\n"))
}
