package load

import "testing"

func TestEntriesOfTheFrontMatter(t *testing.T) {
	t.Parallel()
	cursor, windsurf := Entry{Key: "alwaysApply", Value: "true"}, Entry{Key: "trigger", Value: "always_on", Text: true}
	for _, c := range []struct {
		entry Entry
		text  string
		in    bool
	}{
		{Entry{}, "", true}, {cursor, "", false}, {cursor, "---\nalwaysApply: true\n---\nx", true}, {cursor, "---\nalwaysApply: \"true\"\n---\n", false},
		{cursor, "\xef\xbb\xbf---\r\ndescription: a\r\nalwaysApply: true # yes\r\n---\r\n", true}, {cursor, "---\nalwaysApply: false\n---\n", false},
		{cursor, "---\nalwaysApply: true\n", false}, {cursor, "x\n---\nalwaysApply: true\n---\n", false}, {cursor, "---\nglobs:\n  alwaysApply: true\n---\n", false},
		{cursor, "---\n---\nalwaysApply: true\n---\n", false}, {windsurf, "---\ntrigger: always_on\n---\n", true}, {windsurf, "---\ntrigger: 'always_on'\n---\n", true},
		{windsurf, "---\ntrigger: model_decision\n---\n", false}, {windsurf, "---\ntrigger: always_on\n---", true}, {windsurf, "---\ntriggers: always_on\n---\n", false},
	} {
		if got := c.entry.In([]byte(c.text)); got != c.in {
			t.Errorf("%+v in %q: %v", c.entry, c.text, got)
		}
	}
}
