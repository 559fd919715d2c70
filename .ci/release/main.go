// Command release writes what a release archive says of the modules in the binary: the licenses
// of all of them, and a bill of materials.
//
//	go run ./.ci/release DIR
//
// writes DIR/THIRD_PARTY_NOTICES and DIR/memcurator.cdx.json (CycloneDX 1.5). Both come from the
// packages that the binaries of all released systems are built of, so that nothing is kept by
// hand. A module without a license is an error.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const (
	noticesFile = "THIRD_PARTY_NOTICES"
	sbomFile    = "memcurator.cdx.json"
)

// targets are the systems of .goreleaser.yml.
var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./.ci/release DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	modules, err := modulesOf(targets)
	if err != nil {
		return err
	}
	notices, err := noticesOf(modules)
	if err != nil {
		return err
	}
	sbom, err := sbomOf(modules)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, noticesFile), notices, 0o644),
		os.WriteFile(filepath.Join(dir, sbomFile), sbom, 0o644),
	)
}

// module is a module with at least one package in a binary.
type module struct {
	path, version string
	licenses      []license
}

type license struct{ file, text string }

// listed is what go list says of a package.
type listed struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version string }
	}
}

// modulesOf are the modules in the binaries, and the standard library as the first.
func modulesOf(targets []string) ([]module, error) {
	found := map[string]*module{}
	for _, target := range targets {
		system, arch, _ := strings.Cut(target, "/")
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", ".")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", target, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var p listed
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if p.Module == nil || p.Module.Main {
				continue // the standard library, or ours
			}
			m := found[p.Module.Path]
			if m == nil {
				m = &module{path: p.Module.Path, version: p.Module.Version}
				if r := p.Module.Replace; r != nil {
					m.path, m.version = r.Path, r.Version
				}
				found[p.Module.Path] = m
			}
			if err := m.addLicenses(p.Dir, p.Module.Dir); err != nil {
				return nil, err
			}
		}
	}
	std, err := standardLibrary()
	if err != nil {
		return nil, err
	}
	all := []module{std}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[path])
	}
	return all, nil
}

func standardLibrary() (module, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	m := module{path: "std", version: runtime.Version()}
	if err == nil {
		dir := strings.TrimSpace(string(root))
		err = m.addLicenses(dir, dir)
	}
	if err == nil && len(m.licenses) == 0 { // as some distributions pack it
		m.licenses = []license{{"LICENSE", "The Go standard library is under a BSD license: https://go.dev/LICENSE\n"}}
	}
	return m, err
}

var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense)([.-].*)?$`)

// addLicenses takes the licenses that are in the folder of a package, and above it up to
// the root of its module.
func (m *module) addLicenses(dir, root string) error {
	for at := dir; ; at = filepath.Dir(at) {
		entries, err := os.ReadDir(at)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || !licenseName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			file, err := filepath.Rel(root, filepath.Join(at, e.Name()))
			if err != nil {
				return err
			}
			if slices.ContainsFunc(m.licenses, func(l license) bool { return l.file == file }) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(at, e.Name()))
			if err != nil {
				return err
			}
			m.licenses = append(m.licenses, license{file, string(text)})
		}
		if at == root || len(at) <= len(root) {
			return nil
		}
	}
}

const rule = "\n================================================================================\n\n"

// noticesOf writes every license once, under the modules that come with it.
func noticesOf(modules []module) ([]byte, error) {
	var texts []string
	under := map[string][]string{}
	for _, m := range modules {
		if len(m.licenses) == 0 {
			return nil, fmt.Errorf("%s %s has no file with a license", m.path, m.version)
		}
		for _, l := range m.licenses {
			text := strings.TrimSpace(strings.ReplaceAll(l.text, "\r\n", "\n"))
			if under[text] == nil {
				texts = append(texts, text)
			}
			under[text] = append(under[text], m.path+" "+m.version+" ("+filepath.ToSlash(l.file)+")")
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "memcurator contains the Go standard library and %d modules by others, under these licenses.\n", len(modules)-1)
	for _, text := range texts {
		b.WriteString(rule + strings.Join(under[text], "\n") + "\n\n" + text + "\n")
	}
	return b.Bytes(), nil
}

// The bill of materials, as far as it is needed.
type (
	bom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		PURL    string `json:"purl,omitempty"`
	}
)

func sbomOf(modules []module) ([]byte, error) {
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{component{Type: "application", Name: "memcurator"}}}
	for _, m := range modules {
		b.Components = append(b.Components, component{
			Type: "library", Name: m.path, Version: m.version, PURL: "pkg:golang/" + m.path + "@" + m.version,
		})
	}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}
