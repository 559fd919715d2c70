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
