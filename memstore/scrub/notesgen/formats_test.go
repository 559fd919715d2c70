package notesgen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// formats write a note each.
var formats = map[Format]func(p *page){
	Markdown: markdown, JSON: jsonNote, jsonl: jsonLines, yaml: yamlNote, XML: xmlNote, Dotenv: dotenv, log: logNote, Chat: chat,
}

func markdown(p *page) {
	r := p.w.r
	p.text("# " + pick(r, services) + "\n\n")
	for range 3 + r.IntN(5) {
		switch r.IntN(14) {
		case 12, 13:
			p.talk()
		case 9:
			p.dialogue()
		case 0:
			p.table()
		case 1:
			p.fence()
		case 2:
			p.codes()
		case 3:
			if r.IntN(3) == 0 {
				p.text("```\n")
				p.plant(secret("private-key", "", pem(r)))
				p.text("\n```\n\n")
				continue
			}
			p.text("## " + pick(r, services) + "\n\n")
		case 4:
			p.totp()
		case 5:
			for range 2 + r.IntN(4) {
				p.text("- ")
				p.fact()
				p.text("\n")
			}
			p.text("\n")
		case 6:
			if r.IntN(4) == 0 {
				p.split()
				continue
			}
			fallthrough
		default:
			for range 1 + r.IntN(3) {
				p.fact()
				p.text(pick(r, []string{"\n", " "}))
			}
			p.text("\n\n")
		}
	}
}

// table is a table whose head says what is in a column.
func (p *page) table() {
	r := p.w.r
	heads := map[string][4]string{
		"en": {"Service", "User", "Password", "Phone"}, "ja": {"サービス", "ユーザー", "パスワード", "電話番号"}, "ko": {"서비스", "사용자", "비밀번호", "전화번호"},
		"zh": {"服务", "用户", "密码", "电话"},
		"de": {"Dienst", "Benutzer", "Passwort", "Telefon"}, "fr": {"Service", "Utilisateur", "Mot de passe", "Téléphone"},
		"es": {"Servicio", "Usuario", "Contraseña", "Teléfono"},
	}[p.lang]
	p.text("| " + strings.Join(heads[:], " | ") + " |\n| --- | --- | --- | --- |\n")
	for range 2 + r.IntN(3) {
		p.text("| " + pick(r, services) + " | " + pick(r, people) + " | ")
		v := password(r)
		v.class = "password-table"
		p.plant(v)
		p.text(" | ")
		p.plant(phone(r, p.lang, false))
		p.text(" |\n")
	}
	p.text("\n")
}

// fence is a block of commands or code.
func (p *page) fence() {
	r := p.w.r
	p.text("```" + pick(r, []string{"sh", "bash", "", "console"}) + "\n")
	for range 1 + r.IntN(3) {
		if r.IntN(3) == 0 {
			label, v := pick(r, decoys)(r)
			p.text("# " + label + "\n# ")
			p.plant(v)
		} else {
			v := password(r)
			v.class = "password-cli"
			v.text = strings.NewReplacer("'", "", "\"", "", "$", "", "&", "", "!", "", "#", "", "*", "", "?", "", "~", "").Replace(v.text)
			p.say(p.w.says(commandSays), v)
		}
		p.text("\n")
	}
	p.text("```\n\n")
}

// codes is a list of recovery codes.
func (p *page) codes() {
	r := p.w.r
	p.text(strings.ReplaceAll(map[string]string{
		"en": "Recovery codes for {s}:", "ja": "{s}のリカバリーコード：", "ko": "{s} 복구 코드:", "zh": "{s}的恢复代码：",
		"de": "Wiederherstellungscodes für {s}:", "fr": "Codes de récupération {s} :", "es": "Códigos de recuperación de {s}:",
	}[p.lang], "{s}", pick(r, services)) + "\n\n")
	form := r.IntN(3)
	for range 4 + r.IntN(4) {
		p.text("- ")
		s := chars(r, hexes, 5) + "-" + chars(r, hexes, 5)
		switch form {
		case 0:
			s = chars(r, digits, 4) + " " + chars(r, digits, 4)
		case 1:
			s = chars(r, "abcdefghjkmnpqrstuvwxyz23456789", 4) + "-" + chars(r, "abcdefghjkmnpqrstuvwxyz23456789", 4)
		}
		p.plant(secret("recovery-code", "", s))
		p.text("\n")
	}
	p.text("\n")
}

func (p *page) totp() {
	r := p.w.r
	v := secret("totp-secret", "", chars(r, base32s, 32))
	if r.IntN(2) == 0 {
		p.text("otpauth://totp/" + pick(r, people) + "?secret=")
		p.plant(v)
		p.text("&issuer=acme\n\n")
		return
	}
	p.text(pick(r, []string{"TOTP secret: ", "2FA setup key: ", "Authenticator seed: "}))
	p.plant(v)
	p.text("\n\n")
}

// split breaks a token at the end of a line.
func (p *page) split() {
	r := p.w.r
	v := pick(r, tokens)(r)
	at := len(v.text)/3 + r.IntN(len(v.text)/3)
	v.text, v.kind = v.text[:at]+"\n"+v.text[at:], Split
	p.text("key: ")
	p.plant(v)
	p.text("\n\n")
}

func jsonEscape(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always can be
	}
	return string(data[1 : len(data)-1])
}

// keyOf makes a key of a label.
func keyOf(label string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(alnum, c) {
			return c
		}
		return '_'
	}, strings.ToLower(label))
}

// pair is a key and what it says of its value.
func (w *writer) pair() (key string, v value) {
	r := w.r
	switch n := r.IntN(100); {
	case n < 20:
		label, v := pick(r, decoys)(r)
		return keyOf(label), v
	case n < 45:
		v := password(r)
		v.class = "password-field"
		return pick(r, []string{"password", "db_password", "passwd", "pass", "adminPassword", "smtp_pass", "pwd"}), v
	case n < 62:
		v := pick(r, tokens)(r)
		return strings.ToLower(v.env), v
	case n < 72:
		v := pick(r, opaque)(r)
		return strings.ToLower(v.env), v
	case n < 92:
		class := pick(r, personalClasses)
		key := map[string]string{
			"email": "email", "phone": "phone", "credit-card": "card_number", "iban": "iban", "us-ssn": "ssn", "ip-address": "ip",
		}[class]
		return key, w.personal(class, pick(r, languages))
	}
	return pick(r, []string{"note", "title", "comment"}), value{name: "plain", text: pick(r, plain["en"])}
}

func jsonNote(p *page) {
	r := p.w.r
	p.escape = jsonEscape
	p.text("{\n")
	n := 3 + r.IntN(6)
	for i := range n {
		key, v := p.w.pair()
		p.text("  \"" + key + "\": \"")
		p.plant(v)
		p.text("\",\n")
		if i%3 == 2 {
			p.text("  \"memo" + fmt.Sprint(i) + "\": \"")
			p.fact()
			p.text("\",\n")
		}
	}
	p.text("  \"tags\": [\"a\", \"b\"]\n}\n")
}

func jsonLines(p *page) {
	r := p.w.r
	p.escape = jsonEscape
	for range 4 + r.IntN(8) {
		p.text(`{"role":"` + pick(r, []string{"user", "assistant"}) + `","content":"`)
		p.fact()
		if r.IntN(4) == 0 {
			p.text(`\n`)
			p.fact()
		}
		p.text("\"}\n")
	}
}

func yamlNote(p *page) {
	r := p.w.r
	p.text("service: " + pick(r, hosts) + "\nitems:\n")
	for range 3 + r.IntN(6) {
		key, v := p.w.pair()
		p.text("  - " + key + ": \"")
		p.escape = jsonEscape
		p.plant(v)
		p.escape = nil
		p.text("\"\n")
	}
	p.text("memo: |\n")
	for range 1 + r.IntN(3) {
		p.text("  ")
		p.fact()
		p.text("\n")
	}
}

var xmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace

func xmlNote(p *page) {
	r := p.w.r
	p.escape = xmlEscape
	p.text("<?xml version=\"1.0\"?>\n<notes>\n")
	for range 3 + r.IntN(6) {
		key, v := p.w.pair()
		if r.IntN(3) == 0 {
			p.text("  <entry " + key + "=\"")
			p.plant(v)
			p.text("\"/>\n")
			continue
		}
		p.text("  <" + key + ">")
		p.plant(v)
		p.text("</" + key + ">\n")
	}
	p.text("  <memo>")
	p.fact()
	p.text("</memo>\n</notes>\n")
}

func dotenv(p *page) {
	r := p.w.r
	for range 3 + r.IntN(6) {
		key, v := p.w.pair()
		p.text(strings.ToUpper(key) + "=" + pick(r, []string{"", "\""}))
		quoted := p.note.Text[len(p.note.Text)-1] == '"'
		p.plant(v)
		if quoted {
			p.text("\"")
		}
		p.text("\n")
	}
}

func logNote(p *page) {
	r := p.w.r
	for range 5 + r.IntN(10) {
		p.text(fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02dZ ", 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60)) +
			pick(r, []string{"INFO ", "WARN ", "DEBUG "}))
		p.fact()
		p.text("\n")
	}
}

func chat(p *page) {
	r := p.w.r
	for range 4 + r.IntN(8) {
		p.text(pick(r, people) + ": ")
		p.fact()
		p.text("\n")
	}
}
