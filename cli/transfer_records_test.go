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

// Relations go with an entity, as when its server deletes it, and undo restores them.
func TestMoveOutOfAGraph(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, says, left string
	}{
		{"person/Ann.md", "person/Ann.md", "Acme Mary"},
		{"/memories", "organization/Acme.md", ""},
	} {
		file, dst := filepath.Join(t.TempDir(), "memory.jsonl"), newStore(t, nil)
		writeText(t, file, boats)
		before := sortedLines(t, file)
		if o := do(t, "move", "--yes", file, c.path, dst); o.code != 0 || !strings.Contains(o.out, c.says) || strings.Contains(o.out, "kept") {
			t.Errorf("%s: %+v", c.path, o)
		}
		var left []string
		for _, name := range []string{"Acme", "Ann", "Mary"} {
			if strings.Contains(read(t, filepath.Dir(file), "memory.jsonl"), `"name":"`+name) {
				left = append(left, name)
			}
		}
		if got := strings.Join(left, " "); got != c.left || strings.Contains(sortedLines(t, file), "relation") {
			t.Errorf("%s: %s are left in\n%s", c.path, got, sortedLines(t, file))
		}
		ok(t, "undo", file)
		ok(t, "undo", dst)
		if got := sortedLines(t, file); got != before {
			t.Errorf("%s: after the undo there is\n%s\nwant\n%s", c.path, got, before)
		}
		if tree := memtest.DescribeDisk(t, dst); strings.Contains(tree, ".md") {
			t.Errorf("%s: after the undo there is\n%s", c.path, tree)
		}
	}
}
