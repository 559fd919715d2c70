package discover

import (
	"path/filepath"
	"slices"
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
	case f.chosen() != "":
		return f.chosen()
	case isPart:
		return of + ", " + part
	case f.Kind == KindInstructions && of == "":
		return ofUser + " " + filepath.Base(f.Path)
	case f.Kind == KindInstructions:
		return of + " " + filepath.Base(f.Path)
	case of != "":
		return of
	case f.Agent != "":
		return ofUser
	}
	return title(f.Path)
}

// chosen is the name that the configuration has for a store. If the project is known, it is "" where the name is that of a folder in the
// store's path: Curate calls a section so for its first rule, and the row would read as another store from then on.
func (f Found) chosen() string {
	if f.Project != "" && slices.Contains(strings.Split(filepath.ToSlash(f.Path), "/"), f.Name) {
		return ""
	}
	return f.Name
}

// Labels are the labels of all stores of a list. To those of one agent that would read the same it adds their paths, within the project
// where they are in it.
func Labels(list []Found, title func(path string) string) []string {
	type row struct{ agent, label string }
	labels, times := make([]string, len(list)), map[row]int{}
	for i, f := range list {
		labels[i] = f.Label(title)
		times[row{f.Agent, labels[i]}]++
	}
	for i, f := range list {
		if times[row{f.Agent, labels[i]}] == 1 {
			continue
		}
		end := title(f.Path)
		if below, err := filepath.Rel(f.Root, f.Path); err == nil && f.Root != "" && filepath.IsLocal(below) {
			end = filepath.ToSlash(below)
		}
		labels[i] += ", " + end
	}
	return labels
}
