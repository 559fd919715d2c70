package schema

import (
	"database/sql"
	"io/fs"
	"time"
)

// Optional is NULL for 0.
func Optional(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// Text is NULL for "".
func Text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Time is a time as the tables have it.
func Time(ns int64) time.Time { return time.Unix(0, ns) }

// Nanos is a time as the tables have it, NULL for none.
func Nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// TimeOf is the time of a column that may be NULL, then zero.
func TimeOf(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return Time(n.Int64)
}

// ModeOf is the mode of a column that may be NULL; false: it is.
func ModeOf(n sql.NullInt64) (fs.FileMode, bool) { return fs.FileMode(n.Int64), n.Valid }

// SomeTime is unixTime with 0 for the zero time.
func SomeTime(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return Time(ns)
}
