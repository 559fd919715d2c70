package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// Numbers with a word: what measures, dates, counts or numbers something.

// IsMeasure recognises a number with its unit: 48KiB, 12px, ~10mins, 1.5GHz.
func IsMeasure(v []byte) bool {
	v = bytes.TrimLeft(v, "~<>=+-")
	n := ascii.Run(v, 0, decimals)
	return n > 0 && n < 5 && n < len(v) && ascii.Digits[v[0]] && units.Has(v[n:])
}

var decimals = ascii.NewSet("0-9.,")

var units = ascii.NewWords(`px em rem pt vh vw dpi b k kb mb gb tb kib mib gib tib bit bits byte bytes kbit mbit gbit kbps mbps gbps
 ns us ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks mo month months y yr year years
 x hz khz mhz ghz v mv ma mah w kw kwh km cm mm kg mg g lb oz usd eur tok tokens rpm qps`)

// IsDayOfMonth recognises a day with the name of its month: 07-ago, ~10-Jul, 3.okt.2026.
func IsDayOfMonth(v []byte) bool {
	v = bytes.TrimLeft(v, "~")
	n := ascii.Run(v, 0, ascii.Digits)
	if n < 1 || n > 2 || n+3 >= len(v) || !dayMarks[v[n]] {
		return false
	}
	end := ascii.Run(v, n+1, ascii.Letters)
	return months.Has(v[n+1:end]) && (end == len(v) || dayMarks[v[end]] && ascii.Run(v, end+1, ascii.Digits) == len(v))
}

var dayMarks = ascii.NewSet("-/.")

// months are names of months as dates shorten them, in English, Spanish, French, German, Italian and Portuguese.
var months = ascii.NewWords(`jan feb mar apr may jun jul aug sep sept oct nov dec ene abr ago set dic janv fevr avr mai juin juil aout
 okt dez mrz fev out gen mag giu lug ott january february march april june july august september october november december
 enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre`)

// IsCountedNoun recognises a number before words: 20-alpine, 3-repo, 7d-from-mint, ~512-token, 08-archive.
func IsCountedNoun(v []byte) bool {
	v = bytes.TrimLeft(v, "~<>")
	n := ascii.Run(v, 0, ascii.Digits)
	if n == 0 || n > 4 {
		return false
	}
	n = ascii.Run(v[:min(len(v), n+3)], n, ascii.Lowers)
	if n+3 >= len(v) || v[n] != '-' {
		return false
	}
	for part := range bytes.SplitSeq(v[n+1:], []byte("-")) {
		if len(part) < 2 || Of(part).Letters() < len(part) || !speakable(part) {
			return false
		}
	}
	return true
}

// IsNumberedIdentifier recognises names of a program with small numbers among them: row_u32, warn80_notified, wa-fase2-001,
// qwen3_1p7b-decode.
func IsNumberedIdentifier(v []byte) bool {
	if len(v) < 5 || ascii.Run(v, 0, identifierDash) < len(v) || !bytes.ContainsAny(v, "_-") {
		return false
	}
	words, plain, digits, parts, joined := 0, 0, 0, 0, bytes.IndexByte(v, '_') >= 0
	for from := 0; from < len(v); {
		end := ascii.Run(v, from, ascii.Alnums)
		if end == from {
			from++
			continue
		}
		part := v[from:end]
		sh := Of(part)
		if parts++; sh.Digit > 3 || sh.Upper > 0 || len(part) > 4 && sh.Digit > 0 && ascii.Digits[part[0]] ||
			sh.Letters() > 3 && !speakable(part[:ascii.Run(part, 0, ascii.Letters)]) {
			return false
		}
		if sh.Letters() >= 3 && ascii.Run(part, 0, ascii.Letters) == sh.Letters() {
			words++
			joined = joined || sh.Digit > 0
			if sh.Letters() == len(part) {
				plain++
			}
		}
		digits += sh.Digit
		from = end
	}
	return words > 0 && parts > 1 && digits > 0 && digits <= 5 && joined && (plain < 2 || bytes.IndexByte(v, '-') < 0)
}

var identifierDash = ascii.NewSet("a-zA-Z0-9_-")

// IsErrorCode recognises capital letters with a number: PGRST301, EACCES13.
func IsErrorCode(v []byte) bool {
	n := ascii.Run(v, 0, ascii.Uppers)
	return n >= 3 && n < len(v) && len(v)-n <= 4 && len(v) <= 10 && ascii.Run(v, n, ascii.Digits) == len(v)
}

// IsStyleName recognises names with a colon and small numbers, as sheets of styles have them: hover:bg-blue-600.
func IsStyleName(v []byte) bool {
	colon := bytes.IndexByte(v, ':')
	if colon < 2 || ascii.Run(v, 0, ascii.Lowers) != colon || colon+1 == len(v) {
		return false
	}
	for part := range bytes.SplitSeq(v[colon+1:], []byte("-")) {
		if len(part) == 0 || Of(part).Digit != len(part) && (Of(part).Lower != len(part) || !speakable(part)) || Of(part).Digit > 3 {
			return false
		}
	}
	return bytes.IndexByte(v[colon:], '-') > 0
}

// IsObjectID recognises what services call their objects by, which opens nothing: acct_1Td5cc, evt_test_67zrckorm42k.
func IsObjectID(v []byte) bool {
	if len(v) == 34 && v[0] == 'A' && v[1] == 'C' && ascii.Run(v, 2, ascii.Hexes) == len(v) && Of(v[2:]).Upper == 0 {
		return true // the account at Twilio
	}
	i := bytes.IndexByte(v, '_')
	return i > 1 && i+4 < len(v) && objects.Has(v[:i]) && ascii.Run(v, i+1, alnumsUnder) == len(v) && Of(v[i:]).Digit > 0
}

var alnumsUnder = ascii.NewSet("a-zA-Z0-9_")

// objects are kinds of them, as they are shortened.
var objects = ascii.NewWords(`acct cus sub evt evnt chrg ch pi in price prod txn req org usr user proj agent call run thread asst msg file
 batch conv order plan inv seti pm src card po tr re dp txr cs ic conversation flow template`)

// IsPrefixOfNetwork reports an address of IPv4 whose bits behind the first n are all 0: that of a network, not of a host.
func IsPrefixOfNetwork(address []byte, n int) bool {
	var bits uint32
	for part := range bytes.SplitSeq(address, []byte(".")) {
		number := uint32(0)
		for _, c := range part {
			number = number*10 + uint32(c-'0')
		}
		bits = bits<<8 | number&255
	}
	return n > 0 && n < 32 && bits<<n == 0
}
