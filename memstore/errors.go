package memstore

import (
	"errors"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// Errors of commands in addition to those of backends, for errors.Is. The handlers translate them into the sentences of the dialect; no
// agent reads these texts.
var (
	ErrNotText     = errors.New("not UTF-8 text")
	ErrTooLong     = errors.New("more than 999,999 lines")
	ErrReserved    = errors.New("a name kept for files of ours")
	ErrReadOnly    = errors.New("the store is open for reading only")
	ErrNotRecorded = errors.New("the edit could not be recorded first")
	ErrInput       = errors.New("the input does not fit the tool's schema")
	ErrRefused     = errors.New("refused by a guard")
	ErrNoMatch     = errors.New("old_str not found or not unique")
	ErrRange       = errors.New("line or range outside the file")
	ErrNoDialect   = errors.New("no such dialect")
)

// Error is the failure of a command: the command's name, the agent path as
// the caller sent it, and a cause for errors.Is. Its text may contain host
// paths; the agent reads [Result].Content instead.
type Error struct {
	Op   string
	Path string
	Err  error

	text string // for the agent
}

// Error is for logs and may contain host paths.
func (e *Error) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// lineLimitError is [ErrTooLong] with the number of lines, for dialects that report it.
type lineLimitError struct{ Lines int }

func (e *lineLimitError) Error() string { return ErrTooLong.Error() }
func (e *lineLimitError) Unwrap() error { return ErrTooLong }

// InputError is an input that violates the tool's schema. errors.Is reports it as [ErrInput].
type InputError struct {
	Field   string // "" if the input as a whole is wrong
	Message string // a sentence for the agent, without the leading "Error: "
}

func (e *InputError) Error() string { return e.Message }
func (e *InputError) Unwrap() error { return ErrInput }

// reasons are ends of sentences that tell people why a store refused something. What an agent reads is in the dialects.
var reasons = []struct {
	sign error
	text string
}{
	{ErrUnavailable, "the directory is gone"},
	{ErrReadOnly, "permission denied"},
	{backend.ErrFixed, "it is read-only in this store"},
	{backend.ErrNotLoaded, "the agent reads no file of that name there"},
	{ErrPermission, "permission denied"},
	{ErrNoSpace, "no space left on the device"},
	{ErrTooBig, "it is too large to read whole"},
	{ErrNotRecorded, "the journal could not record it first"},
	{ErrChanged, "it changed meanwhile"},
	{ErrNotExist, "it is gone"},
	{ErrExist, "its new path exists"},
}

// Reason says why a store can't be used, in the same words in every screen and command; "" for other errors.
func Reason(err error) string {
	var refusal *backend.Refusal
	if errors.As(err, &refusal) {
		return endOfSentence(refusal.Why)
	}
	for _, r := range reasons {
		if errors.Is(err, r.sign) {
			return r.text
		}
	}
	return ""
}

// endOfSentence is a sentence as the end of another. A name in capitals at its start stays.
func endOfSentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); !unicode.IsLower(next) && next != ' ' {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}
