package memstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/backend"
)

// Dialect is the exact wording and the detailed rules of one implementation
// of the memory tool. Dialects are comparable; the zero Dialect is [Docs].
type Dialect struct{ rules *rules }

// Docs is the dialect of the tool's documentation, with our own rules where
// the documentation is silent.
var Docs Dialect

// registered lists all dialects, the default first. To add one, write its rules in a file of their own and add an entry here.
var registered = []Dialect{Docs, TypeScript, Python, VSCode}

// Dialects returns the dialects that a store can answer in.
func Dialects() []Dialect { return slices.Clone(registered) }

// ParseDialect finds a dialect by its name. For an unknown one the error wraps [ErrNoDialect] and reads as a sentence.
func ParseDialect(name string) (Dialect, error) {
	for _, d := range registered {
		if d.String() == name {
			return d, nil
		}
	}
	return Docs, dialectError(fmt.Sprintf("Unknown dialect %q; choose %s", name, DialectNames()))
}

// DialectNames lists the names of [Dialects] as a phrase: "a, b or c".
func DialectNames() string {
	var names []string
	for _, d := range Dialects() {
		names = append(names, d.String())
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " or " + names[n]
}

type dialectError string

func (e dialectError) Error() string { return string(e) }
func (e dialectError) Unwrap() error { return ErrNoDialect }

// String is the dialect's name.
func (d Dialect) String() string { return d.table().name }

func (d Dialect) table() *rules {
	if d.rules == nil {
		return &docsRules
	}
	return d.rules
}

// rules is everything in which dialects differ: sentences with {named}
// placeholders, and functions where a sentence is not enough. Handlers take
// every text and rule from it, so that a dialect is one value of this type.
type rules struct {
	name string

	// Success texts.
	listHeader  string // {p}
	fileHeader  string // {p}
	created     string // {p}
	rangeHeader string // {p} {from} {to}; of the view of a range; "": fileHeader
	replaced    string // {p}; precedes the rows of the snippet
	inserted    string // {p}
	// snippetReach is how many rows a snippet shows before and after the first changed row. insertedRows: the result of an insert has one
	// too.
	snippetReach int
	insertedRows bool
	deleted      string // {p}
	renamed      string // {old} {new}

	// Error texts. In slices, the first entry that matches wins.
	missing         map[string]string // {p}; by command: the path doesn't exist
	exists          map[string]string // {p}; by command: the path must not exist but does
	root            map[string]string // by command: refusal to touch the root
	irregular       map[string]string // {p}; by command: the path is not a regular file
	tooLong         string            // {p} {n_lines}; "": use the sentence in failures
	tooBig          string            // {p} {size} {max}, in bytes
	tooLarge        string            // like tooBig, for a file that the command would make
	failures        []failureText     // {p}; causes worded alike in every command
	broken          string            // {p}; any other cause
	blocked         string            // {p} {parent}: a parent is not a directory
	inside          string            // {old} {new}
	noMatch         string            // {old} {p}
	manyMatches     string            // {old} {lines}
	insertRange     string            // {n} {n_lines}
	viewRange       string            // {range}
	nothingToInsert string            // the sentence for an empty insert_text; "": it is inserted
	refused         string            // {why}
	inputProblem    string            // {why}

	// Notes after a view that [Options.MaxViewChars] cut short.
	cutRows string // {max} {from} {to} {n_lines} {next} {end}
	cutLine string // {max} {from} {next} {end}
	cutLast string // {max} {from}

	// parse checks the spelling of a path and returns its segments below the
	// root: the name for the backend, unless locate changes it.
	parse func(raw string) (name string, err error)
	// locate looks up a parsed path and returns the name to act on, and whether
	// anything exists there. Nil: the parsed path is the name.
	locate func(b backend.Backend, name string) (at string, found bool, err error)
	// echo returns how results name a path: as sent, or cleaned.
	echo func(raw, clean string) string

	// listing writes the listing of a directory from its entries.
	listing func(l *lister, t target, entries []backend.Info) ([]byte, error)
	// appendSize appends a size in the format of listings.
	appendSize func(dst []byte, n int64) []byte
	// dirSize returns the size that a listing prints for a directory.
	dirSize func(backend.Info) int64
	// hidden reports whether listings omit an entry and everything below it.
	hidden func(name string) bool
	// order compares two names of one directory.
	order func(a, b string) int

	// listsClosed: an unreadable directory is listed as empty.
	listsClosed bool
	// decode returns the text of a file as views and edits see it. lossy: the
	// text lacks some of the bytes, so writing it would lose them.
	decode func(data []byte) (text []byte, lossy bool, err error)
	// askedRows reads a view_range: the first and the last row, counted from 1, possibly beyond the end of the file. A negative last row
	// counts from the end (-1: all but the last row). ok is false for an error.
	askedRows func(r viewRange) (rows [2]int, ok bool)
	// checkRange returns the sentence for a view_range that doesn't fit a file of that many rows; "" if it fits. Nil: any range does.
	checkRange func(r viewRange, rows int) string
	// number formats an input number beyond 53 bits, given as JSON.
	number func(sent string) string
	// viewRows returns the number of rows of a text with that many newlines. ended: the text ends in a newline.
	viewRows func(newlines int, ended bool) int

	// editsDir is the error of editing a directory.
	editsDir error
	// find looks for old in text and returns the offset of the match to replace,
	// or -1, and the lines (from 1) of the matches if there are several.
	find func(text []byte, old string) (at int, lines []int)
	// substitute returns what replaces size bytes of text at an offset. Nil: the new_str as it was sent.
	substitute func(newStr string, text []byte, at, size int) string
	// insertAt inserts add after line n. ok is false if n is outside [0, lines].
	insertAt func(text []byte, n int, add string) (out []byte, lines int, ok bool)

	// keepsOther: delete doesn't see FIFOs, sockets and devices.
	keepsOther bool
	// renameChecks run in order; the first failure is reported.
	renameChecks []func(*renaming) *Error
}

// but is a dialect that differs from another in what change sets.
func (r rules) but(change func(r *rules)) rules {
	change(&r)
	return r
}

type failureText struct {
	cause error
	text  string
}

// fill replaces the {named} placeholders of a template in one pass; pairs are
// names and values. Braces within a value stay as they are.
func fill(template string, pairs ...string) string {
	return string(appendFilled(nil, template, pairs...))
}

func appendFilled(dst []byte, template string, pairs ...string) []byte {
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			return append(dst, template...)
		}
		end := open + strings.IndexByte(template[open:], '}')
		dst = append(dst, template[:open]...)
		dst = append(dst, value(template[open+1:end], pairs)...)
		template = template[end+1:]
	}
}

func value(name string, pairs []string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == name {
			return pairs[i+1]
		}
	}
	return "{" + name + "}"
}

// sentence is the text for the agent when op fails on path p with err. Errors
// in the path itself quote the path as it was sent.
func (r *rules) sentence(op, p string, err error) string {
	var known *Error
	if errors.As(err, &known) && known.text != "" {
		return known.text
	}
	var input *InputError
	if errors.As(err, &input) {
		return fill(r.inputProblem, "why", input.Message)
	}
	var refusal *backend.Refusal
	if errors.As(err, &refusal) {
		return fill(r.refused, "why", refusal.Why)
	}
	var bad *backend.PathError
	if errors.As(err, &bad) {
		p = bad.Path
	}
	if t := r.irregular[op]; t != "" && errors.Is(err, backend.ErrNotRegular) {
		return fill(t, "p", p)
	}
	var long *lineLimitError
	if r.tooLong != "" && errors.As(err, &long) {
		return fill(r.tooLong, "p", p, "n_lines", strconv.Itoa(long.Lines))
	}
	var big *backend.SizeLimitError
	if errors.As(err, &big) {
		told := r.tooBig
		if big.New {
			told = r.tooLarge
		}
		return fill(told, "p", p, "size", strconv.FormatInt(big.Size, 10), "max", strconv.Itoa(MaxFile))
	}
	for _, f := range r.failures {
		if errors.Is(err, f.cause) {
			return fill(f.text, "p", p)
		}
	}
	switch {
	case errors.Is(err, backend.ErrRoot) && r.root[op] != "":
		return r.root[op]
	case errors.Is(err, backend.ErrExist) && r.exists[op] != "":
		return fill(r.exists[op], "p", p)
	// A path through a file counts as missing.
	case errors.Is(err, backend.ErrNotExist), errors.Is(err, backend.ErrNotDir), errors.Is(err, backend.ErrIsDir):
		if t := r.missing[op]; t != "" {
			return fill(t, "p", p)
		}
	}
	return fill(r.broken, "p", p)
}

// FormatSize formats n bytes as the dialect's listings do.
func FormatSize(d Dialect, n int64) string {
	return string(d.table().appendSize(nil, n))
}

// ViewHeader returns the first line of a view of a file, without the newline.
func ViewHeader(d Dialect, agentPath string) string {
	return fill(d.table().fileHeader, "p", agentPath)
}

// ViewError returns the text of a view that fails with err.
func ViewError(d Dialect, agentPath string, err error) string {
	return d.table().sentence(CmdView, agentPath, err)
}
