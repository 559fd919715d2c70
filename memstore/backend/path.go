package backend

import (
	"iter"
	"path"
	"strings"
	"unicode"
)

// This file alone decides which agent paths are valid. Containing what a path
// leads to through links is up to the backend.

// Limits of a path. Several steps of a command examine each folder of a path, so their cost grows with the square of its length.
const (
	// maxPath is the maximum length of a cleaned path in bytes, /memories
	// included: the PATH_MAX of most systems.
	maxPath = 4096
	// maxSent is the maximum length in bytes of a path before cleaning.
	maxSent = 64 << 10
	// MaxDepth is how many nested names a new path may have. Existing deeper
	// paths can still be viewed, edited and removed.
	MaxDepth = 256
)

// CheckSent refuses a path that is too long to clean.
func CheckSent(raw string) error {
	if len(raw) > maxSent {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// CheckLength refuses a path that is too long after cleaning or following links.
func CheckLength(raw, name string) error {
	if len(Root)+1+len(name) > maxPath {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// CheckDepth refuses to create a name below too many folders.
func CheckDepth(raw, name string) error {
	if strings.Count(name, "/") >= MaxDepth {
		return &PathError{Path: raw, Err: ErrPathTooLong}
	}
	return nil
}

// ParsePath turns an agent path into a backend name: "." for the root, else slash-separated segments without "", "." and "..". It returns
// a [*PathError] for a path that is not /memories or below it, contains control characters or a ".." segment in any spelling, or is
// longer than 4,096 bytes. It checks in this order (rows 36 and 37), but refuses a path of more than 64 KiB first.
func ParsePath(raw string) (name string, err error) {
	rest, ok := strings.CutPrefix(raw, Root)
	// The boundary: /memories_evil begins with the same letters but is elsewhere.
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
	// rest begins with a slash and has no "..", so cleaning only drops empty and
	// "." segments.
	clean := path.Clean(rest)
	if clean == "/" {
		return ".", nil
	}
	if err := CheckLength(raw, clean[1:]); err != nil {
		return "", err
	}
	return clean[1:], nil
}

// AgentPath returns the agent path of a backend name.
func AgentPath(name string) string {
	if name == "." || name == "" {
		return Root
	}
	return Root + "/" + name
}

// BackendName returns the backend name of an agent path taken literally: it decodes and checks nothing. "." for the root, and for a path
// that is not below it.
func BackendName(agentPath string) string {
	name, below := strings.CutPrefix(agentPath, Root+"/")
	name = strings.TrimRight(name, "/")
	if !below || name == "" {
		return "."
	}
	return name
}

// hasDotDot reports whether a segment of p is "..", treating both slashes as
// separators: some readers of a path run on systems that separate by
// backslash.
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

// percentDecoded decodes %XX until nothing remains to decode. One pass does it in linear time, even for %252525…2e: a decoded byte can
// only complete a sequence with the bytes around it, so checking backwards after each byte finds them all. Invalid sequences stay as they
// are. Dots and slashes aren't part of any sequence, so one that appears midway also appears in the result.
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

// Root is the agent's path of the store.
const Root = "/memories"

// MaxLinks is how many links a name may lead through, as on Linux.
const MaxLinks = 40

// MaxName is the maximum length in bytes of a name for which we make parents: that of most file systems.
const MaxName = 255

// IsBelow reports whether a path is below a folder.
func IsBelow(path, dir string) bool { return strings.HasPrefix(path, dir+"/") }

// JoinName returns the name of an entry of a folder.
func JoinName(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}

// EachSegment yields the segments of a path, skipping empty ones and ".".
func EachSegment(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range strings.SplitSeq(p, "/") {
			if s != "" && s != "." && !yield(s) {
				return
			}
		}
	}
}

// NameOf is the inverse of AgentPath. Unlike ParsePath it takes the path
// literally: names on a disk may contain anything, including percent signs.
func NameOf(agentPath string) (string, bool) {
	if agentPath == Root || agentPath == Root+"/" {
		return ".", true
	}
	name, ok := strings.CutPrefix(agentPath, Root+"/")
	return name, ok && name != ""
}
