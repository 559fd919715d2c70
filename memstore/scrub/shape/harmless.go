package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// What a value is by itself, where that is nothing to hide. None of these is reported as a secret that only a word announces,
// however close the word is.

// IsSetting recognises an option or a setting with a plain value: --include=db_vars, max_width=1200, review=codex, karma:16, 3=Notch.
func IsSetting(v []byte) bool {
	from := ascii.Run(v, 0, dashes)
	i := ascii.Run(v, from, ascii.NameBytes)
	if i == from || i+1 >= len(v) {
		return false
	}
	key, value := v[from:i], v[i+1:]
	wide := bytes.HasPrefix(v[i:], []byte("："))
	if v[i] == ':' || wide {
		if wide {
			value = v[i+len("："):]
		}
		return Of(key).Digit == 0 && len(key) > 2 && len(value) > 0 && ascii.Run(value, 0, ascii.Digits) == len(value)
	}
	if v[i] != '=' {
		return false
	}
	sh := Of(value)
	if ascii.Run(key, 0, ascii.Digits) == len(key) {
		return sh.Letters() == len(value) && Readable(value) // one of a list of choices
	}
	if len(key) < 2 || Of(key).Digit > 0 {
		return false
	}
	if i := bytes.LastIndexByte(value, '-'); i > 1 && ascii.Run(value, i+1, ascii.Digits) == len(value) &&
		ascii.Run(value, 0, ascii.Lowers) == i && speakable(value[:i]) {
		return true // trace=run-1779809452735
	}
	return sh.Digit == len(value) || ascii.Run(value, 0, settingBytes) == len(value) &&
		(Readable(value) || sh.Letters() == 0 || len(value) < 4 && len(key) < 8 || from > 0 && speakable(key) && sh.Upper == 0)
}

var (
	dashes       = ascii.NewSet("-")
	settingBytes = ascii.NewSet("a-zA-Z0-9_.,:%/-")
)

// IsIdentifier recognises a name in a program: words written together or with marks between (UserIn, obra_id, OAuth2), or a path
// of such names (model.UserIn). It has no digit but a last one, and those of terms such as base64.
func IsIdentifier(v []byte) bool {
	if len(v) < 3 || !ascii.Letters[v[0]] && v[0] != '_' || ascii.Run(v, 0, identifierBytes) < len(v) {
		return false
	}
	joined := Of(v).Soft > 0
	for i := 0; i < len(v); {
		if n := termAt(v, i); n > 0 {
			i, joined = i+n, true
			continue
		}
		if ascii.Digits[v[i]] && i == 1 && len(v) > 5 && v[2] == '.' { // t1.player_id
			i++
			continue
		}
		if ascii.Digits[v[i]] {
			return i > 0 && i == len(v)-1
		}
		if !ascii.Letters[v[i]] {
			i++
			continue
		}
		end := WordPart(v, i)
		if !speakable(v[i:end]) && !(i == 0 && end == 1) {
			return false
		}
		joined = joined || i > 0
		i = end
	}
	return joined
}

// terms have digits that say nothing more.
var terms = ascii.NewPhrases("oauth2", "base64", "base32", "utf8", "sha1", "sha256", "sha512", "md5",
	"x509", "ed25519", "http2", "pkcs8", "pkcs12",
	"aes128", "aes256", "ipv4", "ipv6", "k8s", "i18n", "l10n", "p256", "hs256", "rs256", "es256")

// termAt is the length of one of terms at i, where a word begins.
func termAt(v []byte, i int) int {
	if i > 0 && ascii.Lowers[v[i]] && ascii.Letters[v[i-1]] {
		return 0
	}
	n := len(terms.Begin(v[i:]))
	if i+n < len(v) && (ascii.Digits[v[i+n]] || ascii.Lowers[v[i+n]]) {
		return 0
	}
	return n
}

// speakable reports a part of a name: an acronym of up to five letters, or what has vowels as words have them.
func speakable(part []byte) bool {
	sh := Of(part)
	if sh.Lower == 0 {
		return len(part) <= 5
	}
	if sh.Upper > 1 { // SASLMechanisms
		i := ascii.Run(part, 0, ascii.Uppers) - 1
		return i > 0 && i <= 5 && Of(part[i:]).Upper == 1 && speakable(part[i:])
	}
	if len(part) < 2 {
		return false
	}
	vowels, row := 0, 0
	for _, c := range part {
		if vowelBytes[c] {
			vowels, row = vowels+1, 0
		} else if row++; row > 4 {
			return false
		}
	}
	return vowels > 0 || len(part) <= 3
}

var vowelBytes = ascii.NewSet("aeiouyAEIOUY")

var identifierBytes = ascii.NewSet("a-zA-Z0-9_.")

// IsNumberedName recognises a name with a small number: Stage2, stage06, iChannel0, merge-queue-2.
func IsNumberedName(v []byte) bool {
	n := len(v)
	for n > 0 && ascii.Digits[v[n-1]] {
		n--
	}
	if most := len(v) - n; n > 3 && most > 0 && most <= 4 && v[n-1] == '-' && ascii.Run(v, 0, dashedLowers) == n {
		for part := range bytes.SplitSeq(v[:n-1], []byte("-")) {
			if len(part) > 2 && !speakable(part) {
				return false
			}
		}
		return true // my-session-123
	}
	return n >= 3 && len(v)-n > 0 && len(v)-n <= 2 && Of(v[:n]).Digit == 0 && ascii.Run(v, 0, nameBytes) >= n && Readable(v[:n])
}

var dashedLowers = ascii.NewSet("a-z-")

var nameBytes = ascii.NewSet("a-zA-Z_-")

// IsContract recognises the public address of an account or a contract on a chain: 0x and 40 hexadecimal digits.
func IsContract(v []byte) bool {
	i := bytes.LastIndex(v, []byte("0x"))
	return i >= 0 && len(v)-i == 42 && ascii.Run(v, i+2, ascii.Hexes) == len(v) && (i == 0 || !ascii.Alnums[v[i-1]])
}

// IsDatedName recognises a name with a date in it: main-2026-02-07, claude-3-haiku-20240307-v1:0.
func IsDatedName(v []byte) bool {
	for i := 0; i+8 <= len(v); i++ {
		if !ascii.Digits[v[i]] || i > 0 && ascii.Alnums[v[i-1]] {
			continue
		}
		n := 0
		switch {
		case i+10 <= len(v) && v[i+4] == '-' && v[i+7] == '-' && IsDate(v[i:i+10]):
			n = 10
		case ascii.Run(v, i, ascii.Digits) == i+8 && IsDay(v[i:i+8]):
			n = 8
		default:
			continue
		}
		rest := append(bytes.Clone(v[:i]), v[i+n:]...)
		letters := bytes.Map(func(r rune) rune {
			if r < 0x80 && (ascii.Letters[r] || r == '-' || r == '.' || r == '_') {
				return r
			}
			return -1
		}, rest)
		sh := Of(rest)
		return sh.Symbol <= 1 && sh.Digit <= 4 && sh.Other == 0 && (sh.Letters() < 6 || Readable(letters))
	}
	return false
}

// IsUUID recognises 8-4-4-4-12 hexadecimal digits.
func IsUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && !ascii.Hexes[c] {
			return false
		}
	}
	return true
}

// IsPattern recognises a pattern of names: test.*, ~^test.*.
func IsPattern(v []byte) bool {
	sh := Of(v)
	return sh.Digit == 0 && bytes.HasSuffix(v, []byte("*")) && sh.Letters() > 0 && ascii.Run(v, 0, patternBytes) == len(v)
}

var patternBytes = ascii.NewSet("a-zA-Z_.*~^/-")

// IsPlaceholder recognises a name in brackets that stands where a value belongs ({password}, [password], <password>), and a
// constant that says so (NEW_PASSWORD).
func IsPlaceholder(v []byte) bool {
	if len(v) < 3 {
		return false
	}
	first, last := v[0], v[len(v)-1]
	if first == '{' && last == '}' || first == '[' && last == ']' || first == '<' && last == '>' {
		return ascii.Run(v, 1, placeholderBytes) >= len(v)-1
	}
	if first == '<' && len(v) > 4 && ascii.Run(v, 1, capitalsDash) == len(v) {
		return true // <NTLM-HASH, cut before its end
	}
	if end := ascii.Run(v, 1, ascii.Uppers); first == '^' && end > 2 && end < len(v) && v[end] == '^' {
		return true // ^PASS^, which hydra replaces
	}
	sh := Of(v)
	return sh.Lower+sh.Digit+sh.Symbol+sh.Other == 0 && bytes.IndexByte(v, '_') > 0 && Readable(v)
}

var capitalsDash = ascii.NewSet("A-Z_-")

var placeholderBytes = ascii.NewSet("a-zA-Z0-9_ .{}-")

// IsPlaceholderAddress recognises an address of mail in which the reader is to put his own: your-name@gmail.com, me@yourdomain.com.
// The host is in lower case.
func IsPlaceholderAddress(name, host []byte) bool {
	if yourHosts.Begin(host) != "" {
		return true
	}
	end := ascii.Run(name, 0, ascii.Letters)
	return yours.Has(name[:end]) && (end == len(name) || name[end] == '-' || name[end] == '_' || name[end] == '.') ||
		ascii.HasFold(name, "youremail") || ascii.HasFold(name, "yourname")
}

// yourHosts begin the host in such an address.
var yourHosts = ascii.NewLiterals("yourdomain", "your-domain", "yourcompany", "your-company", "mydomain", "my-domain", "exemple.",
	"ejemplo.", "beispiel.", "esempio.")

// yours begin the name in such an address.
var yours = ascii.NewWords("you your votre ton deine dein ihre tu vuestro tuo seu")

// IsPathOfNames recognises names with colons between: agent:main:telegram:direct:370338255, hf:MiniMaxAI/MiniMax-M2.1.
func IsPathOfNames(v []byte) bool {
	if bytes.Count(v, []byte(":")) < 2 && (bytes.IndexByte(v, ':') < 2 || bytes.IndexByte(v, '/') < 0) {
		return false
	}
	names := 0
	for part := range bytes.SplitSeq(v, []byte(":")) {
		sh := Of(part)
		switch {
		case len(part) == 0 || sh.Symbol > 1 || sh.Other > 0:
			return false
		case sh.Letters() == len(part) && sh.Upper <= 1 && speakable(part):
			names++
		case sh.Digit >= len(part)-1, IsUUID(part), names > 1 && len(part) >= 32 && ascii.Run(part, 0, ascii.Hexes) == len(part),
			bytes.IndexByte(part, '/') > 0 && Readable(part):
		default:
			return false
		}
	}
	return names > 0
}
