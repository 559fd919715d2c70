package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// calls reads the arguments of functions.
type calls struct {
	reader
	values *values
}

// functions are those of libraries that take a password, and which of their arguments it
// is, counted from 1. In lower case; what comes before a dot does not matter.
var functions = map[string]int{
	"httpbasicauth": 2, "httpdigestauth": 2, "httpproxyauth": 2, "basicauth": 2, "basic_auth": 2, "setbasicauth": 2, "set_basic_auth": 2,
	"digestauth": 2, "networkcredential": 2, "passwordauthentication": 2,
	"usernamepasswordcredentials": 2, "usernamepasswordcredential": 2, "setcredentials": 2, "plaincredentials": 2, "username_pw_set": 2,
	"setusernamepassword": 2, "login": 2, "authenticate": 2, "signin": 2, "sign_in": 2,
	"signinwithemailandpassword": 3, "createuserwithemailandpassword": 3, "wifi.begin": 2, "wifimulti.addap": 2, "wifi.softap": 2,
	"ftp_login": 3, "mysqli_connect": 3, "mysqli": 3, "mysql_connect": 3, "pdo": 3, "imap_open": 3, "ldap_bind": 3,
	"plainauth": 3, "getconnection": 3, "sshconnect": 3, "ssh2_auth_password": 3, "auth.basic": 2, "basic.auth": 2, "createuser": 2,
	"simple_bind_s": 2, "bind_s": 2, "opendatabase": 2,
}

// maxCall bounds the arguments of a call that are read, in bytes.
const maxCall = 400

var callArguments = detector{
	words: func() (list []string) {
		for name := range functions {
			list = append(list, name+"(")
		}
		return list
	},
	begin: func(s *scan) reading { return (&calls{s.reader, s.values}).call },
}

// call reads the arguments of one of functions; at is behind the bracket.
func (r *calls) call(start, at int) {
	b := r.text
	if start > 0 && (ascii.Alnums[b[start-1]] || b[start-1] == '-') {
		return
	}
	args := arguments(r.text, at)
	if place := functions[string(bytes.ToLower(b[start:at-1]))]; place <= len(args) {
		r.values.literal(args[place-1], prose.Assigned)
	}
}

// pairCall reads two texts in brackets behind a word for signing in: login("bob", "value"),
// auth=("bob", "value"), "credentials": ["bob", "value"].
func (r *pairs) pairCall(at int) bool {
	b := r.text
	if at < len(b) && b[at] == '"' {
		at++
	}
	at = ascii.Run(b, at, ascii.Blanks)
	if at < len(b) && (b[at] == '=' || b[at] == ':') {
		at = ascii.Run(b, at+1, ascii.Blanks)
	}
	if at >= len(b) || b[at] != '(' && b[at] != '[' {
		return false
	}
	args := arguments(r.text, at+1)
	f := prose.Assigned
	if b[at] == '[' {
		f = prose.Copula // lists of scopes and methods have two items too
	}
	if len(args) != 2 || !prose.QuotedArgument(b, args[0].start, args[0].end) {
		return false
	}
	if sh := shape.Of(bytes.Trim(b[args[1].start:args[1].end], "\"' \t\r\n")); f == prose.Copula && sh.Digit+sh.Symbol == 0 {
		return false
	}
	return r.values.literal(args[1], f)
}

// arguments splits what stands between brackets at its commas; at is behind the first bracket.
func arguments(b []byte, at int) []cell {
	var args []cell
	from, depth := at, 0
	limit := min(len(b), at+maxCall)
	for i := at; i < limit; i++ {
		switch c := b[i]; c {
		case '"', '\'', '`':
			end := shape.QuotedEnd(b, i+1, string(rune(c)))
			if end < 0 {
				return nil
			}
			i = end
		case '(', '[', '{':
			depth++
		case ')', ']', '}', ',':
			if c != ',' && depth > 0 {
				depth--
				continue
			}
			if depth > 0 {
				continue
			}
			args = append(args, cell{ascii.Run(b, from, ascii.JSONSpace), i})
			if c != ',' || len(args) > 5 {
				return args
			}
			from = i + 1
		}
	}
	return nil
}

// literal takes an argument that is a text and may be a password.
func (r *values) literal(arg cell, f prose.Form) bool {
	b := r.text
	at := prose.LiteralPrefix(b, arg.start)
	n, shut := shape.QuoteAt(b, at)
	if n == 0 || at >= arg.end {
		return false
	}
	end := shape.QuotedEnd(b, at+n, shut)
	return end > 0 && end < arg.end && r.judge(prose.Login, f, at+n, end, true)
}

// keyedCalls take a key as an argument.
var keyedCalls = detector{
	words: func() []string {
		return []string{"jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify(", "hmac.new(", "createhmac(", "fernet(", "secretkeyspec("}
	},
	begin: func(s *scan) reading { return (&calls{s.reader, s.values}).keyed },
}

// keyed takes the tokens among the texts in quotes of a call.
func (r *calls) keyed(start, at int) {
	b := r.text
	if start > 0 && ascii.Alnums[b[start-1]] {
		return
	}
	for end := ascii.LineEnd(b, at, 400); at < end && b[at] != ')'; {
		n, shut := shape.QuoteAt(b, at)
		if n == 0 {
			at++
			continue
		}
		stop := shape.QuotedEnd(b, at+n, shut)
		if stop < 0 {
			return
		}
		r.values.judge(prose.Secret, prose.Assigned, at+n, stop, true)
		at = stop + len(shut)
	}
}
