package cli

import (
	"slices"
	"strings"

	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

// Minimum length of an ID prefix that selects a value, and length shown to people: enough among a million.
const (
	fewestDigits = 6
	shownDigits  = 12
)

// shown is an ID as people see it.
func shown(id string) string { return id[:min(len(id), shownDigits)] }

// areIDs refuses words that can't be ID prefixes. Such a word may be a value, so the error doesn't repeat it.
func areIDs(ids []string) error {
	for _, id := range ids {
		if len(id) < fewestDigits || strings.Trim(id, "0123456789abcdef") != "" {
			return session.WrongUse("Invalid id: give at least %d digits (0-9, a-f) of one that scan prints", fewestDigits)
		}
	}
	return nil
}

// byID finds the value with an ID, given in full or as a prefix.
func byID(survey *findings.Survey, id string) (*findings.Secret, error) {
	found := slices.DeleteFunc(slices.Clone(survey.Secrets), func(secret *findings.Secret) bool { return !strings.HasPrefix(secret.ID, id) })
	switch len(found) {
	case 0:
		return nil, session.Failed(nil, "No value has the id %s. List them: %s scan", id, session.Program)
	case 1:
		return found[0], nil
	}
	return nil, manyIDs(id)
}

func manyIDs(id string) error {
	return session.WrongUse("Several ids begin with %s. Give more digits", id)
}

// haveAll refuses IDs that no value has, before anything changes.
func haveAll(survey *findings.Survey, ids []string) error {
	for _, id := range ids {
		if _, err := byID(survey, id); err != nil {
			return err
		}
	}
	return nil
}

// amongIDs reports whether --id asks for a value; without the flag, all do.
func amongIDs(asked []string, id string) bool {
	return len(asked) == 0 || slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(id, a) })
}
