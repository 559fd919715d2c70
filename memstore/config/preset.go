package config

import "memcurator/render/loadlimit"

// Preset names, in the order of the documentation.
const (
	// presetHosted are the limits of hosted memory stores: 100 kB a file, 2,000 files, paths of
	// 1,024 bytes, 16,000 characters a view.
	presetHosted = "hosted"
	// presetClaudeCode is what Claude Code loads of MEMORY.md: the first 200 lines or 25,000 bytes.
	presetClaudeCode = "claude-code"
)

// newPreset makes a preset whose values say that they come from at.
func newPreset(name string, at Origin) section {
	at.Preset = name
	switch name {
	case presetHosted:
		return hosted(at)
	case presetClaudeCode:
		return claudeCode(at)
	}
	return section{} // a mistake, which was said
}

func from[T any](v T, at Origin) Value[T] { return Value[T]{v, at} }

func hosted(at Origin) section {
	return section{
		Limits: Limits{MaxFiles: from(int64(2000), at), ReadChars: from(int64(16000), at), Mode: from(ModeRefuse, at)},
		Rules: []Rule{{Match: []string{"**"}, At: at, Keys: Keys{
			MaxFileBytes: from(int64(100<<10), at), MaxPathBytes: from(int64(1024), at), Mode: from(ModeRefuse, at),
		}}},
	}
}

func claudeCode(at Origin) section {
	return section{Rules: []Rule{{Match: []string{"**/MEMORY.md"}, At: at, Keys: Keys{
		LoadLines: from(int64(loadlimit.ClaudeCodeLines), at), LoadBytes: from(int64(loadlimit.ClaudeCodeBytes), at), Mode: from(ModeWarn, at),
	}}}}
}
