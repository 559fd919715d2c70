package ccmemory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"memcurator/memstore/adapt"
)

// ahead is how far the list of what expires looks.
const ahead = 24 * time.Hour

var _ adapt.Proposer = (*Source)(nil)

// Propose implements [adapt.Proposer].
func (s *Source) Propose(ctx context.Context, image *adapt.Image, now time.Time, secrets func(string) int) ([]adapt.Proposal, error) {
	st, err := s.of(ctx, image)
	if err != nil {
		return nil, err
	}
	entries := st.entries()
	return st.memory.typed().propose(now, secrets, func(t *table, id string) (string, []byte) {
		if e := entries[recordKey{t, id}]; e != nil {
			return e.Name, e.Text
		}
		return "", nil
	}), nil
}

// recordKey identifies a record: IDs of one table may be those of another.
type recordKey struct {
	table *table
	id    string
}

// entries are the files of the records.
func (s *state) entries() map[recordKey]*adapt.Entry {
	all := make(map[recordKey]*adapt.Entry, len(s.image.Entries))
	for i := range s.image.Entries {
		e := &s.image.Entries[i]
		r := s.rows[e.Name]
		all[recordKey{r.table, r.id()}] = e
	}
	return all
}

// places tells where the record of a table has its file: its name and text. The name is "" if it has none.
type places func(t *table, id string) (name string, text []byte)

// propose lists what the program would do with records.
func (m *Memory) propose(now time.Time, secrets func(string) int, at places) []adapt.Proposal {
	p := proposing{memory: m, now: now, at: at}
	p.forecast(m.Forecast(now, ahead, secrets))
	return slices.DeleteFunc(p.all, func(one adapt.Proposal) bool { return one.Name == "" })
}

type proposing struct {
	memory *Memory
	now    time.Time
	at     places
	all    []adapt.Proposal
}

func (p *proposing) name(t *table, id string) string {
	name, _ := p.at(t, id)
	return name
}

// forecast makes one proposal of each kind for a record, whatever befalls it.
func (p *proposing) forecast(fates []Fate) {
	permanent := map[string]int{} // places in the list
	changed := map[string]int{}
	lowered := map[string]bool{}
	for _, f := range fates {
		switch f.Event {
		case Expires:
			p.all = append(p.all, adapt.Proposal{Name: p.name(workingTable, f.ID), Kind: adapt.Expires,
				Reason: "expires in " + left(f.At.Sub(p.now))})
		case Evicted, Kept:
			act := "eviction"
			if f.Event == Kept {
				act = "the end of a session"
			}
			if i, ok := permanent[f.ID]; ok {
				p.all[i].Reason += ", as does the end of a session"
				continue
			}
			permanent[f.ID] = len(p.all)
			one := adapt.Proposal{Name: p.name(workingTable, f.ID), Kind: adapt.Permanent, Urgent: f.Secrets > 0,
				Reason: fmt.Sprintf("%s makes this a permanent episode", act)}
			switch f.Secrets {
			case 0:
			case 1:
				one.Reason = "has a secret; " + one.Reason
			default:
				one.Reason = fmt.Sprintf("has %d secrets; %s", f.Secrets, one.Reason)
			}
			p.all = append(p.all, one)
		case Fades:
			lowered[f.ID] = true
			if i, ok := changed[f.ID]; ok {
				p.all[i].Reason += "; its older formula: " + number64(f.To)
				continue
			}
			p.change(f, adapt.Decay, "decay by the older formula lowers importance")
		case Decays:
			changed[f.ID], lowered[f.ID] = len(p.all), true
			p.change(f, adapt.Decay, "decay lowers importance")
		case Boosted:
			p.change(f, adapt.Boost, "memory_boost raises importance")
			if lowered[f.ID] { // both can't be carried out
				last := &p.all[len(p.all)-1]
				last.Text, last.Edits = nil, nil
				last.Reason += ", decay lowers it"
			}
		}
	}
}

// change proposes to do now what the program would do to an importance.
func (p *proposing) change(f Fate, kind adapt.Kind, words string) {
	name, text := p.at(episodeTable, f.ID)
	one := adapt.Proposal{Name: name, Kind: kind, Reason: fmt.Sprintf("%s %s to %s", words, number64(f.From), number64(f.To))}
	if start, end, ok := frontValue(text, "importance"); ok {
		one.Text, one.Edits = text, []adapt.Span{{Start: start, End: end, Text: number64(f.To)}}
	}
	p.all = append(p.all, one)
}

// frontValue finds the value of a key in the front matter of a text.
func frontValue(text []byte, key string) (start, end int64, ok bool) {
	at := bytes.IndexByte(text, '\n') + 1 // after the opening line
	for at > 0 && at < len(text) {
		line := text[at:]
		stop := bytes.IndexByte(line, '\n')
		if stop < 0 || bytes.Equal(line[:stop], []byte("---")) {
			break
		}
		if value, found := bytes.CutPrefix(line[:stop], []byte(key+": ")); found {
			return int64(at + stop - len(value)), int64(at + stop), true
		}
		at += stop + 1
	}
	return 0, 0, false
}

// left is a remaining time in words.
func left(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

func number64(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
