package discover

import (
	"path/filepath"
	"strings"
)

// ofUser stands for the project of a store that holds for all projects.
const ofUser = "user"

// Label says what a store is the memory of, for a list: a name of the configuration, a project, the user, or else its path. Two stores that
// an agent keeps for one project differ in it. title shortens paths of this machine.
func (f Found) Label(title func(path string) string) string {
	of := f.Project
	part, isPart := strings.CutPrefix(of, f.Root+", ") // of what is kept for the project: of a subagent, of the team
	if isPart = isPart && f.Root != ""; isPart {
		of = f.Root
	}
	if !filepath.IsAbs(of) && f.Root != "" {
		of = f.Root
	}
	if filepath.IsAbs(of) {
		of = title(of)
	}
	switch {
	case f.Name != "" && (of == "" || !strings.HasPrefix(f.Name, "-")): // Curate calls a section like the folder, which Claude Code makes up
		return f.Name
	case isPart:
		return of + ", " + part
	case f.Kind == KindChain && of == "":
		return ofUser + " " + filepath.Base(f.Path)
	case f.Kind == KindChain:
		return of + " " + filepath.Base(f.Path)
	case of != "":
		return of
	case f.Agent != "" && f.Agent != MemoryTool:
		return ofUser
	}
	return title(f.Path)
}
