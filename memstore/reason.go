package memstore

import "errors"

// reasons are the ends of sentences about what a store refused, for people. What an agent reads is in the dialects.
var reasons = []struct {
	sign error
	text string
}{
	{ErrUnavailable, "the directory is gone"},
	{ErrReadOnly, "permission denied"},
	{ErrPermission, "permission denied"},
	{ErrNoSpace, "no space left on the device"},
	{ErrTooBig, "it is larger than 256 MiB, too large for the journal to restore"},
	{ErrNotRecorded, "the journal could not record it first"},
	{ErrChanged, "it changed meanwhile"},
	{ErrNotExist, "it is gone"},
	{ErrExist, "its new path exists"},
}

// Reason says why a store could not be worked on, in the same words on every screen and in every command; "" for another error.
func Reason(err error) string {
	for _, r := range reasons {
		if errors.Is(err, r.sign) {
			return r.text
		}
	}
	return ""
}
