package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folders of an image that are no types of entities.
const (
	damagedFolder = "damaged" // lines that can't be read
	missingFolder = "missing" // names that relations come from, though no entity has them
)

const (
	ending = ".md"
	escape = '='
	// twin goes before the number of an entity whose type and name another one has, and before the digest of a name that is too long.
	twin = "~"
	// maxStem is how long an escaped name may be: it leaves room in a file name for what is added to it.
	maxStem = 200
	digits  = 8 // of a digest
)

// special are the characters that a file name, or a link to it, can't have.
const special = `/\=%~[]|#^<>{}*$"?:`

// stem is a name as the name of a file without its ending: what it can't have is =XX. [unstem] is its inverse unless the name is too long.
func stem(name string) string {
	if isStem(name) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		size := utf8.RuneLen(r)
		edge := (i == 0 || i+size == len(name)) && r == ' ' || r == '.' && (i == 0 || name[i:] == ending)
		if edge || strings.ContainsRune(special, r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			escapeAll(&b, string(r))
			continue
		}
		b.WriteRune(r)
	}
	switch s := b.String(); {
	case s == "":
		return string(escape)
	case len(s) <= maxStem:
		return s
	default:
		s = s[:maxStem-digits-len(twin)]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
		if at := strings.LastIndexByte(s, escape); at > len(s)-3 {
			s = s[:at]
		}
		sum := sha256.Sum256([]byte(name))
		return s + twin + hex.EncodeToString(sum[:])[:digits]
	}
}

// isStem reports whether a name is its own stem, which most are; false is also for one that would have to be looked at more closely.
func isStem(name string) bool {
	if name == "" || len(name) > maxStem || name[0] == ' ' || name[0] == '.' || name[len(name)-1] == ' ' || strings.HasSuffix(name, ending) {
		return false
	}
	for i := range len(name) {
		if !ordinary[name[i]] {
			return false
		}
	}
	return true
}

// ordinary are the ASCII characters that a stem has as they are.
var ordinary = func() (is [256]bool) {
	for c := byte(' '); c < unicode.MaxASCII; c++ {
		is[c] = strings.IndexByte(special, c) < 0
	}
	return is
}()

const hexDigits = "0123456789ABCDEF"

func escapeAll(b *strings.Builder, s string) {
	for i := range len(s) {
		b.Write([]byte{escape, hexDigits[s[i]>>4], hexDigits[s[i]&15]})
	}
}

// unstem is the name that a file name without its ending stands for; ok is false for one that stands for none by itself.
func unstem(s string) (name string, ok bool) {
	name, ok = unescaped(s)
	return name, ok && stem(name) == s
}

// readable reports whether the name of a file can say a name: a long one is cut there.
func readable(name string) bool {
	_, ok := unstem(stem(name))
	return ok
}

func unescaped(s string) (name string, ok bool) {
	if s == string(escape) {
		return "", true
	}
	if strings.IndexByte(s, escape) < 0 {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != escape {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		high, low := strings.IndexByte(hexDigits, s[i+1]), strings.IndexByte(hexDigits, s[i+2])
		if high < 0 || low < 0 {
			return "", false
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), true
}

// folderOf is the folder of a type.
func folderOf(kind string) string {
	switch s := stem(kind); s {
	case damagedFolder, missingFolder, "node_modules": // listings for agents omit the last
		var b strings.Builder
		escapeAll(&b, s[:1])
		return b.String() + s[1:]
	default:
		return s
	}
}

// kindOf is the type that a folder stands for by itself.
func kindOf(folder string) (kind string, ok bool) {
	kind, ok = unescaped(folder)
	return kind, ok && folderOf(kind) == folder
}

// split takes the name of a file of the store apart. ok is false unless it is FOLDER/STEM.md.
func split(name string) (folder, of string, ok bool) {
	folder, base := path.Split(name)
	folder = strings.TrimSuffix(folder, "/")
	of, ok = strings.CutSuffix(base, ending)
	return folder, of, ok && folder != "" && !strings.Contains(folder, "/") && of != ""
}

// isCut reports whether a name ends with a digest, since it was too long.
func isCut(of string) bool { return strings.LastIndex(of, twin) == len(of)-len(twin)-digits }

// untwinned is the name of a file without the number that tells it from others of the same name.
func untwinned(of string) string {
	at := strings.LastIndex(of, twin)
	if at < 0 || isCut(of) {
		return of
	}
	for _, c := range of[at+1:] {
		if c < '0' || c > '9' {
			return of
		}
	}
	return of[:at]
}
