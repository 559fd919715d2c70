package lint

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/index"
	"memcurator/render/text"
)

// reference is a name of another file in a text.
type reference struct {
	place Place
	text  string // a path below /memories, the address of a Markdown link without <>, or the name in a wikilink
	link  bool
	wiki  bool
}

// Dangling reports a reference to a memory file that does not exist.
const Dangling Rule = "dangling"

// references follows the names of other files.
var references = check{
	rules: []Rule{Dangling},
	content: func(in *inspection) fact {
		if list := in.referred(); list != nil {
			return list
		}
		return nil
	},
	store: func(ctx context.Context, w *checking) error { return w.named(ctx) },
}

// referenceList are the names of other files in a text, by place.
type referenceList []reference

func (l referenceList) places(visit func(*Place)) {
	for i := range l {
		visit(&l[i].place)
	}
}

// maxName bounds a name, in bytes: longer ones are not names.
const maxName = 1024

var root = []byte(memstore.Root + "/")

// referred collects the names of other files.
func (in *inspection) referred() (list referenceList) {
	for at := 0; len(list) < maxReferences; {
		i := bytes.Index(in.data[at:], root)
		if i < 0 {
			break
		}
		start := at + i
		end := start + nameEnd(in.data[start:])
		at = end
		if before, _ := utf8.DecodeLastRune(in.data[:start]); start > 0 &&
			(before == '.' || before == '/' || before == '~' || before == '_' || before == '-' || before < 0x80 &&
				(unicode.IsLetter(before) || unicode.IsDigit(before))) {
			continue // a part of another path, as in ~/agent/memories/
		}
		list = in.refer(list, start, end, false)
	}
	if len(in.data) > maxIndex || !bytes.Contains(in.data, []byte("](")) && !bytes.Contains(in.data, []byte("[[")) {
		return list // sorted
	}
	for _, l := range index.Parse(in.data).Links {
		if len(list) >= maxReferences {
			break
		}
		switch l.Form {
		case index.Markdown:
			list = in.refer(list, l.Target.Start, l.Fragment.End, true)
		case index.Wiki:
			place := Place{Start: int64(l.Target.Start), End: int64(l.Target.End)}
			list = append(list, reference{place: place, text: strings.ToValidUTF8(string(in.data[place.Start:place.End]), "\ufffd"), wiki: true})
		}
	}
	sortReferences(list)
	return list
}

func (in *inspection) refer(list referenceList, start, end int, link bool) referenceList {
	text := strings.ToValidUTF8(string(in.data[start:end]), "\ufffd")
	if link {
		if !ownLink(text) {
			return list
		}
	} else if placeholder(text) {
		return list
	}
	return append(list, reference{place: Place{Start: int64(start), End: int64(end)}, text: text, link: link})
}

// nameEnd is where a path in running text ends at the latest.
func nameEnd(data []byte) int {
	for i := len(root); i < len(data); {
		if i > maxName {
			return i
		}
		r, size := utf8.DecodeRune(data[i:])
		if unicode.IsSpace(r) || r < ' ' || strings.ContainsRune("\"'`|,;:()[]!?，。、；：！？（）「」『』【】〈〉《》“”‘’…→←", r) {
			return i
		}
		i += size
	}
	return len(data)
}

// placeholder reports whether a path is a pattern for others, as in /memories/projects/<part>/.
func placeholder(text string) bool {
	return index.Placeholder(text) || strings.Contains(text, "\ufffd")
}

// ownLink reports whether the address of a link may be a file of the store.
func ownLink(text string) bool {
	return index.Local(text) && text[0] != '#' && !placeholder(text)
}

// resolve finds the agent path that a reference in a file names, "" where it is none of the
// store's affair, and whether it is there. there reports whether an agent path exists.
func (r *reference) resolve(from string, there func(string) bool) (to string, is bool) {
	if r.link {
		return r.resolveLink(from, there)
	}
	// Text can follow a path without a space, as where a sentence ends.
	name := strings.TrimRight(r.text, "./-_~=+&#%@^")
	switch {
	case len(name) <= len(memstore.Root):
		return "", false
	case there(name):
		return name, true
	case there(r.text):
		return r.text, true
	}
	for short := name; len(short) > len(memstore.Root)+1; {
		_, size := utf8.DecodeLastRuneInString(short)
		short = short[:len(short)-size]
		if strings.HasSuffix(short, "/") {
			break
		}
		if there(short) {
			return short, true
		}
	}
	return ascii(name), false
}

// ascii cuts off what follows the ending of a name without a space: "a.mdを見る".
func ascii(name string) string {
	base := strings.LastIndexByte(name, '/') + 1
	dot := strings.LastIndexByte(name[base:], '.')
	if dot < 0 {
		return name
	}
	for i := base + dot + 1; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf && i > base+dot+1 {
			return name[:i]
		}
	}
	return name
}

func (r *reference) resolveLink(from string, there func(string) bool) (to string, is bool) {
	text, _, _ := strings.Cut(r.text, "#")
	text, _, _ = strings.Cut(text, "?")
	text = index.Unescape(text)
	if text == "" {
		return "", false
	}
	to = path.Join(path.Dir(from), text)
	if text[0] == '/' {
		to = path.Clean(text)
	}
	if to == memstore.Root || !strings.HasPrefix(to, memstore.Root+"/") {
		return "", false // it leads out of the store, where the agent sees nothing anyway
	}
	if there(to) {
		return to, true
	}
	if top := path.Join(memstore.Root, text); there(top) { // written from the top of the store
		return top, true
	}
	return to, false
}

func sortReferences(list []reference) {
	slices.SortFunc(list, func(a, b reference) int { return cmp.Compare(a.place.Start, b.place.Start) })
}

// maxMoves is how many missing files of one store are looked up in the journal.
const maxMoves = 200

// named follows the names of other files: it reports those that do not exist, and counts the others.
func (w *checking) named(ctx context.Context) error {
	if w.source.There == nil {
		return nil
	}
	known := map[string]bool{}
	there := func(p string) bool {
		is, ok := known[p]
		if !ok {
			is = w.source.There(p)
			known[p] = is
		}
		return is
	}
	w.report.Links = map[string]int{}
	var failed error
	moves := 0
	near := newNearby(w.source.Files, there, func(missing string) (to string) {
		if moves++; w.source.Moved != nil && moves <= maxMoves && failed == nil {
			to, failed = w.source.Moved(ctx, missing)
		}
		return to
	})
	w.nearby, w.meant = near, map[string]bool{}
	for _, s := range w.seen {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.follow(s, there, near)
	}
	return failed
}

// follow reports the names in a file that lead nowhere: those of which it is clear what was meant as one finding, the others as another.
func (w *checking) follow(s seen, there func(string) bool, near *nearby) {
	var slips, lost broken
	named := map[string]bool{}
	for _, r := range factOf[referenceList](s.content) {
		if (r.link || r.wiki) && !markdown(s.file.Path) {
			continue
		}
		to, is := "", false
		if r.wiki {
			to, is = w.names().Resolve(s.file.Path, index.Wiki, r.text)
		} else {
			to, is = r.resolve(s.file.Path, there)
		}
		switch {
		case to == "":
		case is:
			if !named[to] && to != s.file.Path {
				w.report.Links[to]++
			}
		default:
			meant := ""
			if len(slips.places) < maxPlaces {
				if meant = near.meant(to); meant == s.file.Path {
					meant = "" // a note rarely links to itself
				}
			}
			if meant == "" && (r.wiki || r.link && !near.plausible(to)) {
				break
			}
			if meant == "" {
				lost.add(r.place, to, !named[to])
				break
			}
			slips.add(r.place, to, !named[to])
			w.meant[meant] = true
			slips.repairs = append(slips.repairs, r.repair(s.file.Path, to, meant))
			if !named[to] {
				w.report.Links[meant]++ // it is named, with a slip
			}
		}
		named[to] = true
	}
	if slips.count > 0 {
		to := slips.repairs[0].To
		if path.Dir(to) == path.Dir(slips.names[0]) {
			to = path.Base(to)
		}
		w.addBroken(s, &slips, inStore(slips.names[0])+" -> "+inStore(to), "more link")
	}
	if lost.count > 0 {
		w.addBroken(s, &lost, inStore(lost.names[0])+" not found", "more broken link")
	}
}

// broken are places of a file that lead nowhere.
type broken struct {
	count, missing int // places, and the names there
	places         []Place
	names          []string // each once
	repairs        []Repair // one a place, where it is clear what was meant
}

func (b *broken) add(at Place, to string, first bool) {
	if b.count++; len(b.places) < maxPlaces {
		b.places = append(b.places, at)
	}
	if !first {
		return
	}
	if b.missing++; len(b.names) < maxPlaces {
		b.names = append(b.names, to)
	}
}

// addBroken reports such places; more is what further names are called.
func (w *checking) addBroken(s seen, b *broken, reason, more string) {
	if n := b.missing - 1; n > 0 {
		reason += ", " + text.Count(n, more)
	}
	w.add(Finding{
		Path: s.file.Path, Rule: Dangling, Severity: info, Content: s.file.Digest, Reason: reason, Place: b.places[0], Count: b.count,
		Places: b.places, Others: b.names, Repairs: b.repairs,
	})
}

func markdown(agentPath string) bool {
	switch strings.ToLower(path.Ext(agentPath)) {
	case ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// inStore is an agent path as reasons have it: relative to the store.
func inStore(agentPath string) string { return strings.TrimPrefix(agentPath, memstore.Root+"/") }
