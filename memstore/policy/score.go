package policy

import (
	"math"
	"time"

	"memcurator/render/text"
)

// Score says how much a file is worth keeping, from 0 to 100, as a sum of terms that can be shown.
// It orders lists and decides what a store over its cap could lose first; nothing is ever removed
// because of it alone. A zero Score was not worked out.
type Score struct {
	Value float64
	Terms []Term // in a fixed order
}

// Term is one part of a score.
type Term struct {
	Name  string  // "recency", "use", "links", "size", "pin"
	Value float64 // what it adds
	Most  float64 // the most that it can add
	Why   string  // "3 weeks since it was used or changed"
}

// Weights of the terms: the most that each adds. A pin weighs as much as the rest together.
const (
	recencyMost = 50
	useMost     = 20
	linksMost   = 20
	sizeMost    = 10
	pinMost     = 100
)

// decayPerWeek is what recency keeps of its worth each week, as cc-memory's recall does it.
const decayPerWeek = 0.95

const week = 7 * 24 * time.Hour

// score works out what a file is worth.
func (c *candidate) score(now time.Time, links map[string]int) Score {
	at := c.used()
	idle := max(now.Sub(at.time), 0)
	weeks := idle.Hours() / week.Hours()
	s := Score{}
	if at.time.IsZero() {
		s.add("recency", 0, recencyMost, "age unknown")
	} else {
		s.add("recency", recencyMost*math.Pow(decayPerWeek, weeks), recencyMost, span(idle)+" since it was used or changed")
	}
	s.add("use", useMost*saturate(c.recorded.Uses, 32), useMost, text.Count(c.recorded.Uses, "use")+" by the agent")
	why := "links not counted"
	if links != nil {
		why = text.Count(links[c.path], "link") + " to it"
	}
	s.add("links", linksMost*saturate(links[c.path], 8), linksMost, why)
	// A small note costs little to keep: the full term up to 1 KiB, none from 1 MiB on.
	small := 1 - math.Log2(float64(max(c.node.Size, 1024))/1024)/10
	s.add("size", sizeMost*max(small, 0), sizeMost, size(c.node.Size))
	if c.rules.Pin.Value {
		s.add("pin", pinMost, pinMost, "pinned")
	}
	return s
}

func (s *Score) add(name string, value, most float64, why string) {
	s.Value += value
	s.Terms = append(s.Terms, Term{name, value, most, why})
}

// saturate grows with the logarithm of n, from 0 to 1 at full.
func saturate(n, full int) float64 {
	return min(math.Log2(1+float64(max(n, 0)))/math.Log2(1+float64(full)), 1)
}
