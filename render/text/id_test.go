package text

import "testing"

func TestShortID(t *testing.T) {
	for id, want := range map[string]string{
		"":                                     "",
		"a10fb9d2-5d1c-4f7e-9a53-0d8a0f1e2c3b": "a10fb9d2",
		"2026-11-22T10-48-03-7f3a":             "7f3a",
		"20261122-104803-b1":                   "b1",
		"rollout-2025-05-07T17-24-21-5973b6c0-94b8-487b-a530-2aeb60": "5973b6c0",
		"session_01Abcdefghi":                  "01Abcdef",
		"session-2026-11-22":                   "26-11-22",
		"2026-11-22T10:48:03Z":                 "10:48:03",
		"2026112212345678":                     "20261122",
		"payments-of-today":                    "payments",
		"claude-code-20261130-183125":          "183125",
		"agent-one":                            "agent-on",
		"11112222-3333-4444-5555-666677778888": "11112222",
	} {
		if got := ShortID(id); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
	}
}
