package backend

import "strings"

// gitFolder is the name of git's folder in a repository. Its files aren't memories: one commit writes a dozen of them. Recorders, lists,
// searches and counts skip it; the tool's answers include it, and a purge reads it.
const gitFolder = ".git"

// InGit reports whether an agent path, or a name of a [Backend], is a git folder or inside one.
func InGit(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == gitFolder {
			return true
		}
	}
	return false
}

// LooksLikeGit reports whether a path from elsewhere is in a git folder on any system: those of macOS and Windows ignore case, some code
// points, and dots and blanks at the end of a name, and know .git by the short name GIT~1 too. The rules are git's, of its
// core.protectHFS and core.protectNTFS.
func LooksLikeGit(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		name, _, _ := strings.Cut(segment, ":") // a stream of NTFS
		name = strings.TrimRight(strings.ToLower(strings.Map(visible, name)), ". ")
		if name == gitFolder || name == "git~1" {
			return true
		}
	}
	return false
}

// visible drops the code points that HFS+ ignores in names.
func visible(r rune) rune {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}
