package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// How many the lists have.
const (
	expectationCount = 32
	guaranteeCount   = 21
)

// The table of docs/expectations.md is complete and names tests that exist.
func TestTheTableOfExpectations(t *testing.T) { checkTable(t, "expectations.md", expectationCount) }

// So is that of docs/guarantees.md.
func TestTheTableOfGuarantees(t *testing.T) { checkTable(t, "guarantees.md", guaranteeCount) }

// A limit needs a number, a sentence and a test.
func TestTheTableOfLimits(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "guarantees.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, limits, _ := strings.Cut(string(data), "## Limits")
	_, table, found := strings.Cut(limits, "| --- | --- | --- | --- |\n")
	if !found {
		t.Fatal("docs/guarantees.md has no table of limits")
	}
	tests := testNames(t)
	named := regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Za-z0-9]+)`")
	for row := range strings.Lines(table) {
		if !strings.HasPrefix(row, "|") {
			break
		}
		cells := strings.Split(strings.TrimSpace(row), "|")
		if len(cells) != 6 {
			t.Errorf("a row of %d cells: %s", len(cells)-2, row)
			continue
		}
		name := strings.TrimSpace(cells[1])
		if !strings.ContainsAny(cells[2], "0123456789") {
			t.Errorf("the limit %q has no number", name)
		}
		if strings.TrimSpace(cells[3]) == "" {
			t.Errorf("the limit %q has no sentence", name)
		}
		held := named.FindAllStringSubmatch(cells[4], -1)
		if len(held) == 0 {
			t.Errorf("the limit %q has no test", name)
		}
		for _, test := range held {
			if !tests[test[1]] {
				t.Errorf("the limit %q names %s, which is not a test", name, test[1])
			}
		}
	}
}

// A defence that names a test which does not exist is a promise that nothing holds.
func TestTheTablesOfSecurity(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(row), "|")
		if len(cells) != 5 || strings.HasPrefix(strings.TrimSpace(cells[3]), "-") || strings.TrimSpace(cells[3]) == "test" {
			continue
		}
		held := named.FindAllStringSubmatch(cells[3], -1)
		if len(held) == 0 {
			t.Errorf("%q has no test", strings.TrimSpace(cells[1]))
		}
		for _, test := range held {
			if !tests[test[1]] {
				t.Errorf("%q names %s, which is not a test", strings.TrimSpace(cells[1]), test[1])
			}
		}
	}
}

func checkTable(t *testing.T, file string, count int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", file))
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	named := regexp.MustCompile("`((?:Test|Benchmark)[A-Za-z0-9]+)`")
	next := 1
	for row := range strings.SplitSeq(string(data), "\n") {
		cells := strings.Split(row, "|")
		if len(cells) != 6 {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue
		}
		if n != next {
			t.Errorf("number %d follows %d", n, next-1)
		}
		next = n + 1
		held := named.FindAllStringSubmatch(cells[3], -1)
		if len(held) == 0 && strings.TrimSpace(cells[4]) == "" {
			t.Errorf("number %d is held by nothing", n)
		}
		for _, name := range held {
			if !tests[name[1]] {
				t.Errorf("number %d names %s, which is not a test", n, name[1])
			}
		}
	}
	if next != count+1 {
		t.Errorf("the table ends with number %d", next-1)
	}
}

// testNames lists the tests and benchmarks of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	eachGoFile(t, func(disk, _ string) {
		if !strings.HasSuffix(disk, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), disk, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[fn.Name.Name] = true
			}
		}
	})
	return names
}
