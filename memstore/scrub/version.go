package scrub

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// hash covers everything that decides what is found.
func (e *Engine) hash(set *ruleSet) string {
	var h fingerprint
	h.numbers(engineVersion, e.limit)
	for _, r := range e.rules {
		h.texts(r.id, r.class, r.detector, r.check)
		h.numbers(int(r.severity), r.score, r.group, r.window, len(r.allow), int(r.minEntropy*1000), boolInt(r.required))
		h.list(r.keywords)
		h.list(r.context)
		h.list(r.stop)
		h.numbers(len(r.patterns))
		for _, p := range r.patterns {
			h.texts(p.source)
		}
		for _, l := range append([]*lazyRegexp{r.regex}, r.allow...) {
			if l != nil {
				h.texts(l.source)
			}
		}
	}
	for _, c := range set.cues {
		h.texts(c.kind)
		h.list(c.words)
	}
	h.list(set.stop)
	sum := sha256.Sum256(h)
	return hex.EncodeToString(sum[:12])
}

// fingerprint is what a hash is made of: texts with their lengths in front, and numbers.
type fingerprint []byte

func (h *fingerprint) texts(texts ...string) {
	for _, t := range texts {
		h.numbers(len(t))
		*h = append(*h, t...)
	}
}

func (h *fingerprint) list(texts []string) {
	h.numbers(len(texts))
	h.texts(texts...)
}

func (h *fingerprint) numbers(numbers ...int) {
	for _, n := range numbers {
		*h = binary.AppendVarint(*h, int64(n))
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// engineVersion is raised when the code finds other things by the same rules.
const engineVersion = 12

// Version names the rules and the code that works on them: findings that were made under
// the same version of the same text are the same. Options.Allowed is not part of it.
func (e *Engine) Version() string { return e.version }
