package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// claimsOf are the claims of a text as "kind name", code in backticks.
func claimsOf(text string) (out []string) {
	in := &inspection{data: []byte(text), content: &inspected{}, found: map[Rule]*Finding{}}
	for _, c := range in.claimed() {
		name := c.Name
		if c.Code {
			name = "`" + name + "`"
		}
		out = append(out, fmt.Sprintf("%d %s", c.Kind, name))
	}
	return out
}

func TestClaimsAreNamesOfTheProjectOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"The handler is in `src/api/users.ts`.", []string{"1 `src/api/users.ts`"}},
		{"See src/api/users.ts:12 and docs/api.md#L3-L5.", []string{"1 src/api/users.ts", "1 docs/api.md"}},
		{"Read @docs/style.md and ./scripts/run.sh", []string{"1 docs/style.md", "1 scripts/run.sh"}},
		{"`cmd/server/`, `pkg/legacy` and `config.yaml`", []string{"1 `cmd/server`", "1 `pkg/legacy`", "1 `config.yaml`"}},
		{"either/or, and/or, 3/4, TCP/IP, feature/foo", nil},
		{"https://example.org/a/b.md git@example.org:a/b.md ~/notes/a.md /etc/hosts.conf ../up/a.md C:\\a\\b.md", nil},
		{"`src/*.ts` `src/{a,b}.ts` `<name>/a.md` `$HOME/a.md` `src/[id]/page.tsx` `notes/YYYY-MM.md` `a/.../b.md`", nil},
		{"`src/old.ts` was renamed to `src/new.ts`", nil},
		{"- ~~`src/a.ts`~~", nil},
		{"# Removed files\n\n- `src/a.ts`\n\n# Files\n\n- `src/b.ts`\n", []string{"1 `src/b.ts`"}},
		{"Run `make lint test V=1`, then `npm run build -- --watch`.", []string{"2 `lint`", "2 `test`", "3 `build`"}},
		{"```sh\nmake -C docs html\nmake deploy && yarn run e2e:ci\nsrc/in/a/fence.ts\n```\n", []string{"2 `deploy`", "3 `e2e:ci`"}},
		{"make sure that it works; we make it so", nil},
		{"`make <target>` `npm run test:*` `make $(TARGET)`", nil},
		{"a lone ` backtick before src/a.ts", []string{"1 src/a.ts"}},
		{"`v1.2.3` `e.g` `1.5` `foo()` `a.b.c`", []string{"1 `e.g`", "1 `a.b.c`"}},
		{"`parseFlags()` `run(a, b)` `start()` `parse_flags` `LOG_ENV` `class Ferry` `func open` `Ferry`",
			[]string{"4 `parseFlags`", "4 `start`", "4 `parse_flags`", "4 `LOG_ENV`", "4 `Ferry`"}},
		{"`Store.Reopen` `a::parse_it()` `store.close()` `package_list.json` `this->openFile`",
			[]string{"4 `Store`", "1 `Store.Reopen`", "4 `Reopen`", "4 `parse_it`", "4 `close`", "1 `package_list.json`",
				"4 `openFile`"}},
		{"`myFunction()` `MyClass` `fooBar` `x = parseFlags()` `<parseFlags>` `--dry_run` `git log_it` ` parse_it`", nil},
		{"Register `open_ferry` and `close_ferry`.\n```js\nname: \"open_ferry\"\n```\n", []string{"4 `close_ferry`"}},
		{"Never call `parseFlags()`, and don't use `open_file`.\nAvoid `read_file`", nil},
		{"Fields use camelCase (e.g., `lastSeen`).\nThey often get `src/x.ts` as a dangling reference", nil},
		{"Create `src/new.ts` with `openFerry()`, then `make lint`.\n- `src/cache.yaml` **NEW**", []string{"2 `lint`"}},
		{"`FerryEntity` needs the suffix\n## Naming\n`FerryDto` in `src/dto.ts`\n## Code\n`FerryRow`",
			[]string{"1 `src/dto.ts`", "4 `FerryRow`"}},
		{strings.Repeat("x", maxClaimLine) + " src/a.ts", nil},
		// of another repository
		{"In the `website` repository run `npm run deploy`.", nil},
		{"Run `npm run deploy` from a [site](https://example.org/site) checkout.", nil},
		{"## Site\nIt lives in a separate repo.\n\n- `npm run deploy` with `loadSite()`\n## Here\n`npm run build`, `loadSite`, `loadPage`",
			[]string{"3 `build`", "4 `loadPage`"}},
		{"## Site\n```sh\nnpm run deploy\n```\nThis is in the acme/site repo.\n", nil},
		{"## The `website` repository\n### Deploy\n`make site`\n## Here\n`make test`", []string{"2 `test`"}},
		{"See [tool](https://github.com/acme/tool) for `tool_one`\n\nThen `tool_one`, `open_two`", []string{"4 `open_two`"}},
		{"In this repository run `npm run deploy`; from the root of the repository `make lint`", []string{"3 `deploy`", "2 `lint`"}},
		{"This is the `acme` repository. Run `make lint`", []string{"2 `lint`"}},
		{"`cd ../website && npm run deploy`, `cd web && npm run build`", []string{"3 `build`"}},
		{"```sh\ncd ../website\nnpm run deploy\ncd web\nnpm run build\n```\n```\nmake test\n```\n", []string{"3 `build`", "2 `test`"}},
		// examples
		{"Each has a class of its own, for instance\n`FerryHandler` and `TrainHandler`.\n\n`BusHandler` is the base.", []string{"4 `BusHandler`"}},
		{"Name it after the row, for example:\n\n- `FerryHandler`\n- `TrainHandler`\n\nAll use `BusHandler`.", []string{"4 `BusHandler`"}},
		{"- Handlers, e.g.\n  `FerryHandler`\n- `BusHandler`", []string{"4 `BusHandler`"}},
		{"| Kind | Example |\n|---|---|\n| row | `FerryHandler` |\n\n`BusHandler`", []string{"4 `BusHandler`"}},
		{"Services such as `FerryHandler`", nil},
		{"1. Add a `FerryHandler`\n2. Implement a new class `TrainHandler`\n3. Add a call of `openRow()`, then use `BusHandler`",
			[]string{"4 `openRow`", "4 `BusHandler`"}},
		{"```go\ntype <Name>Handler struct{}\n```\n`FerryHandler` and `FerryStore`", []string{"4 `FerryStore`"}},
		{"Hooks are `use{Name}`: `useFerry`, `openFerry`", []string{"4 `openFerry`"}},
		{"`Promise<Row>` of `PromiseStore`", []string{"4 `PromiseStore`"}},
	} {
		if got := claimsOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q\nclaims %q\nwant   %q", c.text, got, c.want)
		}
	}
}

func TestStalePathsAreReportedAndRepaired(t *testing.T) {
	t.Parallel()
	text := "Start at `src/main.ts`, then `src/util.ts:4`.\nRun `make dist`.\nAgain `src/util.ts`, never `src/gone.ts`.\n"
	s := store{"/memories/a.md": text, "/memories/.hidden/b.md": text, "/memories/plans/c.md": text, "/memories/_archived/d/e.md": text,
		"/memories/2026-11-03-handoff.md": text, "/memories/CHANGELOG.md": text}
	source := s.source(nil)
	source.Project = func(_ context.Context, claims []Claim) (Checked, error) {
		out := Checked{Verdicts: make([]Verdict, len(claims)), Why: "Can't check all symbols of the project: git took too long"}
		for i, c := range claims {
			switch c.Name {
			case "src/util.ts":
				out.Verdicts[i] = Verdict{Why: "-> src/lib/util.ts", To: "src/lib/util.ts"}
			case "src/gone.ts", "dist":
				out.Verdicts[i] = Verdict{Why: "deleted 3 Nov 2026"}
			}
		}
		return out, nil
	}
	for i := range source.Files {
		source.Files[i].Hidden = strings.Contains(source.Files[i].Path, "/.hidden/")
	}
	report, err := Checker{checks: []check{claims}}.Check(t.Context(), source)
	if err != nil || len(report.Findings) != 2 {
		t.Fatalf("%v %v", report.told(), err)
	}
	if report.Unchecked == "" {
		t.Error("why symbols stand unchecked is lost")
	}
	moved, gone := report.Findings[0], report.Findings[1]
	if moved.Reason != "src/util.ts -> src/lib/util.ts" || moved.Count != 2 || len(moved.Repairs) != 2 {
		t.Errorf("moved: %+v", moved)
	}
	if gone.Reason != "make dist deleted 3 Nov 2026, 1 more stale name" || gone.Line != 2 || gone.Repairs != nil {
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
	f.Add("Run `make test`, see src/a.ts:12 and @docs/b.md.\n```\nnpm run x\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := &inspection{data: []byte(text), content: &inspected{}, found: map[Rule]*Finding{}}
		last := int64(0)
		for _, c := range in.claimed() {
			if c.place.Start < 0 || c.place.End > int64(len(text)) || text[c.place.Start:c.place.End] != c.Name {
				t.Fatalf("%q is at %+v of %q", c.Name, c.place, text)
			}
			if c.place.Start < last {
				t.Fatalf("places out of order in %q", text)
			}
			last = c.place.Start
		}
	})
}
