package ccmemory

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string // separated by blanks
	}{
		{"", ""},
		{" \n", ""},
		{"Deploy the v2 to a DB", "deploy v2 db"},
		{"deploy Deploy deploy", "deploy"},
		{"a1 b 2 33", "a1 33"},
		{"don't e-mail under_score", "don mail under_score"},
		{"naïve Straße", "na ve stra"},
		{"\u212aelvin", "kelvin"}, // the sign of the unit becomes a k in lower case
		{"認証の方針", "認証 証の の方 方針"},
		{"認 証", "認証"}, // blanks between Japanese characters don't count
		{"認a証", ""},   // letters do
		{"これは10件", "れは 10"},
		{"期限は15分 OAuth2", "期限 限は 15 oauth2"},
	} {
		if got := termsOf(c.text); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("termsOf(%q) = %q, want %s", c.text, got, c.want)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"deploy the DB", "認証の方針", "ΟΔΟΣ İ ß", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, term := range termsOf(text) {
			if seen[term] || len(term) < 2 || strings.ContainsFunc(term, unicode.IsSpace) {
				t.Errorf("a term %q of %q", term, text)
			}
			seen[term] = true
		}
	})
}
