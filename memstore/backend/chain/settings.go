package chain

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// mostSettings is the largest file of settings in bytes that is read.
const mostSettings = 8 << 20

// settings reads a file of another program's settings without a trace; nil if it can't be read.
func settings(folder, name string) []byte {
	if folder == "" {
		return nil
	}
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
func tuneCodex(a *Agent, user, _ string) {
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
func tuneGemini(a *Agent, user, folder string) {
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
