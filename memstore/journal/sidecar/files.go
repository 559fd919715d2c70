// Package sidecar has the files that a journal keeps beside its database: the bell that wakes its followers, and the successes that a
// killed process would forget ([Endings]). Each type owns one file and knows its format; none of them knows the database, or what a revision is.
package sidecar

import "strings"

// Database is the file in the state folder that all others are beside.
const Database = "journal.db"

// IsEndings reports whether the file name in a state folder has the successes of a process that are not settled yet.
func IsEndings(name string) bool { return strings.HasPrefix(name, endingsPrefix) }
