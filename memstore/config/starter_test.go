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

// What the documentation shows can be pasted into the starter.
func TestTablesCanBePastedIntoTheStarter(t *testing.T) {
	t.Parallel()
	for _, pasted := range []string{"[ui]\nwrap = true\n", "[scrub]\non_write = \"mask\"\n[scrub.class.email]\non_write = \"off\"\n",
		"[[rule]]\nmatch = \"**\"\npin = true\n", "[stores.work]\ndir = \"/srv/memories\"\n"} {
		if _, err := Parse("config.toml", append(Starter(), pasted...), "/home/me"); err != nil {
			t.Error(err)
		}
	}
}
