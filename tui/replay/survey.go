package replay

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/transcript"
	"memcurator/tui/kit"
)

// batch is how many transcripts one job reads, so that rows which come into sight do not wait long.
const batch = 4

// wanted are the transcripts to read next, and whether only their titles: those in sight, titles before all else since that takes a
// few milliseconds, then others as long as there are bytes left.
func (l *library) wanted() (list []*entry, heads bool) {
	rows := l.InSight()
	for _, i := range rows {
		if i.entry != nil && i.head == nil {
			list = append(list, i.entry)
		}
	}
	if len(list) > 0 {
		return list, true
	}
	if i, ok := l.Current(); ok {
		rows = append([]item{i}, rows...)
	}
	for _, i := range rows {
		if i.entry != nil && i.survey == nil && len(list) < batch && !slices.Contains(list, i.entry) {
			list = append(list, i.entry)
		}
	}
	for _, e := range l.entries {
		if e.survey == nil && len(list) < batch && e.Size <= l.left && !slices.Contains(list, e) {
			l.left -= e.Size
			list = append(list, e)
		}
	}
	return list, false
}

// reading is what was read of a transcript.
type reading struct {
	file   string
	head   discover.Head
	survey *survey // nil: only the head was read
}

// read reads what is missing of the rows.
func (l *library) read() tea.Cmd {
	if !l.inSight() || l.env.Jobs.Running(ownerSurvey) {
		return nil
	}
	list, heads := l.wanted()
	if len(list) == 0 {
		return nil
	}
	places, now := l.where(), l.env.Now()
	var files []discover.Transcript
	for _, e := range list {
		files = append(files, e.Transcript)
	}
	return kit.Start(l.env.Jobs, kit.Job[[]reading]{
		Owner: ownerSurvey, Label: "counting memory calls",
		Work: func(ctx context.Context, progress *kit.Progress) ([]reading, error) {
			var out []reading
			for _, t := range files {
				r := reading{file: t.File}
				var err error
				if r.head, err = places.Machine.Head(ctx, t.File); err != nil {
					r.survey = &survey{problem: sentence(err)}
				} else if !heads {
					r.survey = surveyOf(ctx, t, places.Folders, now, progress)
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				out = append(out, r)
			}
			return out, nil
		},
		Done: func(list []reading) tea.Cmd {
			for _, r := range list {
				if e := l.of(r.file); e != nil {
					e.head = &r.head
					if r.survey != nil {
						e.survey = r.survey
					}
				}
			}
			l.arrange()
			return l.read()
		},
	})
}

// survey is what is known of a transcript that was read once.
type survey struct {
	calls    int
	differ   int // verdicts that differ
	rows     []row
	verdicts []transcript.Verdict
	from, to time.Time
	empty    string // what was seen in place of calls
	problem  string // why it was not read
	large    bool   // it is read only when it is opened
}

const (
	surveyLimit = 64 << 20 // bytes of a transcript that is read without being asked for
	surveyRows  = 200      // that the preview shows
	surveyCalls = 5000     // that are replayed without being asked for
)

// surveyOf reads a transcript and replays its calls.
func surveyOf(ctx context.Context, t discover.Transcript, folders []string, now time.Time, progress *kit.Progress) *survey {
	s := &survey{}
	if t.Size > surveyLimit {
		s.large = true
		return s
	}
	reader, err := transcript.NewReader(transcript.Options{Folders: folders, Growing: now.Sub(t.Changed) < stillFor})
	if err == nil {
		err = readFile(ctx, reader, t.File, progress)
	}
	if err != nil {
		s.problem = sentence(err)
		return s
	}
	calls := reader.Calls()
	s.calls = len(calls)
	if len(calls) == 0 {
		s.empty = reader.Summary().Describe(filepath.Base(t.File))
		return s
	}
	rows := rowsOf(calls)
	s.rows = rows[:min(len(rows), surveyRows)]
	s.from, s.to = rows[0].when, rows[len(rows)-1].when
	s.replay(ctx, calls[:min(len(calls), surveyCalls)])
	return s
}

// replay compares the calls with what our handlers answer.
func (s *survey) replay(ctx context.Context, calls []*transcript.Call) {
	start, _ := transcript.Begin(calls)
	handler, err := transcript.Guess(ctx, calls, start, memstore.Docs)
	if err != nil {
		return
	}
	replay, err := transcript.NewReplay(start, handler)
	if err != nil {
		return
	}
	for _, c := range calls {
		if ctx.Err() != nil {
			return
		}
		verdict := replay.Step(ctx, c).Verdict
		if verdict.Diverges() {
			s.differ++
		}
		s.verdicts = append(s.verdicts, verdict)
	}
}

// count is the number of calls; "" while it is unknown.
func (s *survey) count() string {
	switch {
	case s == nil || s.large || s.problem != "":
		return ""
	case s.calls == 0:
		return "-"
	}
	return strconv.Itoa(s.calls)
}

// word says how the replay came out.
func (s *survey) word() string {
	switch {
	case s == nil:
		return ""
	case s.problem != "":
		return "unreadable"
	case s.large:
		return "large"
	case s.calls == 0:
		return ""
	case s.differ == 1:
		return "1 differs"
	case s.differ > 1:
		return fmt.Sprintf("%d differ", s.differ)
	}
	return "identical"
}
