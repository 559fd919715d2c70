package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/said"
)

// call shows the call itself, and what was said around it.
func (b *builder) call(d *page) {
	s := b.step
	d.say(title, strings.Join(b.facts(), "  "))
	d.say(dim, fmt.Sprintf("%s line %d, %s", s.Source.File, s.Source.Line, s.ID))
	said, problem := b.said()
	d.say(title, "Input")
	input(d, s.Input)
	d.say(title, "Said around it")
	if problem != "" {
		d.say(dim, "Can't show the conversation: "+problem)
		return
	}
	around(d, said)
}

const textSide = "subagent"

func (b *builder) facts() []string {
	s := b.step
	when := s.Time
	if !s.When.IsZero() {
		when = s.When.Format(time.RFC3339)
	}
	facts := []string{callText(b.n, s.Turn), s.Tool, s.Op(), when, named("model", s.Model), named("session", s.Session)}
	if after := b.track.LostAfter(b.n); after > 0 {
		facts = append(facts, lostText(after))
	}
	if s.Side {
		facts = append(facts, textSide)
	}
	if s.Tool == s.Op() {
		facts[2] = ""
	}
	return slices.DeleteFunc(facts, func(f string) bool { return f == "" })
}

// callText names a call in the title of its details.
func callText(n, turn int) string { return fmt.Sprintf("call %d, turn %d", n, turn) }

// lostText says that a result was cleared later.
func lostText(after int) string {
	return fmt.Sprintf("cleared from the conversation after call %d", after)
}

// named puts a name before what is known; "" where nothing is.
func named(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// input adds the fields of an input in their order, texts line by line.
func input(d *page, raw json.RawMessage) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		d.body("  ", raw)
		return
	}
	for dec.More() {
		key, err := dec.Token()
		var v json.RawMessage
		if err != nil || dec.Decode(&v) != nil {
			return
		}
		var s string
		if json.Unmarshal(v, &s) != nil {
			d.add(nil, fmt.Sprintf("%v: %s", key, v), part{lead: "  "})
			continue
		}
		if !strings.Contains(s, "\n") && len(s) < 100 {
			d.add(nil, fmt.Sprintf("%v: %s", key, s), part{lead: "  "})
			continue
		}
		d.add(nil, fmt.Sprintf("%v:", key), part{lead: "  "})
		d.body("    ", []byte(s))
	}
}

// said reads what was said around the call; problem is the end of a sentence.
func (b *builder) said() (list []said.Item, problem string) {
	f, err := transcript.Open(b.step.Source.File)
	if err != nil {
		return nil, sentence(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if list, err = said.Around(f, b.step.Call); err != nil {
		return nil, sentence(err)
	}
	return list, ""
}

// around adds what was said before and after the call.
func around(d *page, list []said.Item) {
	if len(list) == 0 {
		d.say(dim, "Nothing said around this call")
	}
	for _, s := range list {
		switch {
		case s.Here:
			d.add(good, s.Tool+" (this call)", part{lead: "> "})
		case s.Tool != "":
			d.add(dim, s.Tool+" "+oneLine(s.Text), part{lead: "  "})
		default:
			d.add(folder, s.Who+":", part{lead: "  "})
			d.body("    ", []byte(s.Text))
		}
	}
}

// oneLine is the beginning of an input.
func oneLine(s string) string {
	const most = 160
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
