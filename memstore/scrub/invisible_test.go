package scrub

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/scrub/rule"
)

// An invisible character hides no value, wherever it is, and is redacted with it.
func TestInvisibleCharactersHideNothing(t *testing.T) {
	e, _ := New(Options{})
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	for _, r := range []rune{
		0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2060, 0x2066,
		0x206f,
		0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xe01ef,
	} {
		for at := 1; at < len(token); at++ {
			for name, mark := range map[string]string{"a.md": string(r), "a.json": escaped(r), "a.xml": fmt.Sprintf("&#x%x;", r)} {
				before := map[string]string{"a.md": "token: ", "a.json": `{"t": "`, "a.xml": "<t>"}[name]
				after := map[string]string{"a.md": "\nend\n", "a.json": `"}`, "a.xml": "</t>"}[name]
				text := before + token[:at] + mark + token[at:] + after
				left, _ := e.Scrub(name, []byte(text), nil)
				if want := before + "REDACTED:github-token" + after; string(left) != want {
					t.Fatalf("U+%04X at %d in %s: %q", r, at, name, left)
				}
			}
		}
	}
}

// escaped is a character as JSON may write it.
func escaped(r rune) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// What is in stop at the top of a file is not a value of any class.
func TestStopHoldsForEveryClass(t *testing.T) {
	phone, mail, secret := "+49 30 2345"+"6789", "kim.lee@corp.example-mail.de", strings.Join([]string{"Tr0ub4dor", "3x"}, "&")
	for _, value := range []string{phone, mail, secret} {
		text := []byte("call " + phone + ", write to " + mail + "\nThe Grafana password is " + secret + ".\n")
		has := func(e *Engine) bool {
			for _, f := range e.Find("a.md", text) {
				if strings.Contains(string(text[f.Start:f.End]), value) {
					return true
				}
			}
			return false
		}
		plain, _ := New(Options{})
		stopped, problems := New(Options{Files: []rule.File{{Name: "scrub.toml",
			Text: []byte("stop = [" + fmt.Sprintf("%q", strings.ToUpper(value)) + "]\n")}}})
		if !has(plain) || has(stopped) || len(problems) > 0 {
			t.Errorf("%s: %v without, %v with, %v", value, has(plain), has(stopped), problems)
		}
	}
}
