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
