package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

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
		ascii.HasFold(name, "noreply") || ascii.HasFold(name, "no-reply") || ascii.HasFold(name, "youremail") || ascii.HasFold(name, "yourname")
}

// yourHosts begin the host in such an address.
var yourHosts = ascii.NewLiterals("yourdomain", "your-domain", "yourcompany", "your-company", "mydomain", "my-domain", "exemple.",
	"ejemplo.", "beispiel.", "esempio.")

// yours begin the name in such an address.
var yours = ascii.NewWords("you your votre ton deine dein ihre tu vuestro tuo seu")
