package scrub

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"memcurator/memstore/scrub/rule"
)

// hash covers everything that decides what is found.
func (e *Engine) hash(set *rule.Set) string {
	var h fingerprint
	h.numbers(engineVersion, e.limit)
	for _, r := range e.rules {
		h.texts(r.ID, r.Class, r.Detector, r.Check)
		h.numbers(int(r.Severity), r.Score, r.Group, r.Window, len(r.Allow), int(r.MinEntropy*1000), boolInt(r.Required))
		h.list(r.Keywords)
		h.list(r.Context)
		h.list(r.Stop)
		h.numbers(len(r.Patterns))
		for _, p := range r.Patterns {
			h.texts(p.Source)
		}
		for _, l := range append([]*rule.Expression{r.Regex}, r.Allow...) {
			if l != nil {
				h.texts(l.Source)
			}
		}
	}
	for _, c := range set.Cues {
		h.texts(c.Kind)
		h.list(c.Words)
	}
	h.list(set.Stop)
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
