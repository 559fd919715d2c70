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

// What the file memories of both SDKs have in common. Their sentences lack
// "Error: "; those with it are from the docs dialect, used where the SDKs
// answer with a text of their runtime.

const (
	sdkMissing     = "The path {p} does not exist. Please provide a valid path."
	sdkGone        = "The path {p} does not exist"
	sdkEscapes     = "Path {p} would escape " + backend.Root + " directory"
	sdkNotFile     = "The path {p} is not a file."
	sdkUnsupported = "Unsupported file type for {p}"
)

// errNotBelow is a path that doesn't even begin like one of the store. A path
// that does, but continues with other letters, is [backend.ErrPrefix] alone.
var errNotBelow = fmt.Errorf("no memory path: %w", backend.ErrPrefix)

// errDotDot is a path that leads out because of its "..", not because of a link.
var errDotDot = fmt.Errorf("by its spelling: %w", backend.ErrEscapes)

// errVanished is a path that existed when it was looked up, but not when it was read.
var errVanished = fmt.Errorf("vanished: %w", backend.ErrNotExist)

// sdkRules is what both answer and do where the docs dialect differs.
var sdkRules = docsRules.but(func(r *rules) {
	r.missing = map[string]string{
		CmdView: sdkMissing, CmdStrReplace: sdkMissing, CmdInsert: sdkMissing, CmdDelete: sdkGone, CmdRename: sdkGone,
	}
	r.exists = map[string]string{
		CmdCreate: "File {p} already exists",
		CmdRename: "The destination {p} already exists",
	}
	r.irregular = map[string]string{
		CmdView: sdkUnsupported, CmdStrReplace: sdkNotFile, CmdInsert: sdkNotFile,
	}
	r.parse = sdkPath
	r.locate = sdkLocate
	r.echo = echoRaw
	r.dirSize = func(i backend.Info) int64 { return i.Size }
	r.viewRows = sdkViewRows
	r.editsDir = backend.ErrNotRegular
})

// sdkPath resolves "." and ".." by spelling alone, before following any link.
func sdkPath(raw string) (string, error) {
	rest, err := sdkParse(raw)
	if err != nil {
		return "", err
	}
	clean := path.Clean(backend.Root[1:] + rest)
	if clean == backend.Root[1:] {
		return ".", nil
	}
	name, below := strings.CutPrefix(clean, backend.Root[1:]+"/")
	if !below {
		return "", &backend.PathError{Path: raw, Err: errDotDot}
	}
	if err := backend.CheckLength(raw, name); err != nil {
		return "", err
	}
	return name, nil
}

// sdkLocate checks where the path leads before a command does anything.
func sdkLocate(b backend.Backend, name string) (string, bool, error) {
	_, err := b.Stat(name)
	if errors.Is(err, backend.ErrNotExist) {
		return name, false, nil
	}
	return name, err == nil, err
}

// sdkFailures returns the sentences of an SDK followed by those of the docs dialect.
func sdkFailures(own ...failureText) []failureText {
	return slices.Concat([]failureText{
		{errNotBelow, "Path must start with " + backend.Root + ", got: {p}"},
		{errDotDot, sdkEscapes},
		{errVanished, "The file {p} no longer exists (may have been deleted or renamed concurrently)."},
	}, own, docsRules.failures)
}

// sdkParse makes the checks of the SDKs, and two that they lack: control
// characters in paths, and the boundary after /memories. It returns the
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

// sdkAskedRows reads a view_range like a slice in both languages: anything but two numbers is ignored, and an end below -1 counts from
// the end.
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

// sdkViewRows: both count the pieces between newlines, including an empty last one.
func sdkViewRows(newlines int, _ bool) int { return newlines + 1 }
