package edits

import "strings"

// parser reads a shell command into simple steps.
type parser struct {
	text  string
	at    int
	steps []step
	docs  []*heard // here-documents whose text follows the line
}

// heard is a here-document to come: where its text goes, and the line that ends it.
type heard struct {
	step int
	end  string
	tabs bool // they are taken off the front of its lines
}

// mostSteps bounds how many steps of a command are read.
const mostSteps = 64

// parse reads a command; false: it has what is not simple, such as variables, patterns, loops and conditions.
func parse(text string) ([]step, bool) {
	p := parser{text: text}
	for p.at < len(text) {
		if len(p.steps) > mostSteps || !p.step() {
			return nil, false
		}
	}
	return p.steps, len(p.docs) == 0
}

// step reads a step, up to what separates it from the next.
func (p *parser) step() bool {
	var st step
	if n := len(p.steps); n > 0 {
		st.piped, st.orElse = p.steps[n-1].pipes, p.steps[n-1].elses
	}
	mine := len(p.docs)
	for {
		p.blanks()
		if p.at == len(p.text) {
			break
		}
		switch c := p.text[p.at]; {
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case c == '\n' || c == ';':
			p.at++
			ok := p.ended(st, mine)
			if c == '\n' && ok {
				ok = p.heardNow()
			}
			return ok
		case strings.HasPrefix(p.text[p.at:], "&&"):
			p.at += 2
			return len(st.words) > 0 && p.ended(st, mine)
		case strings.HasPrefix(p.text[p.at:], "||"):
			p.at += 2
			st.elses = true
			return len(st.words) > 0 && p.ended(st, mine)
		case c == '|':
			p.at++
			st.pipes = true
			return len(st.words) > 0 && p.ended(st, mine)
		case c == '<' || c == '>' || c >= '0' && c <= '9' && p.redirects():
			if !p.redirection(&st) {
				return false
			}
		case strings.IndexByte("&(){}", c) >= 0:
			return false
		default:
			word, ok := p.word()
			if !ok {
				return false
			}
			st.words = append(st.words, word)
		}
	}
	return p.ended(st, mine) && p.heardNow()
}

// ended takes a step that is whole. Here-documents from mine on are its own.
func (p *parser) ended(st step, mine int) bool {
	for _, d := range p.docs[mine:] {
		d.step = len(p.steps)
	}
	if len(st.words) == 0 {
		return st.out == "" && !st.heard
	}
	p.steps = append(p.steps, st)
	return true
}

// heardNow reads the here-documents of the line that has ended.
func (p *parser) heardNow() bool {
	for _, d := range p.docs {
		var b strings.Builder
		closed := false
		for p.at < len(p.text) && !closed {
			line, rest, _ := strings.Cut(p.text[p.at:], "\n")
			p.at = len(p.text) - len(rest)
			if d.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if closed = strings.TrimSuffix(line, "\r") == d.end; !closed {
				b.WriteString(line + "\n")
			}
		}
		if !closed || d.step >= len(p.steps) {
			return false
		}
		p.steps[d.step].in = b.String()
	}
	p.docs = nil
	return true
}

func (p *parser) blanks() {
	for p.at < len(p.text) {
		switch {
		case p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\r':
			p.at++
		case strings.HasPrefix(p.text[p.at:], "\\\n"):
			p.at += 2
		default:
			return
		}
	}
}

// redirects reports whether the number here says which stream is redirected.
func (p *parser) redirects() bool {
	return p.at+1 < len(p.text) && p.text[p.at+1] == '>' && (p.text[p.at] == '1' || p.text[p.at] == '2')
}

// redirection takes > FILE, >> FILE, << END, and 2> /dev/null.
func (p *parser) redirection(st *step) bool {
	errors := p.text[p.at] == '2'
	if c := p.text[p.at]; c == '1' || c == '2' {
		p.at++
	}
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "<<<"):
		return false
	case strings.HasPrefix(rest, "<<"):
		p.at += 2
		d := &heard{}
		if p.at < len(p.text) && p.text[p.at] == '-' {
			d.tabs = true
			p.at++
		}
		p.blanks()
		quoted := p.at < len(p.text) && strings.IndexByte(`'"\`, p.text[p.at]) >= 0
		word, ok := p.word()
		if !ok || word == "" || st.heard {
			return false
		}
		d.end, st.heard = word, true
		p.docs = append(p.docs, d)
		return quoted || p.plain(word)
	case strings.HasPrefix(rest, "<"):
		return false
	}
	adds := strings.HasPrefix(rest, ">>")
	p.at++
	if adds {
		p.at++
	}
	if strings.HasPrefix(p.text[p.at:], "&1") || strings.HasPrefix(p.text[p.at:], "&2") {
		p.at += 2
		return errors
	}
	p.blanks()
	file, ok := p.word()
	if !ok || file == "" {
		return false
	}
	if errors {
		return file == "/dev/null"
	}
	if st.out != "" {
		return false
	}
	st.out, st.adds = file, adds
	return true
}

// plain reports a here-document, up to its last line, in which the shell puts nothing in place of anything.
func (p *parser) plain(end string) bool {
	text, _, _ := strings.Cut(p.text[p.at:], "\n"+end+"\n")
	return !strings.ContainsAny(text, "$`\\")
}

// word reads a word with its quotes; false: the shell would put something in its place.
func (p *parser) word() (string, bool) {
	var b strings.Builder
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case strings.IndexByte(" \t\r\n;|&<>()", c) >= 0:
			return b.String(), true
		case c == '\'':
			end := strings.IndexByte(p.text[p.at+1:], '\'')
			if end < 0 {
				return "", false
			}
			b.WriteString(p.text[p.at+1 : p.at+1+end])
			p.at += end + 2
		case c == '"':
			if !p.quoted(&b) {
				return "", false
			}
		case c == '\\' && p.at+1 < len(p.text):
			b.WriteByte(p.text[p.at+1])
			p.at += 2
		case strings.IndexByte("$`*?[{}", c) >= 0:
			if rest, ok := strings.CutPrefix(p.text[p.at:], "$HOME/"); ok && b.Len() == 0 {
				b.WriteString("~/")
				p.at = len(p.text) - len(rest)
				continue
			}
			return "", false
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	return b.String(), true
}

// quoted reads what is between double quotes.
func (p *parser) quoted(b *strings.Builder) bool {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return true
		case c == '$':
			rest, ok := strings.CutPrefix(p.text[p.at:], "$HOME/")
			if !ok || b.Len() > 0 {
				if p.at+1 < len(p.text) && strings.IndexByte(" .,;:!?)\"\n", p.text[p.at+1]) >= 0 {
					b.WriteByte(c) // it names no variable
					continue
				}
				return false
			}
			b.WriteString("~/")
			p.at = len(p.text) - len(rest) - 1
		case c == '`':
			return false
		case c == '\\' && p.at+1 < len(p.text):
			p.at++
			switch next := p.text[p.at]; next {
			case '"', '\\', '$', '`':
				b.WriteByte(next)
			case '\n':
			default:
				b.WriteString(`\` + string(next))
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}
