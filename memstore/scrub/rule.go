package scrub

import (
	"regexp"
	"sync"

	"memcurator/memstore/scrub/ascii"
)

// rule says what one kind of value looks like and what has to stand near it. Rules do
// not change once an engine has them, but for the regular expression, which is compiled
// when it is first needed.
type rule struct {
	id, class string
	severity  Severity
	score     int

	patterns []*pattern // any of them
	regex    *lazyRegexp
	group    int      // of the regular expression: the value; 0 is the whole match, or its only group
	keywords []string // lower case; one of them lets the rule look
	detector string   // the built-in code that the rule stands for; see [detector]

	check      string  // of checks; "" for none
	minEntropy float64 // bits a byte
	context    []string
	inContext  map[uint16]bool // the same, by number in the trie
	// required means that there is no finding without a context word; else the word only adds to the score.
	required bool
	window   int // bytes before the value in which context words count; after it a third
	allow    []*lazyRegexp
	stop     []string // lower case; what contains one is not a value

	examples, counterexamples []string
	file                      string
	line                      int
}

// lazyRegexp is compiled at its first use. Its syntax was checked when it was loaded.
type lazyRegexp struct {
	source   string
	once     sync.Once
	compiled *regexp.Regexp
}

func (l *lazyRegexp) get() *regexp.Regexp {
	l.once.Do(func() { l.compiled = regexp.MustCompile(l.source) })
	return l.compiled
}

// Problem is something wrong with a rule file. The rule, or the file if it cannot be
// read at all, is left out; the rest works.
type Problem struct {
	File   string
	Line   int    // from 1; 0 where it is not known
	Rule   string // its id, "" where there is none
	Reason string
}

// contextWords notes which words of the trie are context of the rule.
func (r *rule) contextWords(at map[string]int) {
	r.inContext = make(map[uint16]bool, len(r.context))
	for _, text := range r.context {
		for _, w := range spellingsOf(text) {
			r.inContext[uint16(at[ascii.ToLower(w)])] = true
		}
	}
}
