package backend

import (
	"iter"
	"path"
	"strings"
	"unicode"
)

// This file alone decides what an agent's path may look like. What a path leads
// to once links are followed is the backend's to contain.

// Limits of a path. Several steps of a command look at each folder of a path, so that
// their cost grows with the square of its length.
const (
	// maxPath is the length in bytes, /memories included, that a cleaned path may have:
	// what systems call PATH_MAX.
	maxPath = 4096
	// maxSent is the length in bytes up to which a path is cleaned at all.
	maxSent = 64 << 10
	// MaxDepth is how many names, one below the other, a new path may have. What is
	// deeper already can be viewed, edited and removed.
	MaxDepth = 256
)

// CheckSent refuses a path that is too long to be cleaned.
func CheckSent(raw string) error {
	if len(raw) > maxSent {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// CheckLength refuses the long name that a path has become.
func CheckLength(raw, name string) error {
	if len(Root)+1+len(name) > maxPath {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// CheckDepth refuses a name below too many folders for something new.
func CheckDepth(raw, name string) error {
	if strings.Count(name, "/") >= MaxDepth {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// ParsePath turns an agent path into a backend name: "." for the root, else
// slash-separated segments without "", "." and "..". A path that is not
// /memories or below it, holds control characters, holds a ".." segment in
// any spelling, or is longer than 4,096 bytes is a [*PathError]; the checks run in
// this order (rows 36 and 37), but a path of more than 64 KiB is too long without a look at it.
func ParsePath(raw string) (name string, err error) {
	rest, ok := strings.CutPrefix(raw, Root)
	// The boundary: /memories_evil begins with the same letters and is elsewhere.
	if !ok || (rest != "" && rest[0] != '/') {
		return "", &PathError{Path: raw, Err: ErrPrefix}
	}
	if err := CheckSent(raw); err != nil {
		return "", err
	}
	if strings.ContainsFunc(rest, unicode.IsControl) {
		return "", &PathError{Path: raw, Err: ErrControl}
	}
	if hasDotDot(rest) || (strings.IndexByte(rest, '%') >= 0 && hasDotDot(percentDecoded(rest))) {
		return "", &PathError{Path: raw, Err: ErrEscapes}
	}
	if rest == "" {
		return ".", nil
	}
	// rest begins with a slash and holds no "..", so that cleaning only drops
	// empty and "." segments.
	clean := path.Clean(rest)
	if clean == "/" {
		return ".", nil
	}
	if err := CheckLength(raw, clean[1:]); err != nil {
		return "", err
	}
	return clean[1:], nil
}

// AgentPath is the agent path of a backend name.
func AgentPath(name string) string {
	if name == "." || name == "" {
		return Root
	}
	return Root + "/" + name
}

// BackendName is the backend name of an agent path as it is spelled: nothing in it is decoded or checked. "." for the root, and
// for what is not a path below it.
func BackendName(agentPath string) string {
	name, below := strings.CutPrefix(agentPath, Root+"/")
	name = strings.TrimRight(name, "/")
	if !below || name == "" {
		return "."
	}
	return name
}

// hasDotDot reports whether a segment of p is "..", with both slashes as
// separators: a backslash separates on the systems of some readers of a path.
func hasDotDot(p string) bool {
	for i := 0; ; {
		j := strings.Index(p[i:], "..")
		if j < 0 {
			return false
		}
		start, end := i+j, i+j+2
		if (start == 0 || isSlash(p[start-1])) && (end == len(p) || isSlash(p[end])) {
			return true
		}
		i = start + 1
	}
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// percentDecoded decodes %XX again and again until nothing is left to decode.
// One pass does it in linear time, for %252525…2e too: a decoded byte may
// complete a sequence only with the bytes around it, so looking back after
// each byte finds them all. What no sequence is stays as it is. Dots and slashes are no
// part of a sequence, so one that shows up half-way is there in the end as well.
func percentDecoded(p string) string {
	out := make([]byte, 0, len(p))
	for i := 0; i < len(p); i++ {
		out = append(out, p[i])
		for {
			n := len(out)
			if n < 3 || out[n-3] != '%' {
				break
			}
			hi, lo := unhex(out[n-2]), unhex(out[n-1])
			if hi < 0 || lo < 0 {
				break
			}
			out = append(out[:n-3], byte(hi<<4|lo))
		}
	}
	return string(out)
}

// unhex is the value of a hexadecimal digit, -1 for any other byte.
func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Root is the path under which the agent sees the store.
const Root = "/memories"

// MaxLinks is how many links one name may lead through, as on Linux.
const MaxLinks = 40

// MaxName is the longest name of a file system, in bytes, that we make parents for.
const MaxName = 255

// IsBelow reports whether a path is below a folder.
func IsBelow(path, dir string) bool { return strings.HasPrefix(path, dir+"/") }

// JoinName is the name of an entry of a folder.
func JoinName(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}

// EachSegment yields the segments of a path but for the empty ones and ".".
func EachSegment(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range strings.SplitSeq(p, "/") {
			if s != "" && s != "." && !yield(s) {
				return
			}
		}
	}
}

// NameOf undoes the joining that Walk does. Unlike ParsePath it takes
// the path as it is: names from a disk may hold anything, a percent sign too.
func NameOf(agentPath string) (string, bool) {
	if agentPath == Root || agentPath == Root+"/" {
		return ".", true
	}
	name, ok := strings.CutPrefix(agentPath, Root+"/")
	return name, ok && name != ""
}
