package notesgen

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Store writes n notes.
func Store(seed uint64, n int) []Note {
	w := &writer{r: rand.New(rand.NewPCG(seed^0x9e3779b97f4a7c15, 0x6e6f746573))}
	notes := make([]Note, 0, n)
	for i := range n {
		notes = append(notes, w.note(i))
	}
	return notes
}

// writer makes one store. Values planted earlier come again later.
type writer struct {
	r     *rand.Rand
	known []value // secrets planted so far
}

// says chooses a wording of a language.
func (w *writer) says(list []string) string { return pick(w.r, list) }

func in(m map[string][]string, lang string) []string {
	if list := m[lang]; list != nil {
		return list
	}
	return m["en"]
}

// page is a note being written; escape is how a value is written in its format.
type page struct {
	w      *writer
	lang   string
	note   Note
	escape func(string) string
}

func (p *page) text(s string) { p.note.Text = append(p.note.Text, s...) }

// plant writes a value as its format has it.
func (p *page) plant(v value) {
	s := v.text
	if p.escape != nil {
		s = p.escape(s)
	}
	start := len(p.note.Text)
	p.text(s)
	if v.name != "" {
		p.note.Decoys = append(p.note.Decoys, Decoy{start, len(p.note.Text), v.name})
		return
	}
	p.note.Truths = append(p.note.Truths, truth{start, len(p.note.Text), v.class, v.kind, p.lang})
	if v.kind == Secret && len(v.text) >= 8 && !strings.Contains(v.text, "\n") {
		p.w.known = append(p.w.known, v)
	}
}

// say writes a wording with the value in it.
func (p *page) say(wording string, v value) {
	before, after, found := strings.Cut(wording, "{v}")
	r := p.w.r
	fill := strings.NewReplacer("{s}", pick(r, services), "{u}", pick(r, people), "{h}", host(r), "{e}", v.env).Replace
	p.raw(fill(before))
	if found {
		p.plant(v)
		p.raw(fill(after))
	}
}

// raw writes text that is not a value.
func (p *page) raw(s string) {
	if p.escape != nil {
		s = p.escape(s)
	}
	p.text(s)
}

// fact writes one sentence of any kind.
func (p *page) fact() {
	r := p.w.r
	switch n := r.IntN(100); {
	case n < 14:
		p.raw(pick(r, in(plain, p.lang)))
	case n < 34:
		p.lookAlike()
	case n < 40:
		p.plant(value{name: "sentence", text: p.w.says(in(sentences, p.lang))})
	case n < 68:
		p.secretFact()
	case n < 92:
		p.personalFact()
	default:
		p.echo()
	}
}

func (p *page) lookAlike() {
	label, v := pick(p.w.r, decoys)(p.w.r)
	p.raw(label + pick(p.w.r, []string{": ", " "}))
	p.plant(v)
}

func (p *page) secretFact() {
	r := p.w.r
	switch n := r.IntN(100); {
	case n < 34:
		p.say(p.w.says(in(passwordSays, p.lang)), password(r))
	case n < 70:
		p.say(p.w.says(in(tokenSays, p.lang)), pick(r, tokens)(r))
	case n < 82:
		p.say(p.w.says(in(opaqueSays, p.lang)), pick(r, opaque)(r))
	case n < 91:
		before, v, after := connection(r)
		p.raw(before)
		p.plant(v)
		p.raw(after)
	default:
		v := password(r)
		v.class = "password-cli"
		v.text = strings.NewReplacer("'", "", "\"", "", "$", "", "&", "", "!", "", "#", "", "*", "", "?", "", "~", "").Replace(v.text)
		p.say(p.w.says(commandSays), v)
	}
}

var personalClasses = slices.Sorted(maps.Keys(personalSays))

func (p *page) personalFact() {
	r := p.w.r
	class := pick(r, personalClasses)
	if r.IntN(3) == 0 {
		class = pick(r, []string{"email", "phone"})
	}
	says := personalSays[class]
	list := says[p.lang]
	if list == nil {
		list = says["en"]
	}
	if list == nil {
		list = says[slices.Sorted(maps.Keys(says))[0]]
	}
	p.say(p.w.says(list), p.w.personal(class, p.lang))
}

func (w *writer) personal(class, lang string) value {
	r := w.r
	switch class {
	case "email":
		return email(r)
	case "phone":
		return phone(r, lang, false)
	case "credit-card":
		return card(r)
	case "iban":
		return iban(r)
	case "us-ssn":
		return ssn(r)
	}
	return publicIP(r)
}

// echo repeats a secret of an earlier line or note.
func (p *page) echo() {
	if len(p.w.known) == 0 {
		p.raw(pick(p.w.r, in(plain, p.lang)))
		return
	}
	v := pick(p.w.r, p.w.known)
	v.kind, v.env = Echo, ""
	p.say(p.w.says(echoSays), v)
}

func (w *writer) note(i int) Note {
	r := w.r
	p := &page{w: w, lang: "en"}
	if r.IntN(2) == 0 {
		p.lang = pick(r, languages)
	}
	format := pick(r, []Format{
		Markdown, Markdown, Markdown, Markdown, Markdown, Markdown, JSON, jsonl, yaml, XML, Dotenv, log, Chat, toml, csv, ini, code, http, kube,
	})
	p.note.Format = format
	ext := map[Format]string{Markdown: "md", JSON: "json", jsonl: "jsonl", yaml: "yaml", XML: "xml", Dotenv: "env", log: "log",
		Chat: "txt", toml: "toml", csv: "csv", ini: "ini", code: "md", http: "txt", kube: "yaml"}[format]
	p.note.Name = fmt.Sprintf("%s/note-%03d.%s", pick(r, []string{"people", "projects", "ops", "daily"}), i, ext)
	formats[format](p)
	return p.note
}
