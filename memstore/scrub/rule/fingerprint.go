package rule

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"memcurator/memstore/scrub/ascii"
)

// Fingerprint is a hash of all that rules and the words of a set decide, and of numbers that the caller adds.
func Fingerprint(set *Set, rules []*Rule, version int) string {
	var h fingerprint
	h.numbers(version)
	for _, r := range rules {
		h.texts(r.ID, r.Class, r.Detector, r.Check)
		h.numbers(int(r.Severity), r.Score, r.Group, r.Window, len(r.Allow), int(r.MinEntropy*1000), boolInt(r.Required))
		h.list(r.Keywords)
		h.list(r.Context)
		h.list(r.Stop)
		h.numbers(len(r.Patterns))
		for _, p := range r.Patterns {
			h.texts(p.Source)
		}
		for _, l := range append([]*ascii.Expression{r.Regex}, r.Allow...) {
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
