package secrets

import "testing"

// The box says what else a purge removes: journals set aside as damaged, and copies of ours.
func TestPurgeNamesOtherJournals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"journal.db.bak"}, "Also removes a backup copy of the journal, which may hold the values.\n"},
		{[]string{"one", "two"}, "Also removes 2 backup copies of the journal, which may hold the values.\n"},
	} {
		if got := asideText(c.names); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}
