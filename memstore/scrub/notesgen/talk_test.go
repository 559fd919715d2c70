package notesgen

import (
	"fmt"
	"strings"
)

// What people say to each other, and what they keep without saying what it is for: answers
// to questions, pairs, changes, phrases of wallets, keys that are only called keys.

// questions ask for a password, by language.
var questions = map[string][]string{
	"en": {"what's the password for {s}?", "can you send me the {s} login", "wifi?", "which pw did we set on {s}?", "Wifi password pls",
		"tell me the {s} password again"},
	"ja": {"{s}のパスワード教えて", "wifiのパスワード何だっけ？", "{s}のパスは？"}, "ko": {"{s} 비밀번호 뭐야?", "와이파이 비번 알려줘", "{s} 비번 좀"},
	"zh": {"{s}密码多少？", "wifi密码发我", "{s}的密码是什么"},
	"de": {"Wie ist das Passwort für {s}?", "WLAN-Passwort?", "schick mir mal das Passwort von {s}"},
	"fr": {"c'est quoi le mot de passe de {s} ?", "mdp wifi stp", "le mdp de {s} ?"},
	"es": {"¿cuál es la contraseña de {s}?", "¿clave del wifi?", "pásame la contraseña de {s}"},
}

// replies answer, by language.
var replies = map[string][]string{
	"en": {"{v}", "I think {v}", "sure: {v}", "it's {v}", "{v}, try it"}, "ja": {"{v}", "{v}だよ", "たぶん{v}"},
	"ko": {"{v}", "{v}이야", "아마 {v}"}, "zh": {"{v}", "是{v}", "应该是{v}"},
	"de": {"{v}", "das ist {v}", "klar, {v}"}, "fr": {"{v}", "c'est {v}", "je crois {v}"}, "es": {"{v}", "es {v}", "creo que {v}"},
}

// asides hold a password beside its name, behind it, or between other words.
var asides = map[string][]string{
	"en": {
		"He told me his {s} password, {v}, so remember it", "it asks for a password, type {v}", "the {s} password's {v}",
		"Set password of {u} to {v}", "`{v}` <- {s} pw", "{u} // {v} ({s} login)", "Log in to {s} with {u} and {v}",
		"{v} is my {s} password", "{v} (NAS password)", "default password ({v}) still active", "WiFi: {s}-guest / {v}",
		"She changed the {s} password to {v} yesterday", "password stays {v} until Friday", "{u}'s account: {u} / {v}",
	},
	"ja": {"{s}のパスワードは、{v}", "{v} というパスワードで入れる", "{v}が{s}のパスワード", "仮パスワード（{v}）はまだ変更していない"},
	"ko": {"관리자 비밀번호({v})는 월말까지 사용", "{v}를 {s} 비밀번호로 쓴다", "새 비밀번호 {v}"},
	"zh": {"{v}是{s}的密码", "新密码 {v}", "{s}：{u} / {v}（登录用）"}, "de": {"Als Passwort habe ich {v} gesetzt", "Nimm {v} als Passwort für {s}.",
		"Passwort von {s} auf {v} gesetzt", "Das Masterpasswort ist {v}"},
	"fr": {"mot de passe provisoire {v}", "j'ai mis {v} comme mot de passe", "{v} est le mot de passe de {s}"},
	"es": {"contraseña temporal {v}", "Usa {v} como contraseña", "puse {v} como contraseña de {s}"},
}

// lures name things that are built as passwords are.
var lures = []string{"Photoshop2024", "iPhone15Pro", "RTX4090", "Log4Shell", "TP-Link-AX55", "node20-alpine3.19", "OPS-4521",
	"v2.3.1-rc1", "ISO27001", "Ubuntu24.04", "FritzBox7590", "WPA2-PSK"}

// lureSays hold them beside words about secrets, by language.
var lureSays = map[string][]string{
	"en": {"The login page breaks on {x}.", "Login with {x} is not supported.", "The password field crashes on {x}.",
		"The admin panel runs on {x}.", "Access to {x} was removed in April.", "Passwords are synced by {x}."},
	"ja": {"{x}でログインできない。", "パスワード入力欄が{x}で崩れる。"}, "ko": {"{x}에서 로그인이 안 됨.", "비밀번호 입력란이 {x}에서 깨짐."}, "zh": {"{x}上无法登录。", "密码输入框在{x}上错位。"},
	"de": {"Die Anmeldung funktioniert mit {x} nicht.", "Der Passwort-Dialog stürzt auf {x} ab."},
	"fr": {"Le champ mot de passe plante sur {x}."}, "es": {"El campo contraseña falla en {x}."},
}

// talk writes one of them.
func (p *page) talk() {
	r := p.w.r
	switch r.IntN(8) {
	case 0, 1:
		p.conversation()
	case 2:
		p.say(p.w.says(in(asides, p.lang)), password(r))
	case 3:
		p.plant(decoy("lure", strings.ReplaceAll(p.w.says(in(lureSays, p.lang)), "{x}", pick(r, lures))))
	case 4:
		p.phrase()
	case 5:
		v := secret("password", "", groups(p))
		p.say(pick(r, []string{"password {v}", "pw: {v}", "the {s} password is {v}"}), v)
	case 6:
		v := pick(r, tokens[:8])(r)
		if len(v.text) > 34 && !strings.ContainsAny(v.text, "/:") {
			v = secret("token-cut", "", v.text[:len(v.text)-2-r.IntN(4)])
		}
		p.say("the {s} token is {v}", v)
	default:
		p.say(pick(r, []string{"{s}_key = \"{v}\"", "The key is {v}", "https://{h}/v1?appid={v}&q=x", "Key for the {s} API: {v}"}),
			secret("key", "", chars(r, hexes, 32)))
	}
	p.text("\n\n")
}

// conversation is a question and its answer, as programs for messages write them.
func (p *page) conversation() {
	r := p.w.r
	a, b := pick(r, people), pick(r, people)
	at := func(name string, minute int) string { return name + ": " }
	switch r.IntN(4) {
	case 0:
		at = func(name string, minute int) string { return fmt.Sprintf("[10:%02d] %s: ", minute, name) }
	case 1:
		at = func(name string, minute int) string { return fmt.Sprintf("12.05.26, 10:%02d - %s: ", minute, name) }
	case 2:
		at = func(name string, minute int) string { return fmt.Sprintf("**%s** (10:%02d): ", name, minute) }
	}
	p.text("\n" + at(a, 10+r.IntN(20)))
	p.say(p.w.says(in(questions, p.lang)), value{})
	p.text("\n" + at(b, 30+r.IntN(20)))
	p.say(p.w.says(in(replies, p.lang)), password(r))
}

// phrase is the seed phrase of a wallet, in one line, numbered, or one word below the other.
func (p *page) phrase() {
	r := p.w.r
	list := make([]string, 12)
	for i, n := range r.Perm(len(words))[:12] { // those of a real phrase hardly repeat
		list[i] = words[n]
	}
	p.text(pick(r, []string{"Seed phrase: ", "My wallet's 12 words are ", "mnemonic = ", "Recovery phrase for the ledger:\n"}))
	sep := pick(r, []string{" ", ", ", "\n"})
	p.plant(secret("seed-phrase", "", strings.Join(list, sep)))
}

// groups are random groups with dashes between, or words with a number among them.
func groups(p *page) string {
	r := p.w.r
	if r.IntN(2) == 0 {
		return pick(r, words) + "-" + pick(r, words) + "-" + chars(r, digits, 2) + "-" + pick(r, words)
	}
	return chars(r, upper, 3) + chars(r, digits, 1) + "-" + chars(r, upper+digits, 4) + "-" + chars(r, upper, 2) + chars(r, digits, 2)
}
