package cli

import (
	"strings"
	"testing"
)

func TestStats(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": strings.Repeat("word ", 100), "log/b.md": "bb\n", "log/日本.md": "記憶\n"})
	o := do(t, "stats", dir)
	for _, want := range []string{
		"3 files, 510B, about 129 tokens\n", "\nBy folder\n     500B     1 file  .\n      10B    2 files  log\n",
	} {
		if o.code != 0 || !strings.Contains(o.out, want) {
			t.Errorf("no %q in\n%s%s", want, o.out, o.err)
		}
	}
	got := jsonOf(t, ok(t, "stats", dir, "--json"))[0]
	folders, _ := got["folders"].([]any)
	if got["files"] != 3.0 || got["bytes"] != 510.0 || got["tokens_are"] != "estimate" || len(folders) != 2 || folders[1].(map[string]any)["files"] != 2.0 {
		t.Errorf("%v", got)
	}
}
