package files

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pelletier/go-toml/v2"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// mostText is the largest file in bytes that is read, of settings and of instructions. Claude Code reads no larger ones either.
const mostText = 4 << 20

// readWhole reads a file without a trace; a device, a pipe or a file that is too large is an error.
func readWhole(file string) ([]byte, error) {
	d, err := dir.Open(filepath.Dir(file), dir.Options{Lazy: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }() // it was only read
	return backend.ReadFile(d, filepath.Base(file), backend.Look, mostText)
}

// settings reads a file of another program's settings; nil if it can't be read.
func settings(folder, name string) []byte {
	if folder == "" {
		return nil
	}
	text, err := readWhole(realOf(filepath.Join(folder, filepath.FromSlash(name))))
	if err != nil {
		return nil
	}
	return text
}

// tuneCodex applies config.toml: codex-rs/config/src/config_toml.rs of openai/codex.
func tuneCodex(a *Agent, _ Machine, user, _ string) {
	var s struct {
		Most      *int64    `toml:"project_doc_max_bytes"`
		Fallbacks []string  `toml:"project_doc_fallback_filenames"`
		Markers   *[]string `toml:"project_root_markers"`
	}
	if text := settings(user, "config.toml"); text == nil || toml.Unmarshal(text, &s) != nil {
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

// mostPatterns bounds the exclusions in one file of settings.
const mostPatterns = 1_000

// tuneClaude applies claudeMdExcludes of the user's settings and the project's, whose lists add up: /settings-reference of Claude Code's
// documentation.
func tuneClaude(a *Agent, _ Machine, user, folder string) {
	apply := func(at, name string) {
		var s struct{ ClaudeMdExcludes []string }
		if text := settings(at, name); text == nil || json.Unmarshal(text, &s) != nil {
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
			if doublestar.MatchUnvalidated(filepath.ToSlash(pattern), filepath.ToSlash(p)) {
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
func tuneGemini(a *Agent, _ Machine, user, folder string) {
	for _, text := range [][]byte{settings(user, "settings.json"), settings(folder, path.Join(".gemini", "settings.json"))} {
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
			if _, err := os.Lstat(filepath.Join(at, m)); err == nil && isFileName(m) {
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
