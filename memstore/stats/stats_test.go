package stats

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return now.Add(-d) }

const day = 24 * time.Hour

func TestASum(t *testing.T) {
	files := []File{
		{Path: "/memories/a.md", Size: 100, Changed: ago(time.Hour), Used: ago(time.Minute), Uses: 5, Tokens: 25},
		{Path: "/memories/log/b.md", Size: 300, Changed: ago(10 * day), Tokens: 75},
		{Path: "/memories/log/old/c.md", Size: 50, Changed: ago(400 * day), Used: ago(100 * day), Uses: 1, Tokens: 13},
		{Path: "/memories/log/future.md", Size: 1, Changed: now.Add(day)},
	}
	s := Of(files, nil, now)
	if s.Total.Files != 4 || s.Total.Bytes != 451 || s.Total.Tokens != 113 || len(s.Growth) != 0 {
		t.Errorf("%+v", s.Total)
	}
	if fmt.Sprint(s.Folders) != "[{log 3 351 88} {. 1 100 25}]" {
		t.Errorf("folders %v", s.Folders)
	}
	line := func(list []Sum) (out string) {
		for _, h := range list {
			out += fmt.Sprintf("%s %d, ", h.Name, h.Files)
		}
		return out
	}
	if got := line(s.Ages); got != "today 2, this week 0, this month 1, 3 months 0, a year 0, longer 1, " {
		t.Error(got)
	}
	if got := line(s.Idle); got != "today 1, this week 0, this month 0, 3 months 0, a year 1, longer 0, never 2, " {
		t.Error(got)
	}
	if s.Largest[0].Path != "/memories/log/b.md" || s.LeastUsed[0].Path != "/memories/log/b.md" || s.LeastUsed[3].Path != "/memories/a.md" {
		t.Errorf("%v %v", s.Largest, s.LeastUsed)
	}
}

// Growth goes backward from what is there now, in periods that suit what is recorded.
func TestGrowth(t *testing.T) {
	files := []File{{Path: "/memories/a", Size: 100}, {Path: "/memories/b", Size: 20}}
	s := Of(files, []Growth{{ago(3 * day), 1, 70}, {ago(3 * day), 1, 10}, {ago(day), 1, 50}, {ago(time.Hour), -1, -10}}, now)
	if s.Period != day {
		t.Fatalf("a period of %v", s.Period)
	}
	var got []string
	for _, p := range s.Growth {
		got = append(got, fmt.Sprintf("%s %d %d", p.At.Format("01-02"), p.Files, p.Bytes))
	}
	if want := "11-18 2 80|11-19 2 80|11-20 3 130|11-21 2 120"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	for span, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, 40 * day: 7 * day, 200 * day: 30 * day,
		3000 * day: 365 * day} {
		if s := Of(files, []Growth{{ago(span), 1, 1}}, now); s.Period != want || len(s.Growth) > maxPoints {
			t.Errorf("%v: a period of %v, %d points", span, s.Period, len(s.Growth))
		}
	}
}

func TestManyFoldersAreJoined(t *testing.T) {
	var files []File
	for i := range 40 {
		files = append(files, File{Path: fmt.Sprintf("/memories/d%02d/a", i), Size: int64(i)})
	}
	s := Of(files, nil, now)
	sum := int64(0)
	for _, f := range s.Folders {
		sum += f.Bytes
	}
	if len(s.Folders) != maxFolders || sum != s.Total.Bytes || s.Folders[maxFolders-1].Name != "..." {
		t.Errorf("%v", s.Folders)
	}
}
