package curate

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

// envBaselineKey is the variable with the key of baselines.
const envBaselineKey = "MEMCURATOR_BASELINE_KEY"

// shortestKey makes it impractical to guess the key from a baseline and a known value.
const shortestKey = 16

// fingerprints identify places across runs without revealing a value: with a key by path, rule and value, without one by path, rule and
// number.
type fingerprints struct {
	key  []byte
	seen map[string]int
}

// baselineKey reads the key of baselines and fingerprints; nil if none is set.
func baselineKey(run *session.Session) ([]byte, error) {
	key := run.Env.Getenv(envBaselineKey)
	if key != "" && len(key) < shortestKey {
		return nil, session.WrongUse("%s needs at least %d characters", envBaselineKey, shortestKey)
	}
	if key == "" {
		return nil, nil
	}
	return []byte(key), nil
}

// valueHash is the keyed hash of a value; "" without a key.
func valueHash(key []byte, value string) string {
	if key == nil {
		return ""
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("value\x00" + value))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// of returns the fingerprint of the next place.
func (f *fingerprints) of(p *findings.Place, value string) string {
	k := known{Path: p.Path, Rule: p.Rule, Value: valueHash(f.key, value)}
	name := k.Path + "\x00" + k.Rule + "\x00" + k.Value
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	f.seen[name]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", name, f.seen[name]))
	return hex.EncodeToString(sum[:16])
}

// known counts the places of a baseline with one path, rule and value. Without a key, Value is "" and all values count together.
type known struct {
	Path  string `json:"path"`
	Rule  string `json:"rule"`
	Value string `json:"value,omitempty"`
	Count int    `json:"count"`
}

// baseline lists what a scan should not report again: a file that can be committed. It doesn't reveal values.
type baseline struct {
	Version int     `json:"version"`
	Check   string  `json:"key_check,omitempty"` // identifies the key that it was written with; "": none
	Places  []known `json:"places"`

	key  []byte
	left map[known]int
}

const baselineVersion = 1

func newBaseline(key []byte) *baseline {
	return &baseline{Version: baselineVersion, Check: keyCheck(key), Places: []known{}, key: key, left: map[known]int{}}
}

// keyCheck identifies a key without revealing it.
func keyCheck(key []byte) string {
	if key == nil {
		return ""
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("key check"))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// readBaseline reads a file written by --write-baseline.
func readBaseline(name string, key []byte) (*baseline, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, session.Failed(err, "Can't read the baseline %s: %s", name, session.Reason(err))
	}
	b := newBaseline(key)
	b.Check = ""
	if err := json.Unmarshal(data, b); err != nil || b.Version != baselineVersion {
		return nil, session.Failed(err, "Can't read the baseline %s: not one that this version writes", name)
	}
	switch {
	case b.Check != "" && key == nil:
		return nil, session.WrongUse("The baseline %s was written with a key. Set %s", name, envBaselineKey)
	case b.Check == "":
		b.key = nil
	case b.Check != keyCheck(key):
		return nil, session.WrongUse("The baseline %s was written with another %s", name, envBaselineKey)
	}
	for _, k := range b.Places {
		n := k.Count
		k.Count = 0
		b.left[k] += n
	}
	return b, nil
}

// has reports whether the baseline lists a place, and counts it as seen: places beyond the listed number are new.
func (b *baseline) has(p *findings.Place, value string) bool {
	if b == nil {
		return false
	}
	k := known{Path: p.Path, Rule: p.Rule, Value: valueHash(b.key, value)}
	b.left[k]--
	return b.left[k] >= 0
}

// maskedPaths returns the paths that have a value in their name, by path, with the value masked: a baseline is committed, and outlives the
// name of a file.
func maskedPaths(places []findings.Place) map[string]string {
	masked := map[string]string{}
	for i := len(places) - 1; i >= 0; i-- { // the last value of a name first, so that offsets stay right
		p := &places[i]
		if !p.InName || p.Start < 0 || p.End > len(p.Path) || p.Start >= p.End {
			continue
		}
		path, ok := masked[p.Path]
		if !ok {
			path = p.Path
		}
		if p.End <= len(path) && path[:p.End] == p.Path[:p.End] {
			masked[p.Path] = path[:p.Start] + "••••" + path[p.End:]
		}
	}
	return masked
}

// add adds a place to a baseline to be written.
func (b *baseline) add(p *findings.Place, value string) {
	if b != nil {
		b.left[known{Path: p.Path, Rule: p.Rule, Value: valueHash(b.key, value)}]++
	}
}

// write writes the file with sorted rows.
func (b *baseline) write(name string) error {
	b.Places = []known{}
	for k, n := range b.left {
		k.Count = n
		b.Places = append(b.Places, k)
	}
	slices.SortFunc(b.Places, func(x, y known) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Value, y.Value))
	})
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		return session.Failed(err, "Can't write the baseline %s: %s", name, session.Reason(err))
	}
	return nil
}
