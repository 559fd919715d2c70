package project

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/lint"
)

// commands are the targets or scripts of a project.
type commands struct {
	names map[string]bool
	// open: there are more, which reading the files doesn't show.
	open bool
	why  string // a clause for one that is missing
}

// look checks a command; has reports whether a file has its name, which is a target for make too.
func (c *commands) look(name string, has func(string) bool) lint.Verdict {
	if len(c.names) == 0 || c.open || c.names[name] || has(name) {
		return lint.Verdict{}
	}
	return lint.Verdict{Why: c.why}
}

// readCommands reads the targets of all Makefiles and the scripts of all package.json of the project.
func (p *Project) readCommands() {
	p.targets = &commands{names: map[string]bool{}, why: "has no rule"}
	p.scripts = &commands{names: map[string]bool{}, why: "not in package.json"}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }() // it was only read
	for _, kind := range []struct {
		names []string
		into  *commands
		parse func(c *commands, data []byte)
	}{
		{[]string{"Makefile", "makefile", "GNUmakefile"}, p.targets, (*commands).makefile},
		{[]string{"package.json"}, p.scripts, (*commands).packageJSON},
	} {
		var files []string
		for _, name := range kind.names {
			files = append(files, p.byName[name]...)
		}
		if !slices.ContainsFunc(files, func(f string) bool { return path.Dir(f) == "." }) {
			continue // notes about the whole project mean the commands of its root
		}
		slices.Sort(files)
		if len(files) > maxBuild {
			kind.into.open = true
			continue
		}
		for _, name := range files {
			data, ok := readText(root, filepath.FromSlash(name))
			if !ok {
				kind.into.open = true
				continue
			}
			kind.parse(kind.into, data)
		}
	}
}

// readText reads a regular file of at most maxText bytes.
func readText(root *os.Root, name string) ([]byte, bool) {
	if info, err := root.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
		return nil, false
	}
	f, err := quietfile.OpenIn(root, name, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	return data, err == nil && len(data) <= maxText
}

// rule is a line of a Makefile that names targets.
var rule = regexp.MustCompile(`^([^\s#:=][^#:=]*):{1,2}(?:[^=:]|$)`)

// makefile adds the targets of a Makefile.
func (c *commands) makefile(data []byte) {
	data = bytes.ReplaceAll(data, []byte("\\\n"), []byte(" "))
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		text := strings.TrimRight(string(line), "\r")
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch {
		case word == "include" || word == "-include" || word == "sinclude" || strings.HasPrefix(word, "$("):
			c.open = true
			continue
		case strings.HasPrefix(text, "\t"):
			continue
		}
		m := rule.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for _, target := range strings.Fields(m[1]) {
			if strings.ContainsAny(target, "%$") {
				c.open = true
				continue
			}
			c.names[target] = true
		}
	}
}

// packageJSON adds the scripts of a package.json.
func (c *commands) packageJSON(data []byte) {
	var file struct {
		Scripts map[string]any `json:"scripts"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		c.open = true
		return
	}
	for name := range file.Scripts {
		c.names[name] = true
	}
}
