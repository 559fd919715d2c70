package findings

import (
	"testing"
	"time"
)

// Two processes dismiss values of one store: neither loses what the other recorded, and a scan honors both.
func TestDismissalsOfTwoProcessesAreKept(t *testing.T) {
	d := newDesk(t)
	a, b := secretOf(5), secretOf(6)
	d.write("a.md", "token: "+a+"\ntoken: "+b+"\n")
	other, err := OpenState(d.state)
	d.must(err)
	survey := d.scan()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	d.must(other.Dismiss(Dismiss(survey.Secret(d.memory.ID(a)), noon)))
	if live, _ := d.scan().Count(); live != 1 {
		t.Errorf("%d places count", live)
	}
	d.must(d.memory.Dismiss(Dismiss(survey.Secret(d.memory.ID(b)), noon.Add(time.Minute))))
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
