package memstore

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/backend"
)

// Dialect is the exact wording and the small rules of one implementation of the
// memory tool. It is a comparable value; the zero Dialect is [Docs].
type Dialect struct{ rules *rules }

// Docs is the dialect of the tool's documentation, completed where the
// documentation is silent.
var Docs Dialect

// registered are all dialects, the default first. A new one is a file of its own with its rules, and an entry here.
var registered = []Dialect{Docs, TypeScript, Python}

// Dialects lists the dialects that a store can answer in.
func Dialects() []Dialect { return slices.Clone(registered) }

// legacyName is the wording of the tool's first example. It is known for reading
// old transcripts; no store answers in it.
const legacyName = "legacy"

// ParseDialect finds a dialect by its name, with or without a version: typescript,
// typescript@1.12. For any other name the error wraps [ErrNoDialect] and is a sentence.
func ParseDialect(name string) (Dialect, error) {
	base, version, versioned := strings.Cut(name, "@")
	for _, d := range Dialects() {
		switch {
		case d.String() != base:
		case !versioned:
			return d, nil
		default:
			return d.at(version)
		}
	}
	if name == legacyName {
		return Docs, dialectError("The dialect legacy is only for reading old transcripts; choose " + DialectNames())
	}
	return Docs, dialectError(fmt.Sprintf("Unknown dialect %q; choose %s", name, DialectNames()))
}

// at finds a version of the dialect.
func (d Dialect) at(version string) (Dialect, error) {
	if slices.Contains(d.table().versions, version) {
		return d, nil
	}
	return Docs, dialectError(fmt.Sprintf("Unknown version %q of the dialect %s; choose %s",
		version, d, strings.Join(DialectForms(), ", ")))
}

// DialectForms lists all that [ParseDialect] takes: each name, and behind it the name with
// each version.
func DialectForms() []string {
	var forms []string
	for _, d := range Dialects() {
		forms = append(forms, d.String())
		for _, version := range d.table().versions {
			forms = append(forms, d.String()+"@"+version)
		}
	}
	return forms
}

// DialectNames lists the names of [Dialects] for a sentence: "a, b or c".
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

// rules is everything that may differ between dialects: sentences with {named}
// places, and strategies where a sentence is not enough. Handlers take every
// text and every rule below from it, so that a dialect is one value of this type.
type rules struct {
	name string
	// versions of the original that it follows, the newest first; none where it follows none. A name without a version is
	// the newest.
	versions []string

	// Texts of success.
	listHeader string // {p}
	fileHeader string // {p}
	created    string // {p}
	replaced   string // before the rows of the snippet, joined by a newline
	inserted   string // {p}
	deleted    string // {p}
	renamed    string // {old} {new}

	// Texts of errors. Of the slices the first entry that fits wins.
	missing      map[string]string // {p}; by command: where the path is not there
	exists       map[string]string // {p}; by command: where it must not be there and is
	root         map[string]string // by command: what the root is safe from
	irregular    map[string]string // {p}; by command: where it is not a regular file
	tooLong      string            // {p} {n_lines}; "": the sentence among failures
	tooBig       string            // {p} {size} {max}, in bytes
	tooLarge     string            // the same, of what a command would make
	failures     []failureText     // {p}; causes that read the same in every command
	broken       string            // {p}; every other cause
	blocked      string            // {p} {parent}: a parent is not a directory
	inside       string            // {old} {new}
	noMatch      string            // {old} {p}
	manyMatches  string            // {old} {lines}
	insertRange  string            // {n} {n_lines}
	viewRange    string            // {range}
	refused      string            // {why}
	inputProblem string            // {why}

	// Notes after a view that was cut at [Options.MaxViewChars].
	cutRows string // {max} {from} {to} {n_lines} {next} {end}
	cutLine string // {max} {from} {next} {end}
	cutLast string // {max} {from}

	// parse judges how a path is spelled and returns it as segments below the root:
	// the name for the backend, unless locate has the last word.
	parse func(raw string) (name string, err error)
	// locate looks up a parsed path: the name to act on, and whether anything is there.
	// Nil: the parsed path is the name.
	locate func(b backend.Backend, name string) (at string, found bool, err error)
	// echo chooses how results name a path: as sent, or cleaned.
	echo func(raw, clean string) string

	// appendSize writes a size of a listing.
	appendSize func(dst []byte, n int64) []byte
	// dirSize is the size that a listing prints for a directory.
	dirSize func(backend.Info) int64
	// hidden reports whether a listing leaves an entry and all below it out.
	hidden func(name string) bool
	// order compares two names of one directory.
	order func(a, b string) int
	// listsClosed: a directory that cannot be read is listed as an empty one.
	listsClosed bool

	// shown checks a part of a file that a view shows, never cut inside a rune. plain
	// is false where the view shows other text than the bytes, which decode then makes.
	shown func(part []byte) (plain bool, err error)
	// decode is the text that views and edits see of a file. lossy: it does not have
	// all that the bytes have, so that writing it back would lose some.
	decode func(data []byte) (text []byte, lossy bool, err error)
	// readsAll: what is wrong with any byte of a file is told before it has too many rows.
	readsAll bool
	// linksAreOther: a link that leads nowhere is viewed as a file of another type.
	linksAreOther bool
	// askedRows reads a view_range: the first and the last row, from 1
	// and beyond the file's where that is not known yet; a negative last row counts from
	// the end (-1: without the last row). ok is false for an error.
	askedRows func(r viewRange) (rows [2]int, ok bool)
	// number writes a number of the input that is beyond 53 bits, given as JSON has it.
	number func(sent string) string
	// viewRows is the number of rows that text with that many newlines has. ended: it ends in one.
	viewRows func(newlines int, ended bool) int

	// editsDir is what is wrong with editing a directory.
	editsDir error
	// replacesLinks: an edit through a link puts a file in the place of the link.
	replacesLinks bool
	// find looks for old in text: the offset of the match to replace, and the
	// lines (from 1) to name where there is more than one. Offset -1: none.
	find func(text []byte, old string) (at int, lines []int)
	// insertAt puts add after line n. ok is false where n is outside [0, lines].
	insertAt func(text []byte, n int, add string) (out []byte, lines int, ok bool)

	// keepsOther: a delete finds no FIFO, socket or device.
	keepsOther bool
	// renameChecks are made in their order; the first that fails is told.
	renameChecks []func(*renaming) *Error
	// linksEnter: a rename can move a link into the directory that it points to.
	linksEnter bool
	// overDangling: a rename takes the place of a link that leads nowhere.
	overDangling bool
	// keepsParents: the parents made for a new path stay when the command fails after.
	keepsParents bool
}

type failureText struct {
	cause error
	text  string
}

// fill replaces the {named} places of a template by the values that follow
// their names, in one pass: braces inside a value stay as they are.
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

// sentence is what the agent is told when op fails on the path p with err.
// What the path itself is wrong in is told with the path as it was sent.
func (r *rules) sentence(op, p string, err error) string {
	var known *Error
	if errors.As(err, &known) && known.text != "" {
		return known.text
	}
	var input *InputError
	if errors.As(err, &input) {
		return fill(r.inputProblem, "why", input.Message)
	}
	var bad *backend.PathError
	if errors.As(err, &bad) {
		p = bad.Path
	}
	if t := r.irregular[op]; t != "" && errors.Is(err, backend.ErrNotRegular) {
		return fill(t, "p", p)
	}
	var long *LineLimitError
	if r.tooLong != "" && errors.As(err, &long) {
		return fill(r.tooLong, "p", p, "n_lines", strconv.Itoa(long.Lines))
	}
	var big *SizeLimitError
	if errors.As(err, &big) {
		told := r.tooBig
		if big.New {
			told = r.tooLarge
		}
		return fill(told, "p", p, "size", strconv.FormatInt(big.Size, 10), "max", strconv.Itoa(editLimit))
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
	// A path through a file is a path that does not exist.
	case errors.Is(err, backend.ErrNotExist), errors.Is(err, backend.ErrNotDir), errors.Is(err, backend.ErrIsDir):
		if t := r.missing[op]; t != "" {
			return fill(t, "p", p)
		}
	}
	return fill(r.broken, "p", p)
}

// FormatSize writes n bytes as a listing of the dialect does.
func FormatSize(d Dialect, n int64) string {
	return string(d.table().appendSize(nil, n))
}

// ViewHeader is the first line of a view of a file, without its newline.
func ViewHeader(d Dialect, agentPath string) string {
	return fill(d.table().fileHeader, "p", agentPath)
}

// ViewError is the text of the result that a view failing with err gives.
func ViewError(d Dialect, agentPath string, err error) string {
	return d.table().sentence(CmdView, agentPath, err)
}
