package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// pairBehind leads to the password of a pair: credentials for the wiki: bob / , creds admin: , "login": ["bob", "
var pairBehind = ascii.NewExpression("^s?[\"'`*]{0,3}" + note +
	`(?:(?:[ \t]+[^\s:=|,;/]+){0,4}?[ \t]*(?:[:=：]|->|=>|→|(?:is|are|は|为|是)[ \t])|[ \t]*(?:as[ \t]|として|[-—][ \t]|[(（])?)` +
	"[ \t*\"'`(（「\\[]*" + `[\w.@+\\-]{1,64}` + "[\"'`*」]*" +
	"(?:[ \t]*[/:|&][ \t]*|,[ \t]*|[ \t]+(?:and|und|et|y|e|with|mit|avec|con|と|pw|password)[ \t]+|[ \t]+[`\"'])[`\"'*]*")

// login takes the password of the pair behind "credentials", "login", "account".
func (s *scan) login(c cue) bool {
	b := s.text
	m := pairBehind.Get().FindIndex(b[c.to:min(len(b), c.to+160, s.barrier)])
	if m == nil {
		return false
	}
	at := c.to + m[1]
	end := shape.Trimmed(b, at, shape.BareEnd(b, at), true)
	if bytes.IndexByte(b[at:end], '/') >= 0 {
		return false // a path, a checksum
	}
	return s.take(judge.Password, span{at, end, judge.Copula, false})
}

// userAtHost reads name:password@host without a scheme; at is the at sign. It returns true where the at sign belongs to such a pair or
// to a URL, and so not to an address of mail.
func (s *scan) userAtHost(at int) bool {
	b := s.text
	from := max(0, at-80)
	if urlUser.Get().Match(b[from:at]) {
		return true // found by its scheme
	}
	m := userBefore.Get().FindSubmatchIndex(b[from:at])
	if m == nil || !hostFollows(b, at) || addressLabels.Has(b[from+m[2]:from+m[3]]) {
		return false
	}
	return s.take(judge.Password, span{from + m[4], at, judge.Beside, false})
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
