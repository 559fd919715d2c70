package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"memcurator/render/text"
)

// The files of the pattern for work over several sessions: a list of features, of which each is
// only called done after it was tried from end to end, and a log of progress that every session
// brings up to date before it ends (the documentation of the memory tool).

// Bounds on what is read of such a file.
const (
	maxWorkBytes = 1 << 20
	maxItems     = 10_000
	maxMentions  = 4_096
)

// unproven reports work that is called done without saying how it was tested.
const unproven Rule = "unproven-done"

var unprovenWork = check{
	rules: []Rule{unproven},
	content: func(in *inspection) fact {
		if r := in.work(); r != nil {
			return r
		}
		return nil
	},
	store: func(_ context.Context, w *checking) error { w.unproven(); return nil },
}

// record is what a content says of work done.
type record struct {
	list  bool   // a list of features in JSON
	items []item // those that are called done and say nothing themselves of how they were tried
	done  int    // all that are called done
	// mentions are names of work items, true where the text next to one says how it was tested.
	mentions map[string]bool
}

func (r *record) weight() int64 { return int64(len(r.mentions)) * 48 }

func (r *record) places(visit func(*Place)) {
	for i := range r.items {
		if p := &r.items[i].place; p.End > 0 {
			visit(p)
		}
	}
}

// item is one piece of work that is called done.
type item struct {
	place Place
	name  string // F-012; "" where it has none
	text  string
}

var (
	// workName is a name such as F-012, BUG-7 or FB12.
	workName = regexp.MustCompile(`\b[A-Z]{1,8}-?[0-9]{1,6}\b`)
	// workRange is a range of such names.
	workRange = regexp.MustCompile(`\b([A-Z]{1,8}-?)([0-9]{1,6})(?: ?(?:-|–|—|\.\.\.?|~|〜|to|bis|through) ?)(?:[A-Z]{1,8}-?)?([0-9]{1,6})\b`)
	// doneLine is a line that calls something done.
	doneLine = regexp.MustCompile(`(?i)^\s*(?:[-*+] \[x\]|(?:[-*+] )?(?:✅|✔|☑)|(?:[-*+] )?(?:\*\*)?` +
		`(?:done|completed?|finished|erledigt|fertig|完了|済|完成|완료)(?:\*\*)?\s*[:：])\s*(.*)`)
	// evidence are words that say how something was tried, or where that can be looked up.
	evidence = regexp.MustCompile(`(?i)\b(verif\w*|tested|tests?|tried|checked|confirmed|proof|evidence|screenshot\w*|measured|` +
		`clicked|e2e|end[- ]to[- ]end|pass(?:es|ed|ing)?|green|ci|commit\w*|reviewed|scanned|ran|runs?|benchmark\w*|compared|matches|` +
		`geprüft|getestet|vérifi\w*|testé\w*|probad\w*|verificad\w*)\b|\b[0-9a-f]{7,40}\b|https?://|\d+ (?:of|/) ?\d+|確認|検証|テスト|验证|驗證|` +
		`测试|測試|확인|검증|테스트`)
)

// work collects the work that a text calls done; nil for none.
func (in *inspection) work() *record {
	data := in.data
	if in.content.Cut || len(data) > maxWorkBytes {
		return nil
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n\ufeff"); len(trimmed) > 0 && (trimmed[0] == '[' || trimmed[0] == '{') &&
		bytes.Contains(data, []byte(`"`)) && json.Valid(trimmed) {
		return in.featureList(trimmed)
	}
	return in.progress()
}

// featureList reads a list of features in JSON: objects with passes, done or status.
func (in *inspection) featureList(data []byte) *record {
	var top any
	if json.Unmarshal(data, &top) != nil {
		return nil
	}
	r := &record{list: true}
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > 6 || r.done >= maxItems {
			return
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case map[string]any:
			if called, ok := calledDone(v); ok {
				if called {
					r.feature(v)
				}
				return
			}
			for _, key := range sortedKeys(v) {
				visit(v[key], depth+1)
			}
		}
	}
	visit(top, 0)
	if r.done == 0 {
		return nil
	}
	at := 0
	for i := range r.items { // the places: each item is named in the order of the file, nearly always
		it := &r.items[i]
		n := bytes.Index(in.data[at:], []byte(`"`+it.name+`"`))
		if it.name == "" || n < 0 {
			continue
		}
		at += n + 1
		it.place = Place{Start: int64(at), End: int64(at + len(it.name))}
	}
	return r
}

// calledDone reports whether an object is a piece of work (ok), and whether it is called done.
func calledDone(v map[string]any) (done, ok bool) {
	for _, key := range []string{"passes", "passed", "done", "complete", "completed", "verified"} {
		if b, is := v[key].(bool); is {
			return b, true
		}
	}
	if s, is := v["status"].(string); is && (v["description"] != nil || v["title"] != nil || v["id"] != nil || v["name"] != nil) {
		return slices.Contains([]string{"done", "passed", "passing", "complete", "completed", "finished"}, strings.ToLower(s)), true
	}
	return false, false
}

// feature adds a feature that is called done.
func (r *record) feature(v map[string]any) {
	r.done++
	for _, key := range []string{"evidence", "verified", "verified_at", "verification", "verified_by", "tested", "tested_at", "test",
		"tests", "proof", "commit", "notes", "note", "result"} {
		switch e := v[key].(type) {
		case string:
			if strings.TrimSpace(e) != "" {
				return
			}
		case []any:
			if len(e) > 0 {
				return
			}
		case map[string]any:
			if len(e) > 0 {
				return
			}
		}
	}
	it := item{}
	for _, key := range []string{"id", "name", "key", "title"} {
		if s, ok := v[key].(string); ok && s != "" {
			it.name = s
			break
		}
	}
	it.text = it.name
	if s, ok := v["description"].(string); ok && it.text == "" {
		it.text = s
	}
	r.items = append(r.items, it)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// progress reads a text by its blocks: lines between empty ones and headings. What a block says
// of how something was tried counts for all that it names.
func (in *inspection) progress() *record {
	r := &record{}
	var block []item
	var named []string
	began := 0
	end := func(at int) {
		// The words of evidence are expensive to look for: only where there is something to prove.
		proven := len(block)+len(named) > 0 && evidence.Match(in.data[began:at])
		began = at
		for _, n := range named {
			if len(r.mentions) < maxMentions {
				if r.mentions == nil {
					r.mentions = map[string]bool{}
				}
				r.mentions[n] = r.mentions[n] || proven
			}
		}
		if !proven && len(r.items)+len(block) <= maxItems {
			r.items = append(r.items, block...)
		}
		block, named = block[:0], named[:0]
	}
	for at := 0; at < len(in.data); {
		line := in.data[at:]
		next := len(in.data)
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], at+n+1
		}
		if len(line) > 4096 {
			line = line[:4096]
		}
		heading := bytes.HasPrefix(line, []byte("#"))
		if len(bytes.TrimSpace(line)) == 0 || heading {
			end(at)
		}
		if m := doneLine.FindSubmatchIndex(line); m != nil {
			r.done++
			text := string(line[m[2]:m[3]])
			it := item{place: Place{Start: int64(at), End: int64(at + len(line))}, text: strings.ToValidUTF8(text, "?")}
			it.name = workName.FindString(text)
			block = append(block, it)
		}
		named = appendNames(named, line)
		at = next
	}
	end(len(in.data))
	if r.done == 0 && len(r.mentions) == 0 {
		return nil
	}
	return r
}

// appendNames adds the names of pieces of work that a line holds.
func appendNames(named []string, line []byte) []string {
	if len(named) > maxMentions || !mayName(line) {
		return named
	}
	for _, m := range workRange.FindAllSubmatch(line, 16) {
		from, to := number(m[2]), number(m[3])
		for n := from; n <= to && n-from < 500; n++ {
			named = append(named, string(m[1])+padded(n, len(m[2])))
		}
	}
	for _, m := range workName.FindAll(line, 64) {
		named = append(named, string(m))
	}
	return named
}

// mayName reports whether a line may hold a name of a piece of work: a capital, perhaps a hyphen, a digit.
func mayName(line []byte) bool {
	for i := 1; i < len(line); i++ {
		if line[i] < '0' || line[i] > '9' {
			continue
		}
		before := line[i-1]
		if before == '-' && i > 1 {
			before = line[i-2]
		}
		if before >= 'A' && before <= 'Z' {
			return true
		}
	}
	return false
}

func number(digits []byte) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}

func padded(n, width int) string {
	s := ""
	for ; n > 0 || s == ""; n /= 10 {
		s = string(rune('0'+n%10)) + s
	}
	return strings.Repeat("0", max(0, width-len(s))) + s
}

// kept reports whether a file by its name is a list of work or a log of it.
func kept(agentPath string) bool {
	base := strings.ToLower(path.Base(agentPath))
	for _, word := range []string{"feature", "checklist", "progress", "todo", "tasks", "status", "進捗", "进度", "진행"} {
		if strings.Contains(base, word) {
			return true
		}
	}
	return false
}

// unproven reports work that is called done without a word, in the list or in any other file,
// of how it was tried.
func (w *checking) unproven() {
	proofs := w.proofs()
	for _, s := range w.seen {
		r := factOf[*record](s.content)
		if r == nil || s.file.Hidden || !r.list && !kept(s.file.Path) {
			continue
		}
		var f *Finding
		first := ""
		for _, it := range r.items {
			if proofs[it.name].elsewhere(s.file.Path) {
				continue
			}
			if f == nil {
				f = &Finding{Path: s.file.Path, Rule: unproven, Severity: info, Place: it.place, Content: s.file.Digest}
				first = it.text
			}
			if f.Count++; len(f.Places) < maxPlaces && it.place != (Place{}) {
				f.Places = append(f.Places, it.place)
			}
		}
		if f == nil {
			continue
		}
		f.Reason = fmt.Sprintf("%d of %s done without evidence, first %s", f.Count, text.Count(r.done, "item"), quote(first))
		if f.Count == 1 {
			f.Reason = "done without evidence: " + quote(first)
		}
		w.add(*f)
	}
}

// proof is where it is said how a piece of work was tried: one file, and whether there are more.
type proof struct {
	path string
	more bool
}

func (p proof) elsewhere(in string) bool { return p.more || p.path != "" && p.path != in }

// proofs are the pieces of work of which a file says how they were tried.
func (w *checking) proofs() map[string]proof {
	out := map[string]proof{}
	for _, s := range w.seen {
		r := factOf[*record](s.content)
		if r == nil {
			continue
		}
		for name, proven := range r.mentions {
			if p, ok := out[name]; proven && (!ok || p.path != s.file.Path) {
				out[name] = proof{s.file.Path, ok}
			}
		}
	}
	return out
}
