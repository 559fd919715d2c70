package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

const boats = `{"type":"entity","name":"Mary","entityType":"person","observations":["Sails"]}
{"type":"entity","name":"Ann","entityType":"person","observations":["Sails","Likes tea"]}
{"type":"entity","name":"Acme","entityType":"organization","observations":["Makes rope"]}
{"type":"relation","from":"Mary","to":"Ann","relationType":"sails_with"}
{"type":"relation","from":"Ann","to":"Acme","relationType":"works_at"}
`

// sortedLines are the lines of a file, whose order means nothing to its program.
func sortedLines(t *testing.T, file string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(read(t, filepath.Dir(file), filepath.Base(file))), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// The relations from an entity go with it, and undo restores them.
func TestMoveOutOfAGraph(t *testing.T) {
	t.Parallel()
	for path, left := range map[string]string{"person/Ann.md": "Acme Mary", "/memories": ""} {
		file, dst := filepath.Join(t.TempDir(), "memory.jsonl"), newStore(t, nil)
		writeText(t, file, boats)
		before := sortedLines(t, file)
		if o := do(t, "move", "--yes", file, path, dst); o.code != 0 || !strings.Contains(o.out, "person/Ann.md") || strings.Contains(o.out, "kept") {
			t.Errorf("%s: %+v", path, o)
		}
		moved := sortedLines(t, file)
		for _, name := range []string{"Acme", "Ann", "Mary"} {
			if strings.Contains(moved, `"name":"`+name) != strings.Contains(left, name) || strings.Contains(moved, `"from":"Ann"`) {
				t.Errorf("%s: want %q left in\n%s", path, left, moved)
			}
		}
		ok(t, "undo", file)
		ok(t, "undo", dst)
		if got := sortedLines(t, file); got != before {
			t.Errorf("%s: after the undo there is\n%s\nwant\n%s", path, got, before)
		}
		if tree := memtest.DescribeDisk(t, dst); strings.Contains(tree, ".md") {
			t.Errorf("%s: after the undo there is\n%s", path, tree)
		}
	}
}
