package ccmemory

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	extension           = ".md"
	transcriptExtension = ".transcript.jsonl"
	orphanFolder        = "orphans/transcripts"
	orphanExtension     = ".jsonl"
	// nameMost and titleMost bound what a key, and a summary, give to a name, in bytes; a file name has at most 255.
	nameMost  = 150
	titleMost = 60
	idShown   = 8
)

// safe is a text as a part of a name: without what a path or a link can't hold, cut to a length.
func safe(s string, most int) string {
	if isSafe(s) && len(s) <= most {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\' || r == '[' || r == ']' || r == '|' || r == '%' || r == ',' || r == '"' || r == utf8.RuneError:
			return '-'
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029':
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for strings.Contains(s, "..") {
		s = strings.ReplaceAll(s, "..", ".")
	}
	if len(s) > most {
		s = s[:most]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	s = strings.TrimRight(s, ". ") // the extension follows
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "-") {
		s = "_" + s[1:]
	}
	if s == "" {
		return "_"
	}
	return s
}

// isSafe reports whether a text is certain to stay as it is: letters, digits and single blanks between them, as most texts.
func isSafe(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
		case (c == ' ' || c == '-' || c == '_') && i > 0 && i < len(s)-1 && s[i-1] != ' ':
		default:
			return false
		}
	}
	return s != ""
}

// tail is the end of an ID, which differs where its beginning, a time, doesn't.
func tail(id string) string {
	if end := id[max(0, len(id)-idShown):]; isAlphanumeric(end) {
		return end
	}
	s := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, id)
	return s[max(0, len(s)-idShown):]
}

func isAlphanumeric(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// fits reports whether a segment of a name stands for a value: the value itself made safe, perhaps with the end of an ID.
func fits(value, segment string) bool {
	made := safe(value, nameMost)
	return segment == made || strings.HasPrefix(segment, made+" ")
}

// namer gives the records of a memory their names. A record keeps its name whatever the others are, unless two would have the same.
type namer struct{ taken map[string]*row }

// take returns the first name that is free: as wanted, then with ever more of the ID.
func (n *namer) take(r *row, folder, wanted, ext string) string {
	name := folder + "/" + wanted + ext
	if n.taken[name] != nil {
		name = folder + "/" + wanted + " " + tail(r.id()) + ext
	}
	for whole := ""; n.taken[name] != nil; whole += "_" {
		name = folder + "/" + safe(wanted, nameMost/2) + " " + safe(r.id(), nameMost) + whole + ext
	}
	n.taken[name] = r
	return name
}

// plain reports whether a record's name says everything that it could: then the name is the record's in any case.
func (r row) plain() bool {
	for _, c := range r.table.columns {
		if c.at == named && safe(r.text(c.name), nameMost) != r.text(c.name) {
			return false
		}
	}
	return true
}

// newName is the name of a record where no other is.
func newName(r *row) string { return (&namer{taken: map[string]*row{}}).nameOf(r) }

// nameOf gives a record its name.
func (n *namer) nameOf(r *row) string {
	t := r.table
	switch t {
	case episodeTable:
		folder, base := episodePlace(r)
		return n.take(r, folder, base, extension)
	case patternTable:
		return n.take(r, t.folder, safe(firstLine(r.text("pattern")), titleMost)+" "+tail(r.id()), extension)
	case insightTable:
		return n.take(r, t.folder, safe(firstLine(r.text("insight")), titleMost)+" "+tail(r.id()), extension)
	}
	folder, base := t.folder, ""
	for _, c := range t.columns {
		if c.at != named {
			continue
		}
		if base != "" {
			folder += "/" + base
		}
		base = safe(r.text(c.name), nameMost)
		if base != r.text(c.name) && c.name != "type" && c.name != "namespace" {
			base += " " + tail(r.id())
		}
	}
	return n.take(r, folder, base, extension)
}

// episodePlace is the folder and the wanted name of an episode.
func episodePlace(r *row) (folder, wanted string) {
	date := r.time("timestamp").date().AppendFormat(make([]byte, 0, len(time.DateOnly)), time.DateOnly)
	month := string(date[:len("2006-01")])
	return episodeTable.folder + "/" + month, string(date) + " " + safe(r.text("type"), titleMost) + " " +
		safe(firstLine(r.text("summary")), titleMost) + " " + tail(r.id())
}

// date is the time that dates in names are of.
func (m Millis) date() time.Time {
	t := time.UnixMilli(int64(m)).UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return time.UnixMilli(0).UTC()
	}
	return t
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}

// place finds the table and the named parts of the name of a file. ok is false for files of no table.
func placeOf(name string) (t *table, segments []string, ok bool) {
	base, ok := strings.CutSuffix(name, extension)
	if !ok {
		return nil, nil, false
	}
	for _, t := range tables {
		if t.folder == "" {
			continue
		}
		rest, ok := strings.CutPrefix(base, t.folder+"/")
		if !ok {
			continue
		}
		segments := strings.Split(rest, "/")
		return t, segments, len(segments) == t.depth()
	}
	return nil, nil, false
}

// depth is how many parts the names of a table have.
func (t *table) depth() (n int) {
	for _, c := range t.columns {
		if c.at == named {
			n++
		}
	}
	switch {
	case t == episodeTable:
		return 2 // the month
	case n == 0:
		return 1
	}
	return n
}
