package prompt

import (
	"errors"
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
)

// Words cuts a line into words. Single quotes keep everything; double quotes know
// \n, \t, \" and \\.
func Words(line string) ([]string, error) {
	var words []string
	for rest := strings.TrimLeft(line, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		word, after, err := nextWord(rest)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		rest = after
	}
	return words, nil
}

func nextWord(s string) (word, rest string, err error) {
	switch s[0] {
	case '\'':
		end := strings.IndexByte(s[1:], '\'')
		if end < 0 {
			return "", "", errors.New("Quote not closed: add a '")
		}
		return s[1 : 1+end], s[2+end:], nil
	case '"':
		return quoted(s[1:])
	}
	end := strings.IndexAny(s, " \t")
	if end < 0 {
		return s, "", nil
	}
	return s[:end], s[end:], nil
}

func quoted(s string) (word, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '"', '\\':
				b.WriteByte(s[i])
			default:
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", errors.New("Quote not closed: add a \"")
}

// Word reads a line that is one word: spaces and all, or in quotes.
func Word(line string) string {
	if words, err := Words(line); err == nil && len(words) == 1 {
		return words[0]
	}
	return line
}

// Unknown says that no action has a name, and which one may be meant.
func Unknown(name string, keys *keymap.Map) error {
	best := text.Nearest(name, keys.Names())
	if best == "" {
		return fmt.Errorf("No such action: %q", name)
	}
	return fmt.Errorf("No such action: %q. Did you mean %s?", name, best)
}

// Quote writes a word so that [Words] reads it unchanged.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'\\") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(word) + `"`
}
