package past

import "testing"

func TestATitleNamesTheOtherStore(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"move 3 notes to ~/memories":              "moved to ~/memories",
		"copy a.md from /srv/b":                   "copied from /srv/b",
		"move how to sail.md to ~/from here to b": "moved to ~/from here to b",
		"move letters from Ann.md from C:\\notes": "moved from C:\\notes",
		"move a.md to Claude Code ~/src/ferry":    "moved to Claude Code ~/src/ferry",
		"move a.md":                               "",
		"move a.md to ":                           "",
		"delete 3 files from ~/memories":          "",
		"":                                        "",
	} {
		got := ""
		if transfer, ok := ParseTransfer(title); ok {
			got = transfer.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
