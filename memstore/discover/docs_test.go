package discover

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of places in docs/stores.md")

// The page about stores has the table of agents, made from the one that finds them.
func TestThePageHasEveryPlace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the page has the paths of Linux")
	}
	page := filepath.Join("..", "..", "docs", "stores.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- places: generated, do not edit; go test ./memstore/discover -update -->\n", "<!-- /places -->"
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("docs/stores.md has no part for the table of places")
	}
	text := before + begin + placesPage() + end + after
	switch {
	case text == string(data):
	case *update:
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of places in docs/stores.md is out of date; run go test ./memstore/discover -update")
	}
}

func placesPage() string {
	var out strings.Builder
	out.WriteString("\n| agent | where | loaded when a session starts |\n| --- | --- | --- |\n")
	for _, a := range agents {
		var loads []string
		places := map[string][]string{} // by what a session loads
		for _, p := range a.places {
			loaded := ruleText(p)
			if places[loaded] == nil {
				loads = append(loads, loaded)
			}
			places[loaded] = append(places[loaded], whereText(p))
		}
		for _, loaded := range loads {
			fmt.Fprintf(&out, "| %s | %s | %s |\n", a.name, strings.Join(places[loaded], "; "), loaded)
		}
	}
	out.WriteString("\n")
	return out.String()
}

// whereText is where a place is, on Linux; places that differ elsewhere say so themselves.
func whereText(p place) string {
	if p.elsewhere != "" {
		return p.elsewhere
	}
	dirs := []string{"PROJECT"}
	if !p.inProjects() {
		dirs = p.roots(Machine{Home: "~"})
	}
	var all []string
	for _, dir := range dirs {
		if dir != "" {
			all = append(all, "`"+under(dir, p.names...)+"`")
		}
	}
	return strings.Join(all, ", ")
}

func ruleText(p place) string {
	r := p.rule
	if r.OnDemand() {
		return "on demand"
	}
	text := strings.Join(r.Files, ", ")
	if len(r.Files) == 1 && r.Files[0] == "*" {
		text = "all files"
	}
	var limits []string
	for _, l := range []struct {
		n    int64
		unit string
	}{{r.Lines, "lines"}, {r.Bytes, "bytes"}, {r.Chars, "characters"}, {r.Tokens, "tokens"}} {
		if l.n > 0 {
			limits = append(limits, grouped(l.n)+" "+l.unit)
		}
	}
	switch {
	case len(limits) == 0:
		text += ", whole"
	case r.Together:
		text += ", together the first " + strings.Join(limits, " or ")
	case r.Middle:
		text += ", the beginning and the end, " + strings.Join(limits, " or ") + " in all"
	default:
		text += ", the first " + strings.Join(limits, " or ")
	}
	if r.Stripped {
		text += " without front matter and HTML comments"
	}
	return text
}

// grouped is a number with commas.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
