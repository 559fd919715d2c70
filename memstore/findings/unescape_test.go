package findings

import (
	"encoding/json"
	"reflect"
	"testing"
)

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
