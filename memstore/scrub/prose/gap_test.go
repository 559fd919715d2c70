package prose

import (
	"strings"
	"testing"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

func reader(text string, format view.Format) *Reader {
	return &Reader{Text: []byte(text), Format: format, Stopped: &ascii.Words{}, Cue: []byte("password")}
}

// The value begins at V; the cue is the word "password" before it.
func TestGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		form Form
	}{
		{"password: V", Assigned},
		{"password=V", Assigned},
		{"**password**: V", Assigned},
		{"password -> V", Assigned},
		{`"password": V`, Assigned},
		{"<td>password</td><td>V", Assigned},
		{"the password is V", Copula},
		{"the password is now V", Copula},
		{"the password's V", Copula},
		{"the password for the staging box: V", Assigned},
		{"password (of the router): V", Assigned},
		{"## password\n\nV", Copula},
		{"password V", Beside},
	} {
		cue := strings.Index(c.text, "password") + len("password")
		at, form := reader(c.text, view.Markdown).Gap(cue, false, false)
		if form != c.form || at != strings.Index(c.text, "V") {
			t.Errorf("%q: form %d at %d", c.text, form, at)
		}
	}
	for _, text := range []string{"password", "password\nsome other line", "password|passphrase|pin", "password(policy"} {
		if at, form := reader(text, view.Markdown).Gap(len("password"), false, false); form != NoForm {
			t.Errorf("%q: form %d at %d", text, form, at)
		}
	}
}

func TestPlausible(t *testing.T) {
	t.Parallel()
	mixed := strings.Join([]string{"q", "7", "Rk", "2!", "zW"}, "")
	for _, c := range []struct {
		kind  Kind
		form  Form
		value string
		want  bool
	}{
		{Password, Assigned, mixed, true},
		{Password, Copula, mixed, true},
		{Password, Assigned, "********", false},
		{Password, Assigned, "${DB_PASSWORD}", false},
		{Password, Beside, "manager", false},
		{Password, Copula, "2026-11-21", false},
		{PIN, Assigned, "4831", true},
		{PIN, Assigned, "1111", false},
		{PIN, Assigned, "soon", false},
	} {
		if got := reader("", view.Markdown).Plausible(c.kind, c.form, []byte(c.value), false); got != c.want {
			t.Errorf("%d %d %q: %v", c.kind, c.form, c.value, got)
		}
	}
}
