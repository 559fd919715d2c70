package scrub

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostile are texts that make a scanner look at one place again and again, or hold on to
// much for each byte. make returns about n bytes. A long line of YAML is none of them: up to
// 16 KB of it are read again for each value.
var hostile = []struct {
	name, file string
	make       func(n int) []byte
}{
	{"password", "a.md", again("password: ")},
	{"password values", "a.md", again("password: hunter2x ")},
	{"words for secrets", "a.md", again("key token secret login pin user pass ")},
	{"password nested", "a.md", again("password=password(")},
	{"passwords glued", "a.md", again("パスワードは")},
	{"key in query", "a.md", again("?key=")},
	{"one JSON line", "a.json", wrap(`{"a":[`, `"some text \"quoted\" \u0041",`, `""]}`)},
	{"arrays", "a.json", again(`[`)},
	{"JSON passwords", "a.json", again(`{"password":`)},
	{"bold passwords", "a.md", again("- **password**: v1x\n")},
	{"backquotes", "a.md", again("`")},
	{"URLs with passwords", "a.md", again("http://bob:hunter2x@")},
	{"addresses", "a.md", again("a@")},
	{"name before at", "a.md", again("abcdefghij.")},
	{"digits", "a.md", again("7")},
	{"digits apart", "a.md", again("1-2 3.4/")},
	{"telephones", "a.md", again("+1 234 ")},
	{"IPv6", "a.md", again("2001:")},
	{"escapes", "a.json", again(`\u0041`)},
	{"backslashes", "a.md", again(`\_`)},
	{"entities", "a.xml", again("&amp;")},
	{"full width", "a.md", again("Ａ")},
	{"no width", "a.md", again("\u200b")},
	{"percent", "a.md", again("%41")},
	{"base64", "a.md", random("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 0)},
	{"base64 lines", "a.md", random("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 76)},
	{"base64 of base64", "a.md", nested},
	{"base64 of many passwords", "a.md", encoded(190 << 10)},
	{"hex of text", "a.md", again("70617373776f72643a20")},
	{"table row", "a.md", wrap("| password | b |\n|---|---|\n", "x1|", "\n")},
	{"CSV head", "a.csv", again("password,")},
	{"PEM heads", "a.md", again("-----BEGIN PRIVATE KEY-----\n")},
	{"commands", "a.md", again("mysql -p curl -u a:b1c2 ")},
	{"seed phrases", "a.md", again("seed alpha bravo ")},
	{"words of a head", "a.csv", again("phone ")},
	{"long head", "a.md", wrap("| "+strings.Repeat("a", 60)+" password | b |", "c", "|\n|---|---|\n")},
	{"names in a row", "a.md", again("password.")},
	{"wifi", "a.md", again("WIFI:S:a;P:b1c2;;")},
	{"recovery codes", "a.md", again("recovery codes: 1234-5678\n")},
	{"seed phrase", "a.md", again("seed phrase: apple ")},
	{"cookies", "a.md", again("Cookie: a=b1c2d3e4f5g6h7i8j9;")},
	{"otpauth", "a.md", again("otpauth://")},
	{"placeholder openings", "a.md", again("REDACTED:")},
	{"a JSON string of passwords", "a.json", wrap(`{"a":"`, "password: hunter2x ", `"}`)},
	{"YAML scalar over lines", "a.yaml", wrap("a: x\n", "  the password is hunter2x\n", "")},
	{"TOML in one line", "a.toml", again("password = hunter2x, ")},
	{"XML attributes", "a.xml", wrap("<a ", `password="hunter2x" `, "/>")},
	{"front matter", "a.md", wrap("---\n", "password: hunter2x\n", "---\n")},
	{"high bytes", "a.md", again("\xc3\x28")},
	{"keys in escaped quotes", "a.md", again(`\"password\":\"`)},
	{"array of passwords", "a.json", wrap(`{"passwords":[`, `"x1y2z3",`, `""]}`)},
	{"tokens of one provider", "a.md", tokens},
	{"distinct passwords", "a.md", passwords},
	{"a value and its beginning", "a.md", beginnings},
}

func again(s string) func(int) []byte {
	return func(n int) []byte { return bytes.Repeat([]byte(s), n/len(s)+1) }
}

func wrap(head, s, tail string) func(int) []byte {
	return func(n int) []byte {
		return slices.Concat([]byte(head), bytes.Repeat([]byte(s), n/len(s)+1), []byte(tail))
	}
}

// random are letters of an alphabet, in lines of some length or in one.
func random(alphabet string, line int) func(int) []byte {
	return func(n int) []byte {
		r, out := rand.New(rand.NewPCG(1, 2)), make([]byte, 0, n)
		for len(out) < n {
			out = append(out, alphabet[r.IntN(len(alphabet))])
			if line > 0 && len(out)%(line+1) == line {
				out = append(out, '\n')
			}
		}
		return out
	}
}

// nested is base64 of base64 of a note, some times over, in pieces.
func nested(n int) []byte {
	text := []byte("the password is hunter2x, said Anna to Bob on the way home. ")
	for range 8 {
		text = []byte(base64.StdEncoding.EncodeToString(text))
	}
	return bytes.Repeat(append(text, ' '), n/len(text)+1)
}

// encoded is base64 of texts of some size.
func encoded(size int) func(int) []byte {
	return func(n int) []byte {
		text := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("password: hunter2x\n"), size/19))
		return bytes.Repeat([]byte(text+"\n"), n/len(text)+1)
	}
}

func tokens(n int) []byte {
	var out []byte
	r := rand.New(rand.NewPCG(1, 2))
	for len(out) < n {
		out = append(out, "gh"+"p_"...)
		for range 36 {
			out = append(out, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[r.IntN(62)])
		}
		out = append(out, '\n')
	}
	return out
}

func passwords(n int) []byte {
	var out []byte
	for i := 0; len(out) < n; i++ {
		out = append(out, "password: "+strconv.FormatUint(uint64(i+1)*0x9e3779b97f4a7c15, 36)+"!x\n"...)
	}
	return out
}

// beginnings are values of which each begins with the one before.
func beginnings(n int) []byte {
	var out []byte
	for i := 6; len(out) < n; i++ {
		out = append(out, "password: "+strings.Repeat("a1B!", i%120+2)+"\n"...)
	}
	return out
}

// TestHostileTextsGrowEvenly scans and redacts each text four times, and one four times as
// long once. That takes as long, but four times that where a place is read again and again.
// The least of several rounds counts, and rounds are added while there is doubt, so that
// a slow day fails nothing.
func TestHostileTextsGrowEvenly(t *testing.T) {
	e := engine(t)
	const times, doubt, rounds = 4, 2.5, 20
	size := 4 << 10
	if raced {
		size = 2 << 10
	}
	for _, h := range hostile {
		text, long := h.make(size), h.make(size*times)
		least := [2]time.Duration{time.Hour, time.Hour}
		round := 0
		for ; round < rounds; round++ {
			start := time.Now()
			for range times {
				e.Edits(h.file, text, e.Find(h.file, text))
			}
			least[0] = min(least[0], time.Since(start))
			start = time.Now()
			e.Edits(h.file, long, e.Find(h.file, long))
			least[1] = min(least[1], time.Since(start))
			if float64(least[1]) < doubt*float64(least[0]) {
				break
			}
		}
		if round == rounds {
			t.Errorf("%s: %d times %d KB take %v, %d KB take %v", h.name, times, len(text)>>10, least[0], len(long)>>10, least[1])
		}
	}
}
