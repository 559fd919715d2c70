package memstore

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"memcurator/memstore/backend"
)

// What the file memories of both SDKs have in common. Their sentences carry no
// "Error: "; sentences that do are those of the docs dialect, which stand
// where the SDKs answer with a text of their runtime.

const (
	sdkMissing     = "The path {p} does not exist. Please provide a valid path."
	sdkGone        = "The path {p} does not exist"
	sdkEscapes     = "Path {p} would escape " + backend.Root + " directory"
	sdkNotFile     = "The path {p} is not a file."
	sdkUnsupported = "Unsupported file type for {p}"
)

// errNotBelow is a path that does not even begin as one of the store. A path that
// does, and goes on with the letters of another name, is [ErrPrefix] alone.
var errNotBelow = fmt.Errorf("no memory path: %w", backend.ErrPrefix)

// errDotDot is a path that leads out by its "..", not by a link.
var errDotDot = fmt.Errorf("by its spelling: %w", backend.ErrEscapes)

// errVanished is a path at which something was found, and nothing when it was read.
var errVanished = fmt.Errorf("vanished: %w", backend.ErrNotExist)

var sdkMissingTexts = map[string]string{
	CmdView: sdkMissing, CmdStrReplace: sdkMissing, CmdInsert: sdkMissing, CmdDelete: sdkGone, CmdRename: sdkGone,
}

var sdkExists = map[string]string{
	CmdCreate: "File {p} already exists",
	CmdRename: "The destination {p} already exists",
}

var sdkIrregular = map[string]string{
	CmdView: sdkUnsupported, CmdStrReplace: sdkNotFile, CmdInsert: sdkNotFile,
}

// sdkFailures are the own sentences of an SDK before those of the docs dialect.
func sdkFailures(own ...failureText) []failureText {
	return slices.Concat([]failureText{
		{errNotBelow, "Path must start with " + backend.Root + ", got: {p}"},
		{errDotDot, sdkEscapes},
		{errVanished, "The file {p} no longer exists (may have been deleted or renamed concurrently)."},
	}, own, docsRules.failures)
}

// sdkParse judges what the SDKs judge, and the two things that they should: paths
// with control characters, and the boundary after /memories. It returns the
// segments below the root without empty ones and ".".
func sdkParse(raw string) (rest string, err error) {
	rest, below := strings.CutPrefix(raw, backend.Root)
	if err := backend.CheckSent(raw); err != nil {
		return "", err
	}
	switch {
	case strings.ContainsFunc(raw, unicode.IsControl):
		return backend.ParsePath(raw)
	case !below:
		return "", &backend.PathError{Path: raw, Err: errNotBelow}
	case rest != "" && rest[0] != '/':
		return "", &backend.PathError{Path: raw, Err: backend.ErrPrefix}
	}
	return rest, nil
}

func echoRaw(raw, _ string) string { return raw }

// sdkAskedRows reads a view_range as the slices of both languages do: anything but two
// numbers is none, and an end below -1 counts from the end.
func sdkAskedRows(r viewRange) (rows [2]int, ok bool) {
	rows = [2]int{1, maxRows}
	if len(r.numbers) != 2 {
		return rows, true
	}
	rows[0] = max(1, r.numbers[0])
	if r.numbers[1] != -1 {
		rows[1] = r.numbers[1]
	}
	return rows, true
}

// sdkViewRows: both count the pieces between newlines, also an empty one at the end.
func sdkViewRows(newlines int, _ bool) int { return newlines + 1 }

// leaving is the outcome of a command that fails for bad after the SDKs have made the
// parents of its new path, where the dialect keeps those. A person who edits gets
// no folders that were not asked for.
func (r *request) leaving(t target, bad *Error) (*plan, *Error) {
	if !r.store.rules.keepsParents || r.origin.Actor == Curator {
		return nil, bad
	}
	dir := r.makeable(t.name)
	if dir == "" {
		return nil, bad
	}
	p := &plan{action: doMakeFolder, name: dir, fails: bad}
	if r.detailed {
		p.changes = []Change{{Kind: backend.KindDir, Path: r.realPath(dir, true)}}
	}
	return p, nil
}

// makeable is the lowest of the missing parents of name that can be made, "" if none.
func (r *request) makeable(name string) string {
	var missing []string
	at := path.Dir(name)
	for ; at != "."; at = path.Dir(at) {
		info, err := r.store.backend.Stat(at)
		if err == nil && info.Kind == backend.KindDir {
			break
		}
		if !errors.Is(err, backend.ErrNotExist) {
			return "" // a file, or what cannot be looked at
		}
		if _, err := r.store.backend.Lstat(at); err == nil {
			return "" // a link that leads nowhere
		}
		missing = append(missing, at)
	}
	made := ""
	for _, dir := range slices.Backward(missing) {
		if len(path.Base(dir)) > backend.MaxName {
			break
		}
		made = dir
	}
	return made
}
