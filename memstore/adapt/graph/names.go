package graph

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	damagedFolder = "damaged" // has the lines that no entity's file shows
	ending        = ".md"
	maxStem       = 200 // the length of a name in that of a file, in bytes
	digits        = 8   // of a digest of a line
)

// special are the characters that the name of a file, or a link, can't have: those of paths, and those that this package gives a meaning.
const special = `/\%={}`

// stem is a name as the name of a file without its ending: what it can't have is =XX. [unstem] is its inverse.
func stem(name string) string {
	var b strings.Builder
	last := rune(0)
	for i, r := range name {
		edge := i == 0 || i+utf8.RuneLen(r) == len(name)
		if strings.ContainsRune(special, r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
			r == ' ' && edge || r == '.' && i == 0 || r == '[' && last == '[' || i == 0 && name == damagedFolder {
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "=%02X", c)
			}
		} else {
			b.WriteRune(r)
		}
		last = r
	}
	if b.Len() == 0 {
		return "="
	}
	return b.String()
}

// unstem is the name that a stem stands for; ok is false for one that stands for none: it has a special character, or is too long.
func unstem(s string) (name string, ok bool) {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '=' && i+2 < len(s) {
			if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b = append(b, c...)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	if name = string(b); s == "=" {
		name = ""
	}
	return name, utf8.ValidString(name) && stem(name) == s && len(s) <= maxStem
}

// split takes the name of an entity's file apart. ok is false unless it is TYPE/NAME.md.
func split(file string) (folder, of string, ok bool) {
	folder, base := path.Split(file)
	folder = strings.TrimSuffix(folder, "/")
	of, ok = strings.CutSuffix(base, ending)
	return folder, of, ok && of != "" && folder != "" && folder != damagedFolder && !strings.Contains(folder, "/")
}

// named is the name that a file, a folder or a link says.
func named(of string) (string, error) {
	name, ok := unstem(of)
	if !ok {
		return "", refused("%s can't be a name here: write what isn't allowed in it as %s, in at most %d bytes", of, stem(name), maxStem)
	}
	return name, nil
}
