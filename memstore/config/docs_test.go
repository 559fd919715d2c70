package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memcurator/memstore/config"
)

// The documentation has a row about every key, below the heading
// or the mention of its section, and no row of a key that does not exist.
func TestTheDocumentationNamesEveryKey(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	known := map[string]bool{}
	for section, keys := range config.KeysOf() {
		heading := "## At the top"
		if section != "" {
			heading = "`" + section + "`"
		}
		at := strings.Index(text, "\n"+heading)
		if at < 0 {
			at = strings.Index(text, "\n## "+heading)
		}
		if at < 0 {
			t.Errorf("no part about %s", section)
			continue
		}
		part := text[at+1:]
		if end := strings.Index(part[2:], "\n## "); end >= 0 {
			part = part[:end+2]
		}
		for _, name := range keys {
			known[name] = true
			if !strings.Contains(part, "| `"+name+"` | ") {
				t.Errorf("%s: no row about %s", section, name)
			}
		}
	}
	before, _, _ := strings.Cut(text, "<!-- actions")
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|.*\\|.*\\|").FindAllStringSubmatch(before, -1) {
		if !known[m[1]] {
			t.Errorf("a row about %s, which is not a key", m[1])
		}
	}
}
