package findings

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Two processes judge values of one store: neither loses what the other said, and a scan takes both.
func TestJudgementsOfTwoProcessesAreKept(t *testing.T) {
	d := newDesk(t)
	a, b := secretOf(5), secretOf(6)
	d.write("a.md", "token: "+a+"\ntoken: "+b+"\n")
	other, err := OpenMemory(d.state)
	d.must(err)
	survey := d.scan()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d.must(other.Allow(HarmlessOf(survey.Group(d.memory.ID(a)), noon)))
	if live, _ := d.scan().Count(); live != 1 {
		t.Errorf("%d places count", live)
	}
	d.must(d.memory.Allow(HarmlessOf(survey.Group(d.memory.ID(b)), noon.Add(time.Minute))))
	d.must(other.Refresh())
	list := other.Harmless()
	if len(list) != 2 || list[0].ID != d.memory.ID(b) || list[1].Label != "/memories/a.md:1" || list[1].Class != "github-token" ||
		!list[1].At.Equal(noon) {
		t.Errorf("%+v", list)
	}
	d.must(other.Disallow(list[1].Class, list[1].ID))
	if live, _ := d.scan().Count(); live != 1 {
		t.Errorf("%d places count", live)
	}
}

// A file that is damaged says so once; what is judged then is kept.
func TestADamagedListOfJudgementsIsReplaced(t *testing.T) {
	d := newDesk(t)
	d.must(os.WriteFile(filepath.Join(d.state, allowedFile), []byte(`[{"id":`), 0o600))
	m, err := OpenMemory(d.state)
	if err == nil || !m.Keeps() {
		t.Errorf("%v", err)
	}
	d.must(m.Allow(Harmless{ID: "1", Class: "password"}))
	again, err := OpenMemory(d.state)
	d.must(err)
	if len(again.Harmless()) != 1 {
		t.Errorf("%+v", again.Harmless())
	}
	if none, _ := OpenMemory(""); none.Allow(Harmless{ID: "1"}) != errNotKept || len(none.Harmless()) != 1 {
		t.Error("without a folder it does not hold for this run")
	}
}
