package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestStats(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": strings.Repeat("word ", 100), "log/b.md": "bb\n", "log/日本.md": "記憶\n"})
	o := call{args: []string{"stats", dir, "--ascii"}}.run(t)
	for _, want := range []string{
		"3 files, 510B, about 129 tokens\n", "By folder\n  .    ############################    500B  1 file\n  log  :  ",
		"Last used by the agent\n", "  never       ############################    510B  3 files\n", "Largest\n     500B  /memories/a.md  ",
		"  ~125 tokens\n", "no recorded use, changed 20",
	} {
		if o.code != 0 || !strings.Contains(o.out, want) {
			t.Errorf("no %q in\n%s%s", want, o.out, o.err)
		}
	}
	if !strings.Contains(o.err, "No journal (nothing is recorded yet)") {
		t.Error(o.err)
	}
	ok(t, "exec", dir) // begins the journal
	o = call{args: []string{"exec", dir}, stdin: `{"command":"create","path":"/memories/c.md","file_text":"cc\n"}` + "\n"}.run(t)
	if o.code != 0 {
		t.Fatal(o)
	}
	o = call{args: []string{"stats", dir, "--json"}}.run(t)
	var got struct {
		Files     int
		Bytes     int64
		TokensAre string `json:"tokens_are"`
		Growth    []struct{ Files, Bytes int64 }
		Least     []struct {
			Path string
			Used *string
		} `json:"least_used"`
	}
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || got.Files != 4 || got.Bytes != 513 || got.TokensAre != "estimate" {
		t.Fatalf("%v, %+v", err, o)
	}
	if n := len(got.Growth); n == 0 || got.Growth[n-1].Bytes != 513 {
		t.Errorf("growth %+v", got.Growth)
	}
	if last := got.Least[3]; last.Path != "/memories/c.md" || last.Used == nil {
		t.Errorf("least used %+v", got.Least)
	}
}
