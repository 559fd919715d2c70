package index

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Note holds what an index lists of a note.
type Note struct {
	Path  string // agent path
	Title string // empty: made of the name of the file
	Hook  string // one line about it; empty: none
	Type  string // as "feedback": where the index has a heading for it, the entry goes there
}

// lineChars is how many characters a new entry has at most, and what Claude Code asks for: an entry of one line under about 150.
const lineChars = 150

// Add is the edit that lists notes in the index at an agent path, each as the other entries of its list are written, where notes of its
// kind are listed. An index without entries gets a list at its end.
func (x *Index) Add(at string, notes ...Note) []Edit {
	var out []Edit
	var plain []Note
	for _, n := range notes {
		if e := x.neighbor(at, n); e != nil {
			out = append(out, x.addTo(at, n, e)...)
			continue
		}
		plain = append(plain, n)
	}
	if len(plain) == 0 {
		return out
	}
	eol := x.lineEnd()
	var b strings.Builder
	for i, n := range plain {
		if i > 0 {
			b.WriteString(eol)
		}
		b.WriteString("- " + markdownLink(at, n, titleOf(n)))
		if room := lineChars - 2 - len(titleOf(n)) - len(n.Path); n.Hook != "" && room > 20 {
			b.WriteString(" — " + shorten(OneLine(n.Hook), room))
		}
	}
	end := len(x.data)
	body := bytes.TrimPrefix(x.data, bom)
	switch {
	case len(body) == 0:
		return append(out, Edit{Span{end, end}, b.String() + eol})
	case body[len(body)-1] != '\n':
		return append(out, Edit{Span{end, end}, eol + eol + b.String()})
	}
	blank := len(bytes.TrimSpace(x.data[x.last.End:])) == 0 && x.last.End < end
	bullet, _ := bulletOf(bytes.TrimLeft(x.data[x.last.Start:x.last.End], " \t"))
	if blank || bullet > 0 {
		return append(out, Edit{Span{end, end}, b.String() + eol})
	}
	return append(out, Edit{Span{end, end}, eol + b.String() + eol})
}

// neighbor is the entry behind which a note belongs; nil: there is none.
func (x *Index) neighbor(at string, n Note) *Entry {
	var best *Entry
	most := -1
	sections := map[int]int{} // entries of the same kind by section
	for i := range x.Entries {
		if x.kindred(at, &x.Entries[i], n) {
			sections[x.Entries[i].Section]++
		}
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		if e.More > 0 && !e.Row || e.Form == Path && !x.plainPath(e) {
			continue
		}
		score := 0
		if !e.Leads && !e.Row {
			score -= 4
		}
		if n.Type != "" && e.Section > 0 && strings.Contains(Fold(x.String(x.headings[e.Section-1])), Fold(n.Type)) {
			score += 8
		}
		if sections[e.Section] > 0 {
			score += 2
		}
		if sections[e.Section] > 0 && x.kindred(at, e, n) {
			score += 4
		}
		if score >= most {
			best, most = e, score
		}
	}
	return best
}

// plainPath reports whether the path of an entry is a name in full.
func (x *Index) plainPath(e *Entry) bool { return isPath(x.String(e.Target)) }

// kindred reports whether the note of an entry is in the folder of another one, and their names begin with the same word, as those of
// feedback_a.md and feedback_b.md do.
func (x *Index) kindred(at string, e *Entry, n Note) bool {
	to, _ := (&Names{}).Resolve(at, e.Form, x.String(e.Target))
	if to == "" {
		return false
	}
	word, _, several := strings.Cut(Fold(Stem(n.Path)), "-")
	other, _, _ := strings.Cut(Fold(Stem(to)), "-")
	return path.Dir(to) == path.Dir(n.Path) && (several && word == other || path.Dir(n.Path) != path.Dir(at))
}

// addTo lists a note near an entry.
func (x *Index) addTo(at string, n Note, near *Entry) []Edit {
	model, after := near, true
	if list := x.sorted(near); list != nil {
		key := sortKey(n.Path)
		falling := sortKey(x.String(list[0].Target)) > sortKey(x.String(list[len(list)-1].Target))
		model, after = list[0], false
		for _, e := range list {
			c := cmp.Compare(sortKey(x.String(e.Target)), key)
			if !falling && c <= 0 || falling && c >= 0 {
				model, after = e, true
			}
		}
	}
	line := x.like(at, n, model, after)
	eol := x.lineEnd()
	if !after {
		return []Edit{{Span{model.Item.Start, model.Item.Start}, line + eol}}
	}
	end := model.Item.End
	for i := range x.Entries { // nested entries go with it
		if e := &x.Entries[i]; e.list == model.list && e.Item.Start >= end && e.indent > model.indent && e.Item.Start == end {
			end = e.Item.End
		}
	}
	start := end
	for start > model.Item.Start && x.blankBefore(start) {
		start = start - 1
		for start > 0 && x.data[start-1] != '\n' {
			start--
		}
	}
	if start > model.Item.Start {
		end = start
	}
	if end > 0 && x.data[end-1] != '\n' {
		return []Edit{{Span{end, end}, eol + line}}
	}
	loose := ""
	if i := slices.IndexFunc(x.Entries, func(e Entry) bool { return e.Item.Start == model.Item.Start }); i > 0 && !model.Row &&
		x.Entries[i-1].list == model.list && x.blankBefore(model.Item.Start) {
		loose = eol // blank lines separate the items
	}
	return []Edit{{Span{end, end}, loose + line + eol}}
}

// sortKey orders entries by the names of their files.
func sortKey(name string) string { return Fold(Stem(name)) }

// sorted are the entries of the list that an entry is in, if they are in the order of their names, rising or falling; else nil.
func (x *Index) sorted(near *Entry) []*Entry {
	var list []*Entry
	for i := range x.Entries {
		if e := &x.Entries[i]; e.list == near.list && e.indent == near.indent && e.Section == near.Section {
			list = append(list, e)
		}
	}
	if len(list) < 3 {
		return nil
	}
	rising, falling := true, true
	for i, e := range list[1:] {
		c := cmp.Compare(sortKey(x.String(list[i].Target)), sortKey(x.String(e.Target)))
		rising, falling = rising && c <= 0, falling && c >= 0
	}
	if rising == falling { // neither, or all are the same
		return nil
	}
	return list
}

// lineEnd is the line end of the text.
func (x *Index) lineEnd() string {
	if i := bytes.IndexByte(x.data, '\n'); i > 0 && x.data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// like writes the entry of a note as another one is written, without a line end.
func (x *Index) like(at string, n Note, model *Entry, after bool) string {
	link := x.linkLike(at, n, model.Link)
	if model.Row {
		return x.rowLike(link, n, model)
	}
	lead, tail := x.lead(model, after), ""
	if model.Leads {
		tail = x.closing(model)
		lead += x.emphasis(model)
	}
	line := lead + link + tail
	separator := x.separator(model)
	if room := lineChars - len([]rune(line)) - len([]rune(separator)); separator != "" && n.Hook != "" && room > 20 {
		line += separator + shorten(OneLine(n.Hook), room)
	}
	return line
}

// lead returns the beginning of an entry: blanks, bullet or number, and an empty checkbox.
func (x *Index) lead(e *Entry, after bool) string {
	line := x.data[e.Item.Start:e.Item.End]
	line = line[:len(bytes.TrimRight(line[:lineLength(line)], "\r\n"))]
	indent, _ := indentOf(line)
	bullet, numbered := bulletOf(line[indent:])
	lead := string(line[:indent+bullet])
	if numbered && after {
		mark := strings.TrimRight(string(line[indent:indent+bullet]), " \t")
		if number, err := strconv.Atoi(mark[:len(mark)-1]); err == nil {
			lead = string(line[:indent]) + strconv.Itoa(number+1) + string(line[indent+len(mark)-1:indent+bullet])
		}
	}
	if rest := line[indent+bullet:]; len(rest) > 3 && rest[0] == '[' && rest[2] == ']' && rest[3] == ' ' {
		lead += "[ ] "
	}
	return lead
}

// emphasis is the mark that opens before the link of an entry that leads.
func (x *Index) emphasis(e *Entry) string {
	n := 0
	for e.All.Start-n > e.Item.Start && bytes.IndexByte([]byte("*_~"), x.data[e.All.Start-n-1]) >= 0 {
		n++
	}
	return string(x.data[e.All.Start-n : e.All.Start])
}

// closing is the mark that closes the emphasis behind the link, with a colon inside it.
func (x *Index) closing(e *Entry) string {
	open := x.emphasis(e)
	rest := string(x.data[e.All.End:e.Item.End])
	switch {
	case open == "":
		return ""
	case strings.HasPrefix(rest, ":"+open):
		return ":" + open
	}
	return open
}

// separator is the text between link and hook of an entry, or of another one in its list; "" if none has a hook.
func (x *Index) separator(model *Entry) string {
	for _, same := range []bool{true, false} {
		for i := range x.Entries {
			e := &x.Entries[i]
			near := e.list == model.list || e.Section == model.Section
			if same != (e.Item == model.Item) || !near || e.Hook.Empty() || e.Row || e.Form != model.Form {
				continue
			}
			if s := strings.TrimPrefix(x.String(Span{e.All.End, e.Hook.Start}), x.closing(e)); !strings.Contains(s, "\n") {
				return s
			}
		}
	}
	if len(x.Entries) > 1 {
		return ""
	}
	return " — "
}

// rowLike writes a row of a table with the link in the same column, and the hook in the next one.
func (x *Index) rowLike(link string, n Note, model *Entry) string {
	line := strings.TrimRight(x.String(model.Item), "\r\n")
	indent, _ := indentOf([]byte(line))
	cells, at := splitRow(line[indent:]), -1
	offset := model.Item.Start + indent
	for i, c := range cells {
		if offset+c.Start <= model.All.Start && model.All.End <= offset+c.End {
			at = i
		}
	}
	hook := at + 1
	if at == len(cells)-1 {
		hook = at - 1
	}
	var b strings.Builder
	b.WriteString(line[:indent] + "|")
	for i := range cells {
		switch i {
		case at:
			b.WriteString(" " + x.emphasis(model) + strings.ReplaceAll(link, "|", "\\|") + x.emphasis(model) + " |")
		case hook:
			b.WriteString(" " + strings.ReplaceAll(shorten(OneLine(n.Hook), lineChars), "|", "\\|") + " |")
		default:
			b.WriteString("  |")
		}
	}
	return b.String()
}

// splitRow is the cells of a row that begins with |.
func splitRow(line string) []Span {
	var cells []Span
	start := 1
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, Span{start, i})
			start = i + 1
		}
	}
	if strings.TrimSpace(line[min(start, len(line)):]) != "" {
		cells = append(cells, Span{start, len(line)})
	}
	return cells
}

// linkLike writes a link to a note as another link is written.
func (x *Index) linkLike(at string, n Note, model Link) string {
	old := x.String(model.Target)
	was, _ := (&Names{}).Resolve(at, model.Form, old)
	name := titleOf(n)
	if text := x.String(model.Text); was != "" {
		switch text {
		case path.Base(was):
			name = path.Base(n.Path)
		case Stem(was):
			name = Stem(n.Path)
		}
	}
	switch model.Form {
	case Wiki:
		target := WikiName(old, at, was, n.Path)
		if !strings.Contains(old, "/") && path.Dir(n.Path) != path.Dir(at) && path.Dir(was) == path.Dir(at) {
			target = strings.TrimSuffix(Relative(path.Dir(at), n.Path), ".md")
		}
		target = strings.NewReplacer("[", "", "]", "", "|", "").Replace(OneLine(target))
		if model.Text != model.Target && model.Text.Start > model.Target.End {
			return "[[" + target + "|" + strings.NewReplacer("[", "", "]", "", "|", "").Replace(OneLine(name)) + "]]"
		}
		return "[[" + target + "]]"
	case Path:
		ticks := x.String(Span{model.All.Start, model.Text.Start})
		target := Relative(path.Dir(at), n.Path)
		if old[0] == '/' {
			target = n.Path
		}
		return ticks + OneLine(target) + ticks
	}
	return x.markdownLike(at, n, model, name)
}

func (x *Index) markdownLike(at string, n Note, model Link, name string) string {
	target := x.address(model, at, n.Path)
	if x.data[model.Target.Start-1] == '<' {
		target = "<" + strings.NewReplacer("<", "", ">", "").Replace(target) + ">"
	}
	text := title(name)
	if code := strings.Trim(x.String(model.Text), "`"); code != x.String(model.Text) { // [`a.md`](a.md)
		was, _ := (&Names{}).Resolve(at, model.Form, x.String(model.Target))
		text = "`" + path.Base(n.Path) + "`"
		if was != "" && code == Stem(was) {
			text = "`" + Stem(n.Path) + "`"
		}
	}
	return "[" + text + "](" + OneLine(target) + ")"
}

// markdownLink is the link to a note in an index without a model.
func markdownLink(at string, n Note, name string) string {
	return "[" + title(name) + "](" + OneLine(escape(Relative(path.Dir(at), n.Path))) + ")"
}

// titleOf is the title of a note, or its name in words.
func titleOf(n Note) string {
	if t := OneLine(n.Title); t != "" {
		return shorten(t, lineChars/2)
	}
	if t := OneLine(words(Stem(n.Path))); t != "" {
		return t
	}
	return path.Base(n.Path)
}
