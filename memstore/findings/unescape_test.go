package findings

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestUnescaped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`plain`:                         "",
		`\n \" \\ \u0022 \u005c \u000a`: "",
		`\u0061bc\/d`:                   `abc/d`,
		`\\u0061`:                       "",
		`\\\u0061`:                      `\\a`,
		`\ud83d\ude00!`:                 `😀!`,
		`\ud83d \u00e9`:                 `\ud83d é`,
		`\u00`:                          "",
		`\u0061\`:                       `a\`,
		`\`:                             "",
	} {
		if got := string(unescaped([]byte(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Valid JSON stays valid, with the same value.
func FuzzUnescaped(f *testing.F) {
	for _, text := range []string{`"\u0061\/\\u0061"`, `{"\u00e9":["\ud83d\ude00","\ud83d"]}`, `"\\\u005c\u0022"`, `\u`, `"\uD800\u0041"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		plain := unescaped(text)
		if plain == nil || !json.Valid(text) {
			return
		}
		var was, is any
		if json.Unmarshal(text, &was) != nil {
			return // a number too large
		}
		if err := json.Unmarshal(plain, &is); err != nil || !reflect.DeepEqual(was, is) {
			t.Errorf("%s is %s: %v", text, plain, err)
		}
	})
}
