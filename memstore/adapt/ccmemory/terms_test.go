package ccmemory

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \n": "", "Deploy the v2 to a DB": "db deploy v2", "deploy Deploy deploy": "deploy", "a1 b 2 33": "33 a1",
		"don't e-mail under_score": "don mail under_score", "naïve Straße": "na stra ve", "期限は15分 OAuth2": "15 oauth2",
	} {
		if got := slices.Sorted(maps.Keys(termsOf(text))); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("the terms of %q are %q, want %s", text, got, want)
		}
	}
	for _, c := range []struct {
		word, text string
		want       bool
	}{{"deploy", "Deploy it", true}, {"deploy", "deployments", false}, {"the", "the pool", false}, {"認証の", "認証の方針", true}, {"方針", "認証", false}} {
		if got := looksFor(c.word, c.text, termsOf(c.text)); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.text, got)
		}
	}
}
