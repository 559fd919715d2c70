package backend

import "strings"

// GitFolder is the name of the folder in which git keeps a repository. What is in it is not a memory: one commit writes a
// dozen files there. Recorders, lists, searches and counts leave it out; what the tool answers has it, and a purge reads it.
const GitFolder = ".git"

// InGit reports whether an agent path, or a name of a [Backend], is a folder of git's or is in one.
func InGit(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == GitFolder {
			return true
		}
	}
	return false
}
