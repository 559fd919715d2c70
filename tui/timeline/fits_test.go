package timeline

import (
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

func TestFilterOfRevisionsThatAreRead(t *testing.T) {
	r := &past.Revision{Path: "/memories/notes/ferry.md", Actor: memstore.Agent, Command: memstore.CmdDelete, Session: "7f3a", Unread: true,
		Time: noon.Add(-time.Hour)}
	for line, want := range map[string]bool{
		"": true, "FERRY": true, "ferry codex": true, "codex": true, "tides": false, "actor:agent": true, "actor:curator": false,
		"command:delete": true, "command:view": false, "session:f3": true, "session:91": false, "is:unread": true, "since:2h": true,
		"since:30m": false, "until:30m": true, "until:2h": false,
	} {
		f, err := ParseFilter(line, noon)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Fits(r, "Codex\n~/src/app"); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
