package session

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/config"
)

// A configuration that was wrong at the start is named until it is corrected, and a correction is taken.
func TestAConfigurationWrongFromTheStart(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config.toml")
	saved := func(f *RuleFile, text string) (string, bool) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return f.Saved(config.StampOf(name), func(text []byte) string {
			if string(text) != "good" {
				return "it is " + string(text)
			}
			return ""
		})
	}
	f := &RuleFile{Name: name, Read: true, Exists: true, Text: []byte("bad"), broken: "it is bad", kept: "it is bad"}
	if why, changed := saved(f, "bad"); why == "" || changed {
		t.Errorf("%q %v", why, changed)
	}
	if why, changed := saved(f, "good"); why != "" || !changed {
		t.Errorf("%q %v", why, changed)
	}
}
