package chain

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pelletier/go-toml/v2"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// mostSettings is the largest file of settings in bytes that is read.
const mostSettings = 8 << 20

// settings reads a file of another program's settings without a trace; nil if it can't be read.
func (m Machine) settings(folder, name string) []byte {
	if folder == "" {
		return nil
	}
	file := filepath.Join(folder, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil {
		return nil // most chains have none, and opening the folder costs more
	}
	if m.Settings == nil || !info.Mode().IsRegular() { // a link may lead to what has changed
		return readSettings(folder, name)
	}
	if known, ok := m.Settings.files.Load(file); ok {
		if was := known.(readFile); was.size == info.Size() && was.changed.Equal(info.ModTime()) {
			return was.text
		}
	}
	text := readSettings(folder, name)
	m.Settings.files.Store(file, readFile{info.Size(), info.ModTime(), text})
	return text
}

// Settings keeps what was read of files of settings, until they change. The zero value is empty. Safe for concurrent use.
type Settings struct{ files sync.Map }

// readFile is a file as it was when it was read.
type readFile struct {
	size    int64
	changed time.Time
	text    []byte // nil: it can't be read
}

func readSettings(folder, name string) []byte {
	d, err := dir.Open(folder, dir.Options{})
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }() // it was only read
	text, err := backend.ReadFile(d, name, backend.Look, mostSettings)
	if err != nil {
		return nil
	}
	return text
}

// tuneCodex applies config.toml: codex-rs/config/src/config_toml.rs of openai/codex.
func tuneCodex(a *Agent, m Machine, user, _ string) {
	var s struct {
		Most      *int64    `toml:"project_doc_max_bytes"`
		Fallbacks []string  `toml:"project_doc_fallback_filenames"`
		Markers   *[]string `toml:"project_root_markers"`
	}
	if text := m.settings(user, "config.toml"); text == nil || toml.Unmarshal(text, &s) != nil {
		return
	}
	if s.Most != nil && *s.Most >= 0 {
		a.Limit = *s.Most
		if a.Limit == 0 {
			a.Files = nil // Codex reads no files of projects then
		}
	}
	for _, name := range s.Fallbacks {
		a.addFile(name)
	}
	if s.Markers != nil {
		a.markers = append([]string{}, *s.Markers...)
	}
}

// Bounds of the exclusions in one file of settings.
const (
	mostPatterns = 1_000
	mostPattern  = 4096 // bytes of one
)

// tuneClaude applies claudeMdExcludes of the user's settings and the project's, whose lists add up: /settings-reference of Claude Code's
// documentation.
func tuneClaude(a *Agent, m Machine, user, folder string) {
	if v := m.getenv("CLAUDE_CODE_DISABLE_CLAUDE_MDS"); v == "1" || v == "true" {
		a.Off = "CLAUDE_CODE_DISABLE_CLAUDE_MDS is set"
	}
	apply := func(at, name string) {
		var s struct{ ClaudeMdExcludes []string }
		if text := m.settings(at, name); text == nil || json.Unmarshal(text, &s) != nil {
			return
		}
		a.excludes = append(a.excludes, s.ClaudeMdExcludes[:min(len(s.ClaudeMdExcludes), mostPatterns)]...)
	}
	const own, local = ".claude/settings.json", ".claude/settings.local.json"
	apply(user, "settings.json")
	if folder != user {
		apply(folder, own)
		apply(folder, local)
		if root := a.projectOf(folder); root != folder {
			apply(root, local)
		}
	}
}

// excluded reports whether the settings exclude a file, by any of its paths.
func (a Agent) excluded(paths ...string) bool {
	for _, pattern := range a.excludes {
		for _, p := range paths {
			if len(pattern) <= mostPattern && doublestar.MatchUnvalidated(filepath.ToSlash(pattern), filepath.ToSlash(p)) {
				return true
			}
		}
	}
	return false
}

// addFile adds the name of an instruction file that settings have.
func (a *Agent) addFile(name string) {
	if isFileName(name) && a.Files != nil && !slices.Contains(a.Files, name) {
		a.Files = append(slices.Clip(a.Files), name)
	}
}

// isFileName reports whether a name from settings is that of a file in the folder itself.
func isFileName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00") && len(name) <= backend.MaxName
}

// tuneGemini applies context.fileName of settings.json, which is one name or several, from the user's folder and then from the project's.
func tuneGemini(a *Agent, m Machine, user, folder string) {
	for _, text := range [][]byte{m.settings(user, "settings.json"), m.settings(folder, path.Join(".gemini", "settings.json"))} {
		var s struct {
			Context struct{ FileName json.RawMessage }
		}
		if text == nil || json.Unmarshal(text, &s) != nil {
			continue
		}
		var one string
		var several []string
		if json.Unmarshal(s.Context.FileName, &one) == nil && one != "" {
			several = []string{one}
		} else if json.Unmarshal(s.Context.FileName, &several) != nil {
			continue
		}
		a.Files, a.UserFiles = []string{}, nil
		for _, name := range several {
			a.addFile(name)
		}
		a.UserFiles = a.Files
	}
}

// projectOf is the folder that holds one of the markers, at or above a folder; without one, the folder itself.
func (a Agent) projectOf(folder string) string {
	markers := a.markers
	if markers == nil {
		markers = []string{".git"}
	}
	for at, n := folder, 0; n < mostAncestry; n++ {
		for _, m := range markers {
			if isFileName(m) && exists(filepath.Join(at, m)) {
				return at
			}
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	return folder
}
