package chain_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/chain"
)

// Settings of the user and of the project exclude files, but none of the organization's.
func TestExclusions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".claude/settings.json": `{"claudeMdExcludes": ["**/mono/CLAUDE.md", "**/policy/**", "**/rules/skip.md", "[", ""]}`, ".claude/CLAUDE.md": "mine",
		".claude/rules/skip.md": "skip", ".claude/rules/go.md": "go",
		"mono/CLAUDE.md": "mono @mono.md", "mono/mono.md": "imported", "mono/app/.git/HEAD": "ref", "mono/app/CLAUDE.md": "app", "mono/app/CLAUDE.local.md": "local",
		"mono/app/.claude/settings.json":       `{"claudeMdExcludes": ["**/rules/off/**"]}`,
		"mono/app/.claude/settings.local.json": `{"claudeMdExcludes": ["` + "HOME" + `/mono/app/CLAUDE.local.md"]}`,
		"mono/app/.claude/rules/off/a.md":      "off", "mono/app/.claude/rules/on.md": "on",
		"mono/app/.claude/rules/paths.md": "---\r\npaths:\r\n  - \"**/*.ts\"\r\n---\r\nts", "mono/app/.claude/rules/bom.md": "\xef\xbb\xbf---\npaths: a\n---\nbom",
		"mono/app/.claude/rules/nopaths.md": "---\ntitle: x\n---\npaths: not a key", "policy/CLAUDE.md": "policy",
	})
	w.write("mono/app/.claude/settings.local.json", `{"claudeMdExcludes": ["`+filepath.ToSlash(w.home)+`/mono/app/CLAUDE.local.md"]}`)
	c, err := chain.Open(w.path("mono/app/CLAUDE.md"), chain.Machine{System: runtime.GOOS, Home: w.home, Managed: w.path("policy")})
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	equal(t, "pieces", w.states(c), []string{
		"policy/CLAUDE.md: it is set for all users",
		".claude/CLAUDE.md", ".claude/rules/go.md", ".claude/rules/skip.md excluded: claudeMdExcludes names it",
		"mono/CLAUDE.md excluded: claudeMdExcludes names it", "mono/app/CLAUDE.md", "mono/app/.claude/rules/bom.md on demand",
		"mono/app/.claude/rules/nopaths.md", "mono/app/.claude/rules/off/a.md excluded: claudeMdExcludes names it",
		"mono/app/.claude/rules/on.md", "mono/app/.claude/rules/paths.md on demand", "mono/app/CLAUDE.local.md excluded: claudeMdExcludes names it",
	})
	start, err := c.Start(t.Context())
	must(t, err)
	given := ""
	for _, f := range start {
		text := []byte(read(t, c, f.Name, backend.Look))
		if f.Text != nil {
			text = f.Text(text)
		}
		given += string(text) + "|"
	}
	if want := "policy|mine|go|app|---\ntitle: x\n---\npaths: not a key|on|"; given != want {
		t.Errorf("a start gets %q, not %q", given, want)
	}
	must(t, c.Replace("2-user/rules/skip.md", []byte("skip"), []byte("edited"))) // it is still a file of the chain
	off, err := chain.Open(w.path("mono/app/CLAUDE.md"), chain.Machine{System: runtime.GOOS, Home: w.home, Getenv: func(name string) string {
		if name == "CLAUDE_CODE_DISABLE_CLAUDE_MDS" {
			return "1"
		}
		return ""
	}})
	must(t, err)
	t.Cleanup(func() { _ = off.Close() })
	if off.Agent().Off == "" {
		t.Error("the variable that turns instruction files off has no effect")
	}
}
