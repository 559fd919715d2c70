package secrets

import (
	"testing"

	"memcurator/memstore/findings"
	"memcurator/memstore/past"
)

// What remains after esc depends on how far the removal got.
func TestStoppingSaysWhatRemains(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		purged *findings.Purged
		says   string
	}{
		{nil, "Stopped. {global/undo} undoes what is done"},
		{&findings.Purged{}, "Purge stopped before history was rewritten. {findings/purge-findings} resumes"},
		{&findings.Purged{Journal: past.Purged{Number: 1}}, "Purged, not verified. {global/refresh} scans again"},
	} {
		if got := stoppedText(c.purged); got != c.says {
			t.Errorf("%q", got)
		}
	}
}

func TestATitleHasItsArticle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Anthropic API key": "an Anthropic API key", "password": "a password", "e-mail address": "an e-mail address", "npm token": "an npm token",
		"US social security number": "a US social security number", "": "a ",
	} {
		if got := withArticle(title); got != want {
			t.Errorf("%q", got)
		}
	}
}
