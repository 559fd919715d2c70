package cli

import (
	"path/filepath"
	"strings"
	"testing"

	filippo "filippo.io/age"

	"memcurator/cli/session"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/memtest"
)

// identityFile writes an identity file as age-keygen does, with several identities where wanted.
func identityFile(t *testing.T, count int) string {
	t.Helper()
	text := "# created: today\n"
	for range count {
		id, err := filippo.GenerateX25519Identity()
		must(t, err)
		text += id.String() + "\n"
	}
	file := filepath.Join(t.TempDir(), "key.txt")
	writeText(t, file, text)
	return file
}

// An encrypted store is made, filled, listed and read with the flag alone, and nothing
// of it can be read without.
func TestEncryptedStore(t *testing.T) {
	t.Parallel()
	key, other := identityFile(t, 1), identityFile(t, 2)
	dir := filepath.Join(t.TempDir(), "memories")
	in := `{"command":"create","path":"/memories/notes/secret-name.md","file_text":"secret text\n"}` + "\n"
	o := call{args: []string{"exec", "--create", "--identity", key, dir}, stdin: in}.run(t)
	if o.code != 0 || o.out != `{"content":"File created successfully at: /memories/notes/secret-name.md","is_error":false}`+"\n" {
		t.Fatalf("%+v", o)
	}
	if !strings.Contains(o.err, "Warning: Edits are not recorded: the store is encrypted") {
		t.Errorf("it says nothing of the journal: %q", o.err)
	}
	nowhereBelow(t, dir, "secret")
	if names := memtest.DescribeDisk(t, dir); strings.Contains(names, "secret") {
		t.Errorf("names can be read: %s", names)
	}
	view := "Here's the content of /memories/notes/secret-name.md with line numbers:\n     1\tsecret text\n     2\t"
	if o := do(t, "cat", "--identity", key, dir, "/memories/notes/secret-name.md"); o != (outcome{0, view, ""}) {
		t.Errorf("%+v", o)
	}
	if o := do(t, "ls", "--identity", key, dir); o.code != 0 || !strings.Contains(o.out, "\t/memories/notes/secret-name.md") ||
		strings.Contains(o.out, age.HeaderName) {
		t.Errorf("%+v", o)
	}
	if o := do(t, "init", "--identity", key, dir); o.code != 0 || strings.Count(o.out, "created") != 1 {
		t.Errorf("%+v", o)
	}
	for _, command := range []string{"ls", "cat", "exec", "mcp"} {
		do(t, command, dir).sentence(t, session.ExitWrongUse, dir, "encrypted", "--identity FILE")
		do(t, command, "--identity", other, dir).sentence(t, session.ExitFailed, dir, "open")
	}
}
