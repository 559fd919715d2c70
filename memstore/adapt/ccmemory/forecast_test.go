package ccmemory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest/cctest"
)

func TestForecast(t *testing.T) {
	t.Parallel()
	b, _ := written(t, cctest.Sample(noon))
	m := loadDatabase(t, b)
	titles := map[string]string{}
	for _, w := range m.Working {
		titles[w.ID] = w.Key
	}
	for _, e := range m.Episodes {
		titles[e.ID] = strings.Fields(e.Summary)[0]
	}
	var got []string
	for _, f := range m.Forecast(noon, time.Hour, func(text string) int { return strings.Count(text, "line") }) {
		line := fmt.Sprintf("%s %s %v>%v", f.Event, titles[f.ID], f.From, f.To)
		if !f.At.IsZero() {
			line += " in " + f.At.Sub(noon).String()
		}
		if f.Secrets > 0 {
			line += fmt.Sprint(" secrets ", f.Secrets)
		}
		got = append(got, line)
	}
	want := `expires sum 0>0 in 20m0s
expires failing test 0>0 in 23m0s
expires timing 0>0 in 25m0s
expires open file 0>0 in 30m0s
evicted open file 0>2 secrets 1
evicted failing test 0>2
kept timing 0>5
kept use tokens 0>7
kept release 0>7
kept 認証の方針 0>5
kept deploy/next step 0>5
decays Session 5>1
decays Queue 6>1
decays ユーザー認証を移行した 9>1
decays Deployed 7>1
decays PostgreSQL 8>1
fades Session 5>4
fades Queue 6>5
fades ユーザー認証を移行した 9>8
fades Deployed 7>6
fades PostgreSQL 8>7
boosted Prefers 2>3
boosted Deployed 7>8`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func TestEvicted(t *testing.T) {
	t.Parallel()
	item := func(id, priority string, minutes int) Working {
		return Working{ID: id, Priority: priority, Updated: millisOf(noon.Add(-time.Duration(minutes) * time.Minute))}
	}
	six := []Working{item("a", "high", 9), item("b", "high", 8), item("c", "high", 7), item("d", "high", 6), item("e", "high", 5), item("f", "high", 4)}
	for _, c := range []struct {
		more []Working
		want string
	}{
		{nil, ""},                                // the seventh has room
		{[]Working{item("g", "high", 3)}, ""},    // the new item itself goes
		{[]Working{item("g", "medium", 3)}, "g"}, // the same priority, but older
		{[]Working{item("g", "medium", 3), item("h", "low", 1)}, "h g"},                        // one too many already
		{[]Working{item("g", "low", 3), item("h", "low", 4), item("i", "medium", 1)}, "h g i"}, // by age
	} {
		var ids []string
		for _, w := range evicted(append(six[:6:6], c.more...), noon) {
			ids = append(ids, w.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("with %v: %q go, want %q", c.more, got, c.want)
		}
	}
}

func TestDecayBounds(t *testing.T) {
	t.Parallel()
	now := noon.UnixMilli()
	for _, c := range []struct {
		importance float64
		accesses   int
		ago        time.Duration
		decayed    float64
		faded      float64
		boosted    float64
	}{
		{8, 0, 24 * time.Hour, 8, 8, 8}, // a day is not more than a day
		{8, 0, 24*time.Hour + time.Millisecond, 3, 7, 8},
		{8, 4, 48 * time.Hour, 5, 7, 8},
		{8, 5, 48 * time.Hour, 6, 7, 9},
		{8, 30, 48 * time.Hour, 8, 7, 9},
		{1, 0, 9000 * time.Hour, 1, 1, 1},
		{10, 9, 0, 10, 10, 10},
		{5.5, 5, 0, 5.5, 5.5, 7},
	} {
		e := Episode{Importance: c.importance, AccessCount: c.accesses, LastAccessed: Millis(now - c.ago.Milliseconds())}
		if d, f, b := e.decayed(now), e.faded(now), e.boosted(now); d != c.decayed || f != c.faded || b != c.boosted {
			t.Errorf("%+v: decayed to %v, faded to %v, boosted to %v", c, d, f, b)
		}
	}
}
