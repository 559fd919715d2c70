package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// A name and a password: "admin / value", "admin:value", `admin` `value`.
var (
	// pairBehind: credentials for the wiki: bob / , creds admin: , "login": ["bob", "
	pairBehind = ascii.NewExpression("^s?[\"'`*]{0,3}" + note +
		`(?:(?:[ \t]+[^\s:=|,;/]+){0,4}?[ \t]*(?:[:=：]|->|=>|→|(?:is|are|は|为|是)[ \t])|[ \t]*(?:as[ \t]|として|[-—][ \t]|[(（])?)` +
		"[ \t*\"'`(（「\\[]*" + `[\w.@+\\-]{1,64}` + "[\"'`*」]*" +
		"(?:[ \t]*[/:|&][ \t]*|,[ \t]*|[ \t]+(?:and|und|et|y|e|with|mit|avec|con|と|pw|password)[ \t]+|[ \t]+[`\"'])[`\"'*]*")
	// userMark: admin / , root: , and addressMark: bob@corp.io / , bob@corp.io with
	userMark    = ascii.NewExpression("^[`*\"']{0,2}(?:[ \t]+/[ \t]+|[ \t]*:[ \t]?|/)[`*\"']?")
	addressMark = ascii.NewExpression("^[`*>\"']{0,2}(?:[ \t]*[/:|][ \t]*|[ \t]+(?:and|und|et|y|e|with|mit|avec|con|using)[ \t]+)[`*\"']?")
)

// login reads the pair behind "credentials", "login", "account".
func (r *cues) login(c cue) bool {
	b := r.text
	m := pairBehind.Get().FindIndex(b[c.to:min(len(b), c.to+160, r.found.barrier)])
	if m == nil {
		return false
	}
	form := judge.Copula
	if bytes.HasSuffix(b[c.to:c.to+m[1]], []byte(" ")) && !bytes.ContainsAny(b[c.to:c.to+m[1]], "/:|&,") {
		form = judge.Near // sign in with OAuth2 and Office365
	}
	return r.second(c.to+m[1], form)
}

// second takes the password of a pair.
func (r *reader) second(at int, form judge.Form) bool {
	b := r.text
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	if i := bytes.IndexByte(b[at:max(at, end)], '@'); i > 0 && hostFollows(b, at+i) {
		end = at + i
	}
	if end <= at || judge.StrengthOf(b[at:end]) < judge.Mixed || bytes.IndexByte(b[at:end], '/') >= 0 {
		return false
	}
	return r.take(judge.Password, span{at, end, form, false})
}

// userSlash reads "admin / value", "admin/value" and "root:value".
func (r *cues) userSlash(c cue) {
	b := r.text
	if c.start > 0 && (ascii.NameBytes[b[c.start-1]] || b[c.start-1] == '/' || b[c.start-1] == '+') {
		return // a path, or base64
	}
	rest := b[c.end:min(len(b), c.end+16)]
	m := userMark.Get().FindIndex(rest)
	if m == nil {
		return
	}
	at := c.end + m[1]
	v := b[at:shape.Trimmed(b, at, shape.BareEnd(b, at), true)]
	sh, tight := shape.Of(v), m[1] < 3 || bytes.IndexByte(rest[:m[1]], ':') >= 0
	if len(v) < 6 || sh.Digit+sh.Symbol < 2 || tight && (sh.Kinds() < 3 || sh.Soft > 0) || bytes.ContainsAny(v, "/:") {
		return
	}
	if after := bytes.TrimLeft(b[at+len(v):min(len(b), at+len(v)+8)], " `*"); len(after) > 0 && (after[0] == '/' || after[0] == '|') {
		return // three things, no pair
	}
	r.second(at, judge.Beside)
}

// behindAddress takes the password that follows an address of mail: "bob@corp.io / value".
func (r *reader) behindAddress(end int) bool {
	b := r.text
	m := addressMark.Get().FindIndex(b[end:min(len(b), end+24)])
	return m != nil && b[end+m[0]] != '.' && r.second(end+m[1], judge.Near)
}

// userAtHost reads name:password@host without a scheme; at is the at sign. It returns true where the at sign belongs to such a pair or
// to a URL, and so not to an address of mail.
func (r *reader) userAtHost(at int) bool {
	b := r.text
	from := max(0, at-80)
	if urlUser.Get().Match(b[from:at]) {
		return true // found by its scheme
	}
	m := userBefore.Get().FindSubmatchIndex(b[from:at])
	if m == nil || !hostFollows(b, at) || addressLabels.Has(b[from+m[2]:from+m[3]]) {
		return false
	}
	return r.take(judge.Password, span{from + m[4], at, judge.Beside, false})
}

// addressLabels come before the colon of a mail address.
var addressLabels = ascii.NewWords(`mailto email e-mail mail to cc bcc from sip sips xmpp acct contact user username login owner author
 reply-to sender recipient serviceaccount member group`)

var urlUser = ascii.NewExpression(`://[^\s:/@]*:[^\s/@]*$`)

var userBefore = ascii.NewExpression("(?:^|[\\s\"'`(=])([A-Za-z0-9_.+-]{2,}):([^\\s@:/\\\\\"'`]{5,})$")

// hostFollows reports whether a host follows the at sign at at: a name with a dot, localhost, a host with a port, or tcp(...) as
// drivers of databases write it.
func hostFollows(b []byte, at int) bool {
	return hostAfter.Get().Match(b[at:min(len(b), at+80)])
}

var hostAfter = ascii.NewExpression(`^@(?:[\w-]+(?:\.[\w-]+)+|(?i:localhost)|[\w-]+:\d|(?:tcp|unix)\()`)
