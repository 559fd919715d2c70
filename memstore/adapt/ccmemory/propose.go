package ccmemory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// propose lists what the program would do with records, and what it left behind.
func (m *Memory) propose(now time.Time, secrets func(string) int, at places) []adapt.Proposal {
	p := proposing{memory: m, now: now, at: at}
	p.forecast(m.Forecast(now, ahead, secrets))
	p.pairs()
	p.doubles()
	p.orphans()
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

// pairs finds items of working memory of which an episode was made, and that are still there.
func (p *proposing) pairs() {
	byKey := map[string]Episode{}
	byDetails := map[string]Episode{}
	for _, e := range p.memory.Episodes {
		for _, prefix := range []string{"Working memory evicted: ", "Session end consolidation: "} {
			if key, ok := strings.CutPrefix(e.Summary, prefix); ok {
				byKey[key] = e
			}
		}
		if len(e.Details) > minAlike {
			byDetails[spoken([]byte(e.Details))] = e
		}
	}
	for _, w := range p.memory.Working {
		value := spoken(w.Value)
		e, same := byDetails[value]
		if !same {
			var ok bool
			if e, ok = byKey[w.Key]; !ok {
				continue
			}
			same = spoken([]byte(e.Details)) == value
		}
		one := adapt.Proposal{Name: p.name(workingTable, w.ID), Kind: adapt.Consolidated, Others: []string{p.name(episodeTable, e.ID)},
			Remove: same, Reason: "an episode has the same text"}
		if !same {
			one.Reason = "an episode made of an earlier state of this says something else"
		}
		p.all = append(p.all, one)
	}
}

// minAlike is how long details must be for an episode to be recognized by them.
const minAlike = 12

// spoken is what a value says, however it is written: the text of a string, JSON without blanks.
func spoken(value []byte) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, value) == nil {
		return b.String()
	}
	return string(value)
}

// doubles finds entities whose names differ in spelling only.
func (p *proposing) doubles() {
	first, named := map[string]Entity{}, p.named()
	all := slices.Clone(p.memory.Entities)
	slices.SortStableFunc(all, func(a, b Entity) int { return int(max(-1, min(1, b.Updated-a.Updated))) }) // the latest counts
	for _, e := range all {
		key := foldName(e.Name)
		kept, ok := first[key]
		if !ok || key == "" {
			first[key] = e
			continue
		}
		one := adapt.Proposal{Name: p.name(entityTable, e.ID), Kind: adapt.Double, Others: []string{p.name(entityTable, kept.ID)},
			Reason: "nearly the name of " + strconv.Quote(kept.Name)}
		if kept.holds(e) && !named[e.ID] {
			one.Remove = true
			one.Reason += ", which has all that this says"
		}
		p.all = append(p.all, one)
	}
}

// foldName is a name without case and blanks.
func foldName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// holds reports whether an entity says all that another one does.
func (e Entity) holds(other Entity) bool {
	has := func(all, some []string) bool {
		return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
	}
	return e.Type == other.Type && strings.Contains(e.Description, other.Description) && has(e.Observations, other.Observations) &&
		has(e.Tags, other.Tags) && (other.Content == nil || bytes.Equal(e.Content, other.Content)) &&
		(other.Procedure == nil || bytes.Equal(e.Procedure, other.Procedure))
}

// named are the entities that a relation or an episode names.
func (p *proposing) named() map[string]bool {
	named := map[string]bool{}
	for _, r := range p.memory.Relations {
		named[r.From], named[r.To] = true, true
	}
	for _, e := range p.memory.Episodes {
		for _, id := range e.RelatedEntities {
			named[id] = true
		}
	}
	return named
}

// orphans finds transcripts of episodes that are gone, and entities that nothing names.
func (p *proposing) orphans() {
	episodes := byID(p.memory.Episodes, func(e Episode) string { return e.ID })
	for _, t := range p.memory.Transcripts {
		if _, ok := episodes[t.EpisodeID]; !ok {
			p.all = append(p.all, adapt.Proposal{Name: p.name(transcriptTable, t.ID), Kind: adapt.Orphan, Remove: true,
				Reason: "its episode is gone, but this text stayed"})
		}
	}
	named := p.named()
	for _, e := range p.memory.Entities {
		if !named[e.ID] {
			p.all = append(p.all, adapt.Proposal{Name: p.name(entityTable, e.ID), Kind: adapt.Orphan,
				Reason: "no relation and no episode names it"})
		}
	}
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
