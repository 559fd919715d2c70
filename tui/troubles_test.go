package tui

import (
	"path/filepath"
	"testing"
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
	writeText(t, s.file, graphBefore)
	s.d = start(t, setup{dir: s.file, w: 120, h: 35, theme: dark, journal: t.TempDir(), prefer: prefer})
	s.d.sees("person")
	return s
}

// writes writes over the file, with more than was read.
func (s *graphServer) writes(more string) {
	s.d.t.Helper()
	s.read += more
	s.d.edited = true
	writeText(s.d.t, s.file, s.read)
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
	d.until("the alert has ended", func() bool { return len(d.m.alarm.troubles) == 0 })
}
