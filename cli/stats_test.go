package cli

import (
	"encoding/json"
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
	o = do(t, "stats", dir, "--json")
	var got struct {
		Files     int
		Bytes     int64
		TokensAre string `json:"tokens_are"`
		Folders   []struct {
			Name  string
			Files int
		}
	}
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || got.Files != 3 || got.Bytes != 510 || got.TokensAre != "estimate" ||
		len(got.Folders) != 2 || got.Folders[1].Files != 2 {
		t.Fatalf("%v, %+v", err, o)
	}
}
