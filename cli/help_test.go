package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write docs/commands.md again")

// docs/commands.md is made of the help of all commands.
func TestCommandsPageIsCurrent(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- generated from the help of the commands, do not edit; go test ./cli -run TestCommandsPage -update -->\n")
	page := func(title, text string) { fmt.Fprintf(&b, "\n## %s\n\n```\n%s```\n", title, text) }
	everyCommand(t, func(c *cobra.Command) {
		if !c.HasParent() {
			page("memcurator", helpText(c))
			page("Global flags", globalHelp(c))
			return
		}
		page(c.Name(), strings.NewReplacer("\n\n"+globalFlagsHint, "\n", globalFlagsHint, "").Replace(helpText(c))) // they are above
	})
	file := filepath.Join(repository, "docs", "commands.md")
	if *update {
		must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != b.String() {
		t.Errorf("docs/commands.md is stale: run go test ./cli -run TestCommandsPage -update (%v)", err)
	}
}

func TestManualPages(t *testing.T) {
	t.Parallel()
	o := do(t, "man")
	for _, part := range []string{".TH MEMCURATOR 1", "Curate, redact, move", `\-\-state DIR`, "Exit status"} {
		if o.code != 0 || !strings.Contains(o.out, part) {
			t.Errorf("memcurator(1) has no %q: %+v", part, o)
		}
	}
	for line := range strings.Lines(o.out) {
		if strings.HasPrefix(line, ".") && !strings.ContainsAny(line[:3], "TSPnfBR") {
			t.Errorf("roff would obey %q", line)
		}
	}
}
