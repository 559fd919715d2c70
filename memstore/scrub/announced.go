package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// What may stand between a cue and its value.
const (
	// shut ends the cue: a quote, emphasis, a tag. **Password**, "password", <b>Password</b>
	shut = "(?:[\"'`*_\\])~\ue022\ue027»」』”]|\\\\+[\"\ue022]|</\\w{1,6}>|<(?:b|strong|code|i|em)>){0,4}"
	// note is a remark in brackets: Password (staging), password[prod], パスワード（DB）
	note = `(?:[ \t]*\([^()\n]{0,48}\)|\[[\w-]{1,20}\]|（[^（）\n]{0,48}）)?`
	// link says what the value is for: password for the staging database
	link = `(?:[ \t]+(?:do|da|dos|das|della|dello|van|voor|het|for|of|on|to|in|at|from|used|with|via|de|du|des|del|para|pour|von|` +
		`zum|zur|für|der|die|das|den|dem|vom|im|am|beim|bei|l|la|le|el|un|une|auf|we|you|i)(?:[ \t]+[^\s:=|,;!?]+){1,6}?)?`
	// sep assigns: key: value, key = value, key -> value, | key | value |, <td>key</td><td>value
	sep = `(?:::?=?|=>|=[=>]?|--?>|=+>|→|⇒|\x{e03e}|：|＝|\||>|\.{3,}|[-=]+\x{e03e}|[ \t]-[ \t]|\s*<(?:td|dd)[^>\n]*>)`
	// lead comes between sep and the value: Password: ==> value, <b>Password:</b> value
	lead = `[ \t*_>]*(?:<!\[CDATA\[)?(?:-+>[ \t]*|=+>[ \t]*|</?\w{1,6}>[ \t]*){0,3}`
	// copula is the verb of a sentence that says the value, and fillers what may follow it: the password is now value
	copula = `(?:è|é|is|was|are|were|equals|be|now|becomes|became|ist|lautet|war|wurde|heißt|bleibt|est|sont|devenu|devient|était|es|` +
		`era|son|fue|sido|será|set|changed|reset|updated|stays|stay|remains|reste|queda|sigue|means)`
	fillers = `(?:[ \t]+(?:is|now|still|currently|just|simply|to|as|the|a|be|been|set|changed|updated|reset|probably|temporarily|jetzt|` +
		`nun|auf|maintenant|désormais|ahora|like|toujours|aún|noch|wieder)){0,3}`
	// toward are the words behind which a value stands that something was changed to, and adjective those that follow the noun.
	toward    = `(?:to|auf|en|a|by|with|zu|por|con|mit|avec)`
	adjective = `(?:provisoire|temporaire|temporal|provisional|actuel|actuelle|actual|nouveau|nuevo|nueva|initial|initiale|inicial)`
	// below leads to the next line, over an underline, the marks of a list and the fence of a block.
	below = "(?:[|>][-+]?[ \t]*)?\\r?\\n(?:[ \t>]*\\r?\\n)?(?:[ \t>]*[-=]{3,}[ \t]*\\r?\\n)?[ \t>*-]*" +
		"(?:```[a-z]*\\r?\\n[ \t>]*)?"
	// object is the key of a value whose name has a key too.
	object = `["']?(?:value|v|val|default|object|content)["']?\s*[:=]\s*`
)

// form is a way in which a value hangs on its cue.
type form struct {
	form  judge.Form
	after *ascii.Expression
}

// forms are tried in this order, the surest first.
var forms = []form{
	// {"name": "password", "value": "..."}
	{judge.Assigned, ascii.NewExpression(`^["']?\s*(?:[:,]\s*\{?|,)\s*` + object)},
	// name: DB_PASSWORD, and in the next line value: ...
	{judge.Assigned, ascii.NewExpression(`^["']?\s+` + object)},
	// password: process.env.PW || "..."
	{judge.Assigned, ascii.NewExpression("^" + shut + `[ \t]*[:=][ \t]*[\w.()\[\]"']+[ \t]*(?:\|\||\?\?)[ \t]*`)},
	// Password (staging): ..., password of the server = ...
	{judge.Assigned, ascii.NewExpression("^" + shut + note + link + `[ \t]*` + sep + lead)},
	// ## Password, and the value two lines below
	{judge.Copula, ascii.NewExpression("^" + shut + note + link + `[ \t]*` + sep + `?[ \t*_]*` + below)},
	// the password for the wiki is still ..., the password's ...
	{judge.Copula, ascii.NewExpression("^" + shut + note + link + `(?:['’]s|[ \t]+` + copula + fillers + `):?[ \t]+`)},
	// changed the password of root to ...
	{judge.Beside, ascii.NewExpression("^" + shut + `(?:[ \t]+[^\s:=|;!?.]+){0,6}?[ \t]+` + toward + `[ \t]+`)},
	// password ..., password 7 ..., mot de passe provisoire ...
	{judge.Beside, ascii.NewExpression("^" + shut + `(?:[ \t]+(?:\d|` + adjective + `))?[ \t]+`)},
}

// glued lead from a cue to its value in scripts without spaces: particles and verbs. パスワードは「...」, 密码设成了...
var glued = ascii.NewExpression(`^(?:（[^（）\n]{0,48}）)?[ \t　]*` +
	`[はがをに是为為成用即叫於于在做设設定换換改变變的也就还還只都到写寫填输輸选選の了는은이가을를로에도인니야요새更新変已重置]{0,8}` +
	`[ \t　]*[,、，：:=＝→-]?[ \t　>(（「]*`)

// requests are words by which a line asks for what it names.
var requests = ascii.Phrases{"tell me", "send me", "give me", "what's", "what is", " pls", " please", " again", " bitte", " stp", " svp",
	"教えて", "だっけ", "알려", "뭐야", " 좀", "多少", "发我", "是什么", "dime", "pásame", "mándame", "schick mir", "gib mir", "sag mir",
	"c'est quoi", "donne-moi", "envoie"}

// answer is the way from the end of the line that asks to the value, over the time and the name of who speaks.
var answer = ascii.NewExpression(`^\n(?:[^\n]*\n)??[> \t]*(?:\[?[\d:., -]+\]?[ \t]*)?` +
	`(?:\**[^\s:：*]{1,20}\**(?:[ \t]\([\d:]+\))?[:：]\**[ \t]*)?` +
	`(?:(?i:it['’]?s|it is|that['’]s|sure|ok|yes|yep|here|i think|i guess|it was|this is|das ist|es ist|klar|hier|c['’]est|oui|es|claro|sí|` +
	`creo que|je crois|たぶん|これ|それは|应该是|是|아마)[,:.!]?[ \t]*){0,3}`)

// asked is where the line of a cue ends, if it asks for the value; 0 if not.
func asked(b []byte, c cue) int {
	end := ascii.LineEnd(b, c.to, 80)
	if end >= len(b) || b[end] != '\n' {
		return 0
	}
	line := b[ascii.LineStart(b, c.from, 60):end]
	trimmed := bytes.TrimRight(line, " \t*_\"\r")
	if bytes.HasSuffix(trimmed, []byte("?")) || bytes.HasSuffix(trimmed, []byte("？")) || requests.In(line) {
		return end
	}
	return 0
}

// named says whose password a word with other meanings announces: "user bob pass ...".
var named = ascii.NewExpression(`(?i)\b(?:user|login|account|wi-?fi|admin:)`)

// span is a place where a value may be.
type span struct {
	start, end int
	form       judge.Form
	quoted     bool
}

// maxGap is how far behind its cue a value may begin, in bytes.
const maxGap = 200

// values are the places where the value of a cue may be, the likeliest first.
func (s *scan) values(c cue) []span {
	rest := s.text[c.to:min(len(s.text), c.to+maxGap, s.barrier)]
	if s.text[c.end-1] >= 0x80 || len(rest) > 0 && rest[0] >= 0xe3 && rest[0] < 0xee { // a script without spaces
		if list := s.read(c.kind, c.to+glued.Get().FindIndex(rest)[1], judge.Copula); len(list) > 0 {
			return list
		}
	}
	if b := s.text; c.from > 0 && b[c.from-1] == '-' || b[c.from] == '-' { // a flag
		if len(rest) > 1 && (rest[0] == ' ' || rest[0] == '=') {
			return s.read(c.kind, c.to+1, judge.Assigned)
		}
		return nil
	}
	list := append(s.inAnswer(c), s.byForm(c, rest)...)
	if c.weak && !named.Get().Match(s.text[max(0, c.from-48):c.from]) {
		for i := range list {
			list[i].form = min(list[i].form+1, judge.Near)
		}
	}
	return list
}

// inAnswer reads the lines behind one that asks for the value.
func (s *scan) inAnswer(c cue) []span {
	end := asked(s.text, c)
	if end == 0 {
		return nil
	}
	m := answer.Get().FindIndex(s.text[end:max(end, min(len(s.text), c.to+maxGap, s.barrier))])
	if m == nil {
		return nil
	}
	return s.read(c.kind, end+m[1], judge.Beside)
}

// byForm tries the forms.
func (s *scan) byForm(c cue, rest []byte) (list []span) {
	for _, f := range forms {
		m := f.after.Get().FindIndex(rest)
		if m == nil {
			continue
		}
		form := f.form
		if bytes.IndexByte(rest[:m[1]], '|') >= 0 && form == judge.Assigned {
			form = judge.Beside // the next cell, or a choice of words
		}
		list = append(list, s.read(c.kind, c.to+m[1], form)...)
	}
	return list
}

// read is the value at at; none where there is nothing.
func (s *scan) read(kind judge.Kind, at int, form judge.Form) []span {
	b := s.text
	for at < len(b) && valueOpening[b[at]] {
		at++
	}
	if at >= len(b) {
		return nil
	}
	n, quote := shape.QuoteAt(b, at)
	if n == 0 {
		end := shape.Trimmed(b, at, shape.BareEnd(b, at), kind != judge.Secret)
		if kind == judge.TOTP {
			end = max(end, seedEnd(b, at))
		}
		if end <= at {
			return nil
		}
		return []span{{at, end, form, endsLine(b[end:])}}
	}
	at += n
	end := shape.QuotedEnd(b, at, quote)
	if end <= at {
		return nil
	}
	trimmed := bytes.TrimLeft(b[at:end], " ")
	if len(trimmed) == 0 {
		return nil
	}
	return []span{{end - len(trimmed), at + len(bytes.TrimRight(b[at:end], " ")), form, true}}
}

// valueOpening are emphasis and brackets before a value.
var valueOpening = ascii.NewSet(" ([{*")

// endsLine reports that nothing follows a value in its line.
func endsLine(rest []byte) bool {
	rest = bytes.TrimLeft(rest[:min(len(rest), 8)], " \t\r*`,;")
	return len(rest) == 0 || rest[0] == '\n'
}

// seedEnd is the end of base32 in groups of four.
func seedEnd(b []byte, at int) int {
	end := ascii.Run(b, at, ascii.Alnums)
	for end-at >= 4 && end+4 < len(b) && (b[end] == ' ' || b[end] == '-') && ascii.Run(b, end+1, ascii.Named["anyb32"]) == end+5 {
		end += 5
	}
	return end
}

// follow takes the value of a cue.
func (s *scan) follow(c cue) {
	for _, p := range s.values(c) {
		s.take(c.kind, p)
	}
}

// take reports a span as a value, if it may be one.
func (s *scan) take(kind judge.Kind, p span) bool {
	if p.end <= p.start || !s.judge.Accepts(kind, p.form, s.text[p.start:p.end], p.quoted) {
		return false
	}
	s.detect(detectorOf[kind], evidenceOf[p.form], p.start, p.end)
	return true
}

// evidenceOf is what a form says for a value.
var evidenceOf = map[judge.Form]Evidence{judge.Assigned: assigned, judge.Copula: stated, judge.Beside: beside, judge.Near: nearby}
