package tui

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// A change that was seen live goes by the number of its revision, as everywhere else; it has
// none until the journal has it. Without a journal the changes since the start are counted.

// numberMost bounds the revisions among which those of the newest changes are looked for.
const numberMost = 1_000

// numberAgain is how many earlier changes are looked for once more together with new ones: the journal may have had
// a later revision with the same bytes before its change was told here, and an earlier change has taken its number.
const numberAgain = 50

// numbersOf finds the revisions of changes, oldest first, that the journal has just taken.
func numbersOf(ctx context.Context, j *journal.Journal, changes []*watch.Change) (map[int]int64, error) {
	rows, err := j.Revisions(ctx, past.Filter{Newest: true, Limit: min(numberMost, 50+2*len(changes))})
	if err != nil {
		return nil, err
	}
	numbers := map[int]int64{}
	for i := len(changes) - 1; i >= 0; i-- {
		for at, r := range rows {
			if standsFor(r, changes[i]) {
				numbers[changes[i].Seq], rows = r.Rev, rows[at+1:]
				break
			}
		}
	}
	return numbers, nil
}

// standsFor reports whether a revision is what the journal has of a change.
func standsFor(r past.Revision, c *watch.Change) bool {
	return r.Path == c.Path && r.OldPath == c.OldPath && (c.After == nil || r.After.Digest == (memstore.Digest{}) || r.After.Digest == c.After.Digest())
}

// numbersRead takes the numbers of changes, also into the title of the one that is shown.
func (m *Model) numbersRead(numbers map[int]int64) {
	for seq, rev := range numbers {
		if had := m.live.numbers[seq]; had != 0 && had <= rev {
			continue // a later change can only show that the number was too high
		}
		m.live.numbers[seq] = rev
		if c := m.live.bySeq(seq); c != nil {
			full := m.comparison(c)
			m.diff.Retitle(full.Key, full.Title)
		}
	}
}

// number is what a change is called: "#12", or nothing.
func (m *Model) number(c *watch.Change) string {
	n := int64(c.Seq)
	if m.options.Journal != nil {
		n = m.live.numbers[c.Seq]
	}
	if n == 0 {
		return ""
	}
	return "#" + strconv.FormatInt(n, 10)
}

// ownerNamed names the job that reads revisions which are compared by their numbers.
const ownerNamed = "compare.named"

// namedRead is the outcome: the sides in the order in which they were named.
type namedRead struct {
	sides   []comparedSide
	missing string // a name that is no revision; empty: none
}

// compareRevisionsNamed compares what was typed where a name may be the number of a revision.
func (m *Model) compareRevisionsNamed(names []string) tea.Cmd {
	j := m.options.Journal
	return m.env.Jobs.Start(ownerNamed, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		var out namedRead
		for _, name := range names {
			number, isRevision := strings.CutPrefix(name, "#")
			if !isRevision {
				out.sides = append(out.sides, comparedSide{path: backendPath(name)})
				continue
			}
			rev, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return namedRead{missing: name}, nil
			}
			r, err := j.Revision(ctx, rev)
			if errors.Is(err, past.ErrNoRevision) {
				return namedRead{missing: name}, nil
			}
			if err != nil {
				return nil, err
			}
			out.sides = append(out.sides, comparedSide{path: r.Path, rev: r.Rev, bytes: r.After})
		}
		return out, nil
	})
}

func (m *Model) namedReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(namedRead)
	switch {
	case !ok:
		return nil
	case v.missing != "":
		m.tell(ui.Warn, text.Clean(v.missing)+m.env.Keyed(" is no revision of the journal; {global/changes} lists them"))
		return nil
	}
	return m.compareSides(v.sides)
}
