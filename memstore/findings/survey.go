package findings

import (
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// Place is one sensitive span: in a current file, in a content that the journal keeps, or in a name.
type Place struct {
	Path       string // agent path; for the past, one that had the content
	Start, End int    // byte offsets in the content, or in Path for a name
	Line       int    // from 1; 0 in a name
	Column     int    // bytes from the start of the line, from 1
	Class      string
	Rule       string
	Severity   rule.Severity
	Why        string // the evidence, without the value
	InName     bool
	Past       bool  // only in the journal
	Rev        int64 // of the past: first revision with this content; 0 if unknown, or older than the journal
	Content    memstore.Digest
	ID         string // ID of its secret
	// Before and After are the text around the value on its line, shortened if long, with other values masked.
	Before, After string
}

// Context returns the line of the place, shortened if long, with all values masked.
func (p *Place) Context(masked string) string {
	return strings.ToValidUTF8(p.Before+masked+p.After, "")
}

// Secret is one value and all its places.
type Secret struct {
	ID       string // keyed hash of the value
	Class    string // of the place with the strongest evidence
	Severity rule.Severity
	Score    int
	Evidence scrub.Evidence // the strongest of its places
	Places   []Place        // files first, by path and offset, then the past
	Live     int            // how many of Places are in current files and names
	// Dismissal is the user's, nil if the value counts.
	Dismissal *Dismissal

	value string
}

// Value returns the value itself: show it only on request.
func (s *Secret) Value() string { return s.value }

// Masked returns the value as shown to people.
func (s *Secret) Masked() string { return Mask(s.Class, s.value) }

// dots replace what is hidden.
const dots = "••••"

// Mask hides a value of a class. It keeps the first characters of a longer value, by which its owner recognizes it, or the first
// character and the host of an e-mail address. It doesn't reveal the length.
func Mask(class, value string) string {
	runes := []rune(value)
	shown, host := 0, ""
	switch at := strings.LastIndexByte(value, '@'); {
	case class == "email" && at > 1:
		shown, host = 1, value[at:]
	case len(runes) >= 24:
		shown = 4
	case len(runes) >= 12:
		shown = 2
	}
	for i, r := range runes[:shown] {
		if r < ' ' || r == 0x7f {
			shown = i
			break
		}
	}
	return string(runes[:shown]) + dots + host
}

// Survey is the result of a scan. It is immutable and may be shared.
type Survey struct {
	Secrets  []*Secret // worst first
	Skipped  []Skipped // what was not searched, by rule or because it could not be read
	Files    int       // scanned
	Contents int       // of the past, scanned
	Bytes    int64     // of both
	// Unsought is set if there are too many values to search for everywhere; the rest are found only in context.
	Unsought bool

	values *scrub.Values
	byID   map[string]*Secret
}

// Unread returns what the scan could not read: the store can't be called clean of what wasn't found. It excludes what is skipped by rule.
func (s *Survey) Unread() []Skipped { return unread(s.Skipped) }

// Places returns all places that count, files first, by path and offset; not those of dismissed values.
func (s *Survey) Places() []Place {
	live, past := s.Count()
	list := make([]Place, 0, live+past)
	for _, secret := range s.Secrets {
		if secret.Dismissal == nil {
			list = append(list, secret.Places...)
		}
	}
	slices.SortFunc(list, comparePlaces)
	return list
}

func comparePlaces(a, b Place) int {
	return cmp.Or(compareBool(a.Past, b.Past), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rev, b.Rev), compareBool(b.InName, a.InName),
		cmp.Compare(a.Start, b.Start))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Secret returns the secret with this ID, nil if there is none.
func (s *Survey) Secret(id string) *Secret { return s.byID[id] }

// Open counts the values that are not dismissed.
func (s *Survey) Open() (n int) {
	for _, secret := range s.Secrets {
		if secret.Dismissal == nil {
			n++
		}
	}
	return n
}

// Count counts the places of values that are not dismissed.
func (s *Survey) Count() (live, past int) {
	for _, secret := range s.Secrets {
		if secret.Dismissal == nil {
			live += secret.Live
			past += len(secret.Places) - secret.Live
		}
	}
	return live, past
}

// ByPath counts the places in each current file, by agent path, for the badges of the tree.
func (s *Survey) ByPath() map[string]int {
	counts := map[string]int{}
	for _, secret := range s.Secrets {
		if secret.Dismissal != nil {
			continue
		}
		for i := range secret.Places {
			if !secret.Places[i].Past {
				counts[secret.Places[i].Path]++
			}
		}
	}
	return counts
}
