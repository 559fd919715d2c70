package lint

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// claimsOf are the claims of a text.
func claimsOf(text string) (out []string) {
	in := &inspection{data: []byte(text), content: &inspected{}, found: map[Rule]*Finding{}}
	for _, c := range in.claimed() {
		out = append(out, string(c.Claim))
	}
	return out
}

func TestClaimsAreNamesOfTheProjectOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"The handler is in `src/api/users.ts`.", []string{"src/api/users.ts"}},
		{"See `src/api/users.ts:12` and `docs/api.md#L3-L5`.", []string{"src/api/users.ts", "docs/api.md"}},
		{"Read `@docs/style.md` and run `./scripts/run.sh --all cmd/x`", []string{"docs/style.md", "scripts/run.sh", "cmd/x"}},
		{"`cmd/server/`, `pkg/legacy` and `config.yaml`", []string{"cmd/server", "pkg/legacy"}}, // a bare name may be of any program
		{"See src/api/users.ts, either/or.", nil},
		{"`https://example.org/a/b.md` `git@example.org:a/b.md` `~/notes/a.md` `/etc/hosts.conf` `../up/a.md` `C:\\a\\b.md`", nil},
		{"`src/*.ts` `src/{a,b}.ts` `<name>/a.md` `$HOME/a.md` `src/[id]/page.tsx` `notes/YYYY-MM.md` `a/.../b.md`", nil},
		{"`src/old.ts` was renamed to `src/new.ts`", nil},
		{"- ~~`src/a.ts`~~", nil},
		{"# Removed files\n\n- `src/a.ts`\n\n# Files\n\n- `src/b.ts`\n", []string{"src/b.ts"}},
		{"a lone ` backtick before src/a.ts", nil},
		{"`" + strings.Repeat("x", maxClaimLine) + " src/a.ts`", nil},
		{"```sh\n`src/in/a/fence.ts`\n```\n", nil},
	} {
		if got := claimsOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q\nclaims %q\nwant   %q", c.text, got, c.want)
		}
	}
}

func TestStalePathsAreReportedAndRepaired(t *testing.T) {
	t.Parallel()
	text := "Start at `src/main.ts`, then `src/util.ts:4`.\nSee `src/dist.ts`.\nAgain `src/util.ts`, never `src/gone.ts`.\n"
	s := store{"/memories/a.md": text, "/memories/plans/c.md": text + "1", "/memories/_archived/d/e.md": text + "2",
		"/memories/2026-11-03-handoff.md": text + "3", "/memories/CHANGELOG.md": text + "4"}
	source := s.source(nil)
	source.Project = func(_ context.Context, claims []Claim) (Checked, error) {
		out := Checked{Verdicts: make([]Verdict, len(claims)), Why: "Can't check the paths of the project: git took too long"}
		for i, c := range claims {
			switch c {
			case "src/util.ts":
				out.Verdicts[i] = Verdict{Why: "-> src/lib/util.ts", To: "src/lib/util.ts"}
			case "src/gone.ts", "src/dist.ts":
				out.Verdicts[i] = Verdict{Why: "deleted 3 Nov 2026"}
			}
		}
		return out, nil
	}
	report, err := (&Checker{}).Check(t.Context(), source)
	if err != nil || len(report.Findings) != 2 {
		t.Fatalf("%v %v", report.told(), err)
	}
	if report.Unchecked == "" {
		t.Error("why paths stand unchecked is lost")
	}
	moved, gone := report.Findings[0], report.Findings[1]
	if moved.Reason != "src/util.ts -> src/lib/util.ts" || moved.Count != 2 || len(moved.Repairs) != 2 {
		t.Errorf("moved: %+v", moved)
	}
	if gone.Reason != "src/dist.ts deleted 3 Nov 2026, 1 more stale name" || gone.Line != 2 || gone.Repairs != nil {
		t.Errorf("gone: %+v", gone)
	}
	data := text
	for _, r := range slices.Backward(moved.Repairs) {
		data = data[:r.Start] + r.Text + data[r.End:]
	}
	if want := strings.ReplaceAll(text, "src/util.ts", "src/lib/util.ts"); data != want {
		t.Errorf("repaired to %q", data)
	}
}

func FuzzClaims(f *testing.F) {
	f.Add("Run `make test`, see `src/a.ts:12` and `@docs/b.md`.\n```\nnpm run x\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := &inspection{data: []byte(text), content: &inspected{}, found: map[Rule]*Finding{}}
		last := 0
		for _, c := range in.claimed() {
			if c.place.Start < 0 || c.place.End > len(text) || text[c.place.Start:c.place.End] != string(c.Claim) {
				t.Fatalf("%q is at %+v of %q", c.Claim, c.place, text)
			}
			if c.place.Start < last {
				t.Fatalf("places out of order in %q", text)
			}
			last = c.place.Start
		}
	})
}
