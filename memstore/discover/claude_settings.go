package discover

import (
	"path/filepath"
	"slices"
	"strings"

	"memcurator/memstore/backend/files"
)

// claudeSettings is what the settings of Claude Code say about its auto memory.
type claudeSettings struct {
	AutoMemoryDirectory string
	AutoMemoryEnabled   *bool
}

// claudeSettingsOf are the files of Claude Code's settings that count in a folder, "" for none: the first that has a key decides it. Each
// is there with its name as people write it.
func claudeSettingsOf(m Machine, folder string) (list [][2]string) {
	add := func(file, name string) {
		if file != "" {
			list = append(list, [2]string{file, name})
		}
	}
	managed := files.ManagedFolder()
	if entries, err := readDir(under(managed, "managed-settings.d"), maxEntries); err == nil {
		slices.SortFunc(entries, byName)
		for _, e := range slices.Backward(entries) {
			if !e.IsDir() && strings.HasSuffix(e.Name(), ".json") && !strings.HasPrefix(e.Name(), ".") {
				add(under(managed, "managed-settings.d", e.Name()), "the managed settings")
			}
		}
	}
	add(under(managed, "managed-settings.json"), "the managed settings")
	add(under(folder, ".claude", "settings.local.json"), "the project's .claude/settings.local.json")
	add(under(folder, ".claude", "settings.json"), "the project's .claude/settings.json")
	for _, home := range claudeHome(m) {
		add(under(home, "settings.json"), "your settings.json")
	}
	return list
}

// claudeSays reads a file of settings, once in a run.
func claudeSays(m Machine, file string) (s claudeSettings) {
	if m.seen != nil {
		if known, ok := m.seen.settings.Load(file); ok {
			return known.(claudeSettings)
		}
	}
	m.decode(file, &s)
	if m.seen != nil {
		m.seen.settings.Store(file, s)
	}
	return s
}

// autoMemoryOff returns why Claude Code loads nothing of a memory directory, as a clause; "" if it does. The settings of a project count
// if it is known from Claude Code's own list, or is the working directory.
func autoMemoryOff(l look) string {
	return l.memoryOffIn(claudeSettingsOf(l.Machine, l.claudeFolder()))
}

// memoryOffIn is autoMemoryOff for files of settings, the deciding ones first.
func (l look) memoryOffIn(files [][2]string) string {
	if isSet(l.variable("CLAUDE_CODE_DISABLE_CLAUDE_MDS")) {
		return "CLAUDE_CODE_DISABLE_CLAUDE_MDS is set"
	}
	switch v := l.variable("CLAUDE_CODE_DISABLE_AUTO_MEMORY"); {
	case isSet(v):
		return "CLAUDE_CODE_DISABLE_AUTO_MEMORY is set"
	case v == "0":
		return ""
	}
	for _, file := range files {
		if s := claudeSays(l.Machine, file[0]); s.AutoMemoryEnabled != nil {
			if *s.AutoMemoryEnabled {
				return ""
			}
			return "autoMemoryEnabled is false in " + file[1]
		}
	}
	return ""
}

// projectMemoryOff is autoMemoryOff for the memory directory that a project has of its own accord: settings may name another.
func projectMemoryOff(l look) string {
	files := claudeSettingsOf(l.Machine, l.claudeFolder())
	if why := l.memoryOffIn(files); why != "" {
		return why
	}
	for _, file := range files {
		switch chosen := claudeChosenIn(l.Machine, file[0]); {
		case chosen == "":
		case samePath(resolve(chosen), resolve(l.dir)):
			return ""
		default:
			return "autoMemoryDirectory in " + file[1] + " names another folder"
		}
	}
	return ""
}

// claudeChosenIn is the memory directory that a file of settings names; "" for none. Claude Code ignores a relative one.
func claudeChosenIn(m Machine, file string) string {
	if dir := m.tilde(claudeSays(m, file).AutoMemoryDirectory); filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// claudeElsewhere is the memory directory that the settings of a project name.
var claudeElsewhere = place{rule: claudeIndex, off: autoMemoryOff, preset: "claude-code"}

// claudeChosenBy is the memory directory that the settings of a project itself name.
func claudeChosenBy(m Machine, project string, found func(dir string)) {
	own := under(project, ".claude")
	if !m.isDir(own) {
		return // as in most projects: nothing to keep of them
	}
	for _, name := range []string{"settings.local.json", "settings.json"} {
		if dir := claudeChosenIn(m, under(own, name)); dir != "" {
			found(dir)
			return
		}
	}
}

// claudeFolder is the project of a memory directory, as far as it is known without its transcripts; "": unknown, or the user's.
func (l look) claudeFolder() string {
	work := l.work()
	switch {
	case l.root == "" || l.root == l.dir: // autoMemoryDirectory of the user
		return work
	case len(l.names) == 0: // that of a project
		return l.root
	case !slices.ContainsFunc(claudeHome(l.Machine), func(home string) bool {
		return samePath(home, l.root)
	}):
		return l.root
	}
	if work != "" && encodes(work, l.names[0]) {
		return work
	}
	for _, path := range claudeKnown(l.Machine)[l.names[0]] {
		if l.isDir(path) {
			return path
		}
	}
	return ""
}

// isSet reports whether a variable turns on what Claude Code documents with the value 1.
func isSet(value string) bool { return value == "1" || value == "true" }
