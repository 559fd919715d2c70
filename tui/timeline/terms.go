package timeline

import (
	"strings"
	"time"

	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
	"memcurator/tui/ui"
)

// Terms are those of the filter of a table whose rows are revisions.
func Terms[T any](env *ui.Env, of func(T) *past.Revision) []kit.Term[T] {
	moment := func(fits func(at, typed time.Time) bool) func(string) (func(T) bool, error) {
		return func(typed string) (func(T) bool, error) {
			at, err := config.ParseMoment(typed, env.Now())
			return func(row T) bool { return fits(of(row).Time, at) }, err
		}
	}
	var names []string
	for _, a := range actors {
		names = append(names, string(a))
	}
	return []kit.Term[T]{
		{Key: "actor", Values: names, Fits: func(row T, name string) bool { return string(of(row).Actor) == name }},
		{Key: "command", Fits: func(row T, name string) bool { return strings.HasPrefix(of(row).Command, name) }},
		{Key: "session", Fits: func(row T, part string) bool { return strings.Contains(strings.ToLower(of(row).Session), part) }},
		{Key: "since", Parse: moment(func(at, typed time.Time) bool { return !at.Before(typed) })},
		{Key: "until", Parse: moment(time.Time.Before)},
		{Key: "is", Values: []string{"unread"}, Fits: func(row T, _ string) bool { return of(row).Unread }},
	}
}
