package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

const graphBefore = `{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}
{"type":"entity","name":"Bo","entityType":"person","observations":[]}
`

// graphServer plays the server of a graph: it writes what it has read, whatever the file has now.
type graphServer struct {
	d    *driver
	file string
	read string
}

// opensGraph opens a graph, whose server has read it.
func opensGraph(t *testing.T, prefer Preferences) *graphServer {
	s := &graphServer{file: filepath.Join(t.TempDir(), "memory.jsonl"), read: graphBefore}
	if err := os.WriteFile(s.file, []byte(graphBefore), 0o600); err != nil {
		t.Fatal(err)
	}
	s.d = start(t, setup{dir: s.file, w: 120, h: 35, theme: dark, journal: t.TempDir(), prefer: prefer})
	s.d.sees("person")
	return s
}

// writes writes over the file, with more than was read.
func (s *graphServer) writes(more string) {
	s.d.t.Helper()
	s.read += more
	s.d.edited = true
	if err := os.WriteFile(s.file, []byte(s.read), 0o600); err != nil {
		s.d.t.Fatal(err)
	}
}

// has waits until the file has a text.
func (s *graphServer) has(text string) {
	s.d.t.Helper()
	s.d.until("the file has "+text, func() bool {
		data, err := os.ReadFile(s.file)
		return err == nil && strings.Contains(string(data), text)
	})
}

func TestAnEditThatTheProgramWritesOverIsAnAlarmWithOneKey(t *testing.T) {
	t.Parallel()
	s := opensGraph(t, Preferences{})
	d := s.d
	s.writes(`{"type":"entity","name":"Cy","entityType":"person","observations":[]}` + "\n")
	d.unread(1)
	d.lacks("EDIT LOST") // there was no edit to write over

	d.does(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/person/Ann.md", InsertLine: 3, InsertText: "- Sails\n"})
	d.unread(2)
	s.has("Sails")
	s.writes("")
	d.sees("EDIT LOST")
	d.sees("its server has written over an agent's edit of /memories/person/Ann.md")
	d.golden("edit-lost-120x35")
	for _, size := range screenSizes[1:] {
		d.resize(size.w, size.h)
		d.sees("EDIT LOST")
		d.golden("edit-lost-" + size.name)
	}
	d.resize(120, 35)
	d.press("A") // to have read it does not end it at once
	d.sees("EDIT LOST")
	d.press("!")
	s.has("Sails")
	d.until("the alarm has ended", func() bool { return len(d.m.losses.Overwritten.Lost()) == 0 })
	d.lacks("EDIT LOST")
}

// What can't be read of another program's memory shows as long as it is there: on the opening summary, in the banner, and whole in a box.
func TestTroublesOfAProgramsMemoryAreAnAlert(t *testing.T) {
	t.Parallel()
	s := opensGraph(t, Preferences{})
	d := s.d
	d.lacks("NOT ALL READ")
	s.writes("{\"type\":\"entity\",\n{\"type\":\n")
	d.sees("NOT ALL READ")
	d.press("!")
	d.sees("Not all of this memory can be read")
	d.press("esc")
	s.read = graphBefore
	s.writes("")
	d.until("the alert has ended", func() bool { return len(d.m.losses.Troubles) == 0 })
}
