package config

import (
	"regexp"
	"testing"
)

// Each line of the starter that is commented out is one that works.
func TestStarterLinesWork(t *testing.T) {
	t.Parallel()
	lines := regexp.MustCompile(`(?m)^#([a-z_]+ = |\[)`).ReplaceAll(Starter(), []byte("$1"))
	if _, err := Parse("config.toml", lines, "/home/me"); err != nil {
		t.Error(err)
	}
}
