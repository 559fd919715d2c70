package shape

import (
	"bytes"
	"encoding/base64"

	"memcurator/memstore/scrub/ascii"
)

// Checks are the tests that a rule can name. They get the value as it appears in the view.
var Checks = map[string]func([]byte) bool{
	"basic": isBasic, "luhn": luhn, "token": TokenLike, "card": card, "iban": IBAN, "mixed": mixedToken,
	"us-ssn": usSSN, "jp-mynumber": jpMyNumber, "kr-rrn": krRRN, "cn-resident-id": cnResidentID, "fr-nir": frNIR, "es-dni": esDNI,
	"de-steuer-id": deSteuerID, "uk-nino": ukNINO, "random": randomText, "mixed-or-marked": mixedOrMarked,
}

// onlyDigits drops everything that is not a digit.
func onlyDigits(b []byte) []byte {
	out := make([]byte, 0, 24)
	for _, c := range b {
		if ascii.Digits[c] {
			out = append(out, c)
		}
	}
	return out
}

func luhn(b []byte) bool {
	d := onlyDigits(b)
	sum := 0
	for i := range d {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return len(d) > 1 && sum%10 == 0
}

// IBAN checks the length of the country and the remainder by 97 (ISO 13616).
func IBAN(b []byte) bool {
	var v []byte
	for _, c := range b {
		if ascii.Alnums[c] {
			if ascii.Lowers[c] {
				c -= 'a' - 'A'
			}
			v = append(v, c)
		}
	}
	if len(v) < 5 || IBANLength[string(v[:2])] != len(v) {
		return false
	}
	rest := 0
	for _, c := range append(v[4:len(v):len(v)], v[:4]...) {
		if ascii.Digits[c] {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1 && !testAccounts[fnv1a(v)]
}

// testAccounts are hashes of the accounts that the registry of IBANs and banks give as examples.
var testAccounts = map[uint32]bool{
	0x010e9689: true, 0x01facc72: true, 0x082c99b1: true, 0x114cb44a: true,
	0x118f3d0e: true, 0x331b7366: true, 0x36b4a926: true, 0x379e4073: true,
	0x3ab40bb8: true, 0x48dd321a: true, 0x51da90f5: true, 0x5cf342e7: true,
	0x6bf84150: true, 0x6de72b7a: true, 0x920f004c: true, 0xa90dcf3f: true,
	0xb0f7cab6: true, 0xb1b8b7f4: true, 0xb80b8017: true, 0xc1ceaead: true,
	0xc56e26e2: true, 0xd1d40c09: true, 0xebfb100e: true, 0xf189b99c: true,
	0xf2034a0d: true, 0xff9987ac: true,
}

// IBANLength is how long the account numbers of a country are, by its code.
var IBANLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21, "CR": 22,
	"CY": 28, "CZ": 24,
	"DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18,
	"GR": 27, "GT": 28,
	"HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21,
	"LT": 20, "LU": 20,
	"LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28,
	"PS": 29, "PT": 25,
	"QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23,
	"TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20,
}

// TokenLike distinguishes a token from a name that happens to begin like one
// ("sk-learn-pipeline", "secret_manager_value"): behind the beginning stand digits or
// both cases, or capitals only, and no row of words.
func TokenLike(b []byte) bool {
	sh := Of(b)
	if sh.Digit > 0 && sh.Upper > 1 && sh.Lower > 1 && sh.Soft*8 < len(b) || sh.Lower == 0 && sh.Soft == 0 && sh.Upper+sh.Digit >= 12 {
		return true
	}
	return (sh.Digit >= 2 || sh.Digit > 0 && sh.Upper > 0 || sh.Upper > 1 && sh.Lower > 1 || sh.Lower == 0 && sh.Upper >= 10) && !Readable(b)
}

// isBasic recognises base64 of name:password.
func isBasic(v []byte) bool {
	raw, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(v, "=")))
	if err != nil || bytes.IndexByte(raw, ':') < 1 {
		return false
	}
	return bytes.IndexFunc(raw, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) < 0
}

// mixedToken is a random text of both cases and digits.
func mixedToken(b []byte) bool {
	sh := Of(b)
	return sh.Digit >= 2 && sh.Upper >= 3 && sh.Lower >= 3 && !Readable(b)
}

// randomText is hex, or a text of letters and digits that does not read as words.
func randomText(b []byte) bool {
	sh := Of(b)
	return sh.Digit >= 3 && sh.Letters() >= 3 && !Readable(b)
}

// mixedOrMarked is letters with digits or signs.
func mixedOrMarked(b []byte) bool {
	sh := Of(b)
	return sh.Letters() >= 2 && sh.Digit+sh.Symbol >= 2
}

// card checks issuer, length and Luhn; the numbers that payment services publish for
// tests are left out.
func card(b []byte) bool {
	d := onlyDigits(b)
	if len(d) < 13 || len(d) > 19 || !luhn(d) || testCards[fnv1a(d)] {
		return false
	}
	var seen [10]bool
	kinds := 0
	for _, c := range d {
		if !seen[c-'0'] {
			seen[c-'0'] = true
			kinds++
		}
	}
	if kinds <= 3 {
		return false
	}
	two, four, n := two(d, 0), two(d, 0)*100+two(d, 2), len(d)
	switch {
	case d[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55 || four >= 2221 && four <= 2720:
		return n == 16
	case two == 34 || two == 37:
		return n == 15
	case two == 36 || two == 38 || two == 30:
		return n == 14 || n == 16
	case two == 35:
		return n == 16
	case four == 6011 || two == 65 || two == 64 || two == 62 || two == 81:
		return n >= 16
	case two == 50 || two == 56 || two == 57 || two == 58 || two == 60 || two == 67:
		return n >= 16
	}
	return false
}

// testCards are hashes of published test numbers that look like real ones.
var testCards = map[uint32]bool{
	0x0989e6bf: true, 0x1542a86a: true, 0x1cb05df8: true, 0x1d2ac0b3: true, 0x285d02fc: true, 0x28a769c3: true, 0x28f6652a: true,
	0x28fd0d70: true,
	0x2a3c9930: true, 0x305673eb: true, 0x3319c2da: true, 0x36e0f3a1: true, 0x3974d812: true, 0x4c0dac90: true, 0x4c836c19: true,
	0x51529768: true,
	0x55815d94: true, 0x5620875b: true, 0x573f9866: true, 0x5980edb2: true, 0x6199582c: true, 0x6399ec11: true, 0x6a2b9d24: true,
	0x6cceba0a: true,
	0x7ff748db: true, 0x83041987: true, 0x8de4f152: true, 0x8eaea58a: true, 0x8edeb16f: true, 0x8f3690d7: true, 0x917c56c7: true,
	0x935ab3d4: true,
	0x9b243e55: true, 0x9dba23e3: true, 0xa032db45: true, 0xa2324713: true, 0xa28e3f31: true, 0xa29b1c66: true, 0xb58e550c: true,
	0xb77cefae: true,
	0xb7c15530: true, 0xba66488b: true, 0xbbf55ee0: true, 0xbef26be0: true, 0xbf7b30f3: true, 0xc49a5519: true, 0xc860751b: true,
	0xcb2a4b14: true,
	0xd4db3b08: true, 0xd8cb636b: true, 0xd9dd0ae9: true, 0xe389deaa: true, 0xe4728727: true, 0xec577028: true, 0xf5430a0d: true,
	0xf7b33945: true,
}

func fnv1a(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
