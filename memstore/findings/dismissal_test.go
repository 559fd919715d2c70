package findings

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Two processes dismiss values of one store: neither loses what the other recorded, and a scan honors both.
func TestDismissalsOfTwoProcessesAreKept(t *testing.T) {
	d := newDesk(t)
	a, b := secretOf(5), secretOf(6)
	d.write("a.md", "token: "+a+"\ntoken: "+b+"\n")
	other, err := OpenMemory(d.state)
	d.must(err)
	survey := d.scan()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d.must(other.Dismiss(Dismiss(survey.Group(d.memory.ID(a)), noon)))
	if live, _ := d.scan().Count(); live != 1 {
		t.Errorf("%d places count", live)
	}
	d.must(d.memory.Dismiss(Dismiss(survey.Group(d.memory.ID(b)), noon.Add(time.Minute))))
	d.must(other.Refresh())
	list := other.Dismissals()
	if len(list) != 2 || list[0].ID != d.memory.ID(b) || list[1].Label != "/memories/a.md:1" || list[1].Class != "github-token" ||
		!list[1].At.Equal(noon) {
		t.Errorf("%+v", list)
	}
	d.must(other.Withdraw(list[1]))
	if live, _ := d.scan().Count(); live != 1 {
		t.Errorf("%d places count", live)
	}
}

// In one file a value counts no more, elsewhere it does, and a redaction leaves that file alone; a purge means everywhere.
func TestDismissalInOneFile(t *testing.T) {
	d := newDesk(t)
	token := secretOf(7)
	d.write("a.md", "token: "+token+"\n")
	d.write("b.md", "uses "+token+" too\n")
	g := d.scan().Group(d.memory.ID(token))
	one := Dismiss(g, time.Now())
	one.Path = "/memories/a.md"
	d.must(d.memory.Dismiss(one))
	survey := d.scan()
	g = survey.Group(d.memory.ID(token))
	if live, _ := survey.Count(); live != 1 || g.Dismissed || g.Live != 1 || g.Places[0].Path != "/memories/b.md" || len(g.Exempt) != 1 ||
		len(g.Dismissals) != 1 {
		t.Fatalf("%d, %+v", live, g)
	}
	s := d.scrubber()
	s.Accept([]*Group{g})
	_, err := s.Redact(context.Background())
	d.must(err)
	if a, b := d.text("a.md"), d.text("b.md"); !strings.Contains(a, token) || strings.Contains(b, token) {
		t.Errorf("%q %q", a, b)
	}
	again := d.scrubber()
	again.Accept([]*Group{g})
	_, err = again.Purge(context.Background())
	d.must(err)
	if a := d.text("a.md"); strings.Contains(a, token) {
		t.Errorf("the purge left %q", a)
	}
}
