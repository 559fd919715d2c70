package lint

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memcurator/render/text"

	"github.com/pelletier/go-toml/v2"
)

// Planted reports text that reads like instructions planted for the agent.
const Planted Rule = "planted"

//go:embed planted.toml
var plantedFile []byte

// Bounds of the search for planted text, in bytes of folded text.
const (
	windowBefore = 240
	windowAfter  = 560
	// maxTries bounds how often a pattern is tried on one content: text made of nothing but
	// words of the rules costs at most this.
	maxTries = 4000
)

// plantedRule is one rule of planted.toml.
type plantedRule struct {
	ID       string   `toml:"id"`
	Says     string   `toml:"says"`
	Severity string   `toml:"severity"`
	Near     []string `toml:"near"`
	Pattern  string   `toml:"pattern"`
	Finds    []string `toml:"finds"`
	Leaves   []string `toml:"leaves"`
	match    *regexp.Regexp
	danger   bool
}

// plantedRules are the rules made ready.
type plantedRules struct {
	rules []plantedRule
	near  [][]nearWord // by the first two bytes of a word
}

// nearWord is a word and the rules that are tried around it.
type nearWord struct {
	word  []byte
	rules []int
}

// loadPlanted reads the rules at their first use. The file is ours, so that a mistake in it is a
// mistake of the program; a test reads it.
var loadPlanted = sync.OnceValue(func() *plantedRules {
	p, err := parsePlanted(plantedFile)
	if err != nil {
		panic(err)
	}
	return p
})

// between is what a space in a pattern matches; no class of a pattern has one.
const between = "(?:[\\s*_`\"'>#~-]{1,6})"

func parsePlanted(data []byte) (*plantedRules, error) {
	var file struct {
		Rule []plantedRule `toml:"rule"`
	}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, err
	}
	p := &plantedRules{rules: file.Rule, near: make([][]nearWord, 1<<16)}
	for i := range p.rules {
		r := &p.rules[i]
		var err error
		if r.match, err = regexp.Compile(strings.ReplaceAll(r.Pattern, " ", between)); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		r.danger = r.Severity == "danger"
		for _, w := range r.Near {
			list := &p.near[firstTwo([]byte(w))]
			at := slices.IndexFunc(*list, func(n nearWord) bool { return string(n.word) == w })
			if at < 0 {
				at = len(*list)
				*list = append(*list, nearWord{word: []byte(w)})
			}
			(*list)[at].rules = append((*list)[at].rules, i)
		}
	}
	return p, nil
}

func firstTwo(text []byte) int { return int(text[0])<<8 | int(text[1]) }

// planted finds text that reads as if it had been planted.
func (in *inspection) planted(f *folded) {
	p := loadPlanted()
	t := newPlantedWalk(p, f)
	t.walk()
	if len(t.hits) == 0 {
		return
	}
	slices.SortFunc(t.hits, func(a, b hit) int { return a.start - b.start })
	worst := t.hits[0]
	var found *Finding
	for _, h := range t.hits {
		s := Warning
		if p.rules[h.rule].danger {
			s = Danger
			if !p.rules[worst.rule].danger {
				worst = h
			}
		}
		found = in.place(Planted, s, f.original(h.start), f.original(h.end))
	}
	start, end := f.original(worst.start), f.original(worst.end)
	found.Reason = p.rules[worst.rule].Says + ": " + quote(string(bytes.ToValidUTF8(in.data[start:end], []byte("?"))))
	if n := len(t.hits) - 1; n > 0 {
		found.Reason += ", " + text.Count(n, "more place")
	}
}

type hit struct{ rule, start, end int }

// plantedWalk is the search through one text.
type plantedWalk struct {
	rules *plantedRules
	text  *folded
	done  []int // by rule: where its last hit ends
	next  []int // by rule: words before this offset need no try
	tries int
	hits  []hit
}

func newPlantedWalk(p *plantedRules, f *folded) *plantedWalk {
	return &plantedWalk{rules: p, text: f, done: make([]int, len(p.rules)), next: make([]int, len(p.rules))}
}

// walk tries the rules around the words that they are near.
func (t *plantedWalk) walk() {
	text := t.text.text
	for at := 0; at+1 < len(text) && t.tries < maxTries; at++ {
		for _, near := range t.rules.near[firstTwo(text[at:])] {
			if bytes.HasPrefix(text[at:], near.word) {
				for _, rule := range near.rules {
					t.try(rule, at)
				}
			}
		}
	}
}

// try tries a rule around a word that it is near.
func (t *plantedWalk) try(rule, at int) {
	if at < t.next[rule] || t.tries >= maxTries {
		return
	}
	t.tries++
	text := t.text.text
	from, to := max(0, at-windowBefore, t.done[rule]), min(len(text), at+windowAfter)
	for from > 0 && from < to && !utf8.RuneStart(text[from]) {
		from++
	}
	m := t.rules.rules[rule].match.FindIndex(text[from:to])
	if m == nil {
		t.next[rule] = at + windowAfter/4 // the window reached far beyond
		return
	}
	h := hit{rule, from + m[0], from + m[1]}
	for h.end < len(text) && h.end > h.start && letter(text[h.end-1]) && letter(text[h.end]) {
		h.end++ // to the end of the word
	}
	t.done[rule], t.next[rule] = h.end, h.end
	t.hits = append(t.hits, h)
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' }
