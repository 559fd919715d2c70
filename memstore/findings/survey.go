package findings

import (
	"cmp"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// Place is one span that is sensitive: in a file as it is, in a content that the journal keeps, or in a name.
type Place struct {
	Path       string // agent path; of the past one that had the content
	Start, End int    // bytes of the content, of a name those of Path
	Line       int    // from 1; 0 in a name
	Column     int    // bytes from the beginning of the line, from 1
	Class      string
	Rule       string
	Severity   rule.Severity
	Score      int
	Why        string // what speaks for it, without the value
	InName     bool
	Past       bool  // in the journal only
	Rev        int64 // the first revision with this content, 0 where it was there when the journal began or that is not known
	Revisions  int   // that have the content on either side
	Content    memstore.Digest
	ID         string // of its group
	// Before and After are what stands on the line about the value, of a long line a part, with other values masked.
	Before, After string
}

// Context is the line of the place, or the part of a long one about it, with all values masked.
func (p *Place) Context(masked string) string {
	return strings.ToValidUTF8(p.Before+masked+p.After, "")
}

// Recorded reports whether the journal holds the place: it stays there when the files are redacted.
func (p *Place) Recorded() bool { return p.Past || p.Revisions > 0 }

// Group is one value with all its places.
type Group struct {
	ID       string // keyed hash of the value
	Class    string // of the surest place
	Severity rule.Severity
	Score    int
	Evidence scrub.Evidence // the surest of its places
	Places   []Place        // that count: files first, by path and offset, then the past; of a dismissed value all
	Live     int            // of Places, those in files and in names that are there now
	Exempt   []Place        // in files for which the user has dismissed the value; not among Places
	// Dismissed means that the user has dismissed the value at each of its places. Dismissals are those in force for it.
	Dismissed  bool
	Dismissals []Dismissal

	value string
}

// History is how many places the journal holds, with those that files have too.
func (g *Group) History() (n int) {
	for i := range g.Places {
		if g.Places[i].Recorded() {
			n++
		}
	}
	return n
}

// Value is the value itself: show it only on request.
func (g *Group) Value() string { return g.value }

// Masked is the value as it is shown to people.
func (g *Group) Masked() string { return Mask(g.Class, g.value) }

// dots stand for what is hidden.
const dots = "••••"

// Mask hides a value of a class. Of a longer one the first characters stay, which people know their own values by; of an e-mail
// address the first one and the host. Its length stays hidden.
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

// Survey is what a scan has found. It does not change any more and may be shared.
type Survey struct {
	Groups   []*Group  // the worst first
	Skipped  []Skipped // what was not looked through, whether by rule or because it could not be read
	Files    int       // scanned
	Contents int       // of the past, scanned
	Bytes    int64     // of both
	Cached   int       // contents whose findings were known
	// Unsought is set where there are more values than are sought in all files; they are found
	// only where something names them.
	Unsought bool

	values *scrub.Values
	byID   map[string]*Group
}

// Unread is what the scan could not read: the memory is not known to be free of what was not found. What is left out by rule is
// none of it.
func (s *Survey) Unread() []Skipped { return unread(s.Skipped) }

// Places are all places that count, files first, by path and offset; those of dismissed values do not.
func (s *Survey) Places() []Place {
	live, past := s.Count()
	list := make([]Place, 0, live+past)
	for _, g := range s.Groups {
		if !g.Dismissed {
			list = append(list, g.Places...)
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

// Revisions counts the revisions that hold one of some values on either side.
func (s *Survey) Revisions(groups []*Group) (n int) {
	type content struct {
		path string
		rev  int64
	}
	seen := map[content]bool{}
	for _, g := range groups {
		now := s.Group(g.ID)
		if now == nil {
			continue
		}
		for i := range now.Places {
			if p := &now.Places[i]; p.Recorded() && !p.InName && !seen[content{p.Path, p.Rev}] {
				seen[content{p.Path, p.Rev}] = true
				n += p.Revisions
			}
		}
	}
	return n
}

// Group finds a group by its id, nil if it is unknown.
func (s *Survey) Group(id string) *Group {
	if s.byID != nil {
		return s.byID[id]
	}
	for _, g := range s.Groups {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// Open is how many values count: those that are not dismissed.
func (s *Survey) Open() (n int) {
	for _, g := range s.Groups {
		if !g.Dismissed {
			n++
		}
	}
	return n
}

// Count is how many places count: of values that are not dismissed.
func (s *Survey) Count() (live, past int) {
	for _, g := range s.Groups {
		if !g.Dismissed {
			live += g.Live
			past += len(g.Places) - g.Live
		}
	}
	return live, past
}

// History is how many places that count the journal holds, with those that files have too.
func (s *Survey) History() (n int) {
	for _, g := range s.Groups {
		if !g.Dismissed {
			n += g.History()
		}
	}
	return n
}

// ByPath counts the places in each file that is there now, by agent path: the marks of the tree.
func (s *Survey) ByPath() map[string]int {
	counts := map[string]int{}
	for _, g := range s.Groups {
		if g.Dismissed {
			continue
		}
		for i := range g.Places {
			if !g.Places[i].Past {
				counts[g.Places[i].Path]++
			}
		}
	}
	return counts
}
