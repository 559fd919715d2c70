package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"memcurator/keymap"
)

// Every action that a text names exists.
func TestTextsNameRealActions(t *testing.T) {
	named := 0
	for _, said := range sentences(t) {
		for _, n := range regexp.MustCompile(`\{([a-z-]+)/([a-z-]+)\}`).FindAllStringSubmatch(said, -1) {
			if named++; Keys().KeyFor(keymap.Scope(n[1]), keymap.ID(n[2])) == "" {
				t.Errorf("there is no action %s in the scope %s", n[2], n[1])
			}
		}
	}
	if named == 0 {
		t.Fatal("no text names a key")
	}
}

// A key that is written out would be wrong for a user who has remapped it.
func TestTextsWriteNoKeyOut(t *testing.T) {
	key := regexp.MustCompile(`\b(esc|enter|tab|space|pgup|pgdown|ctrl\+\S|shift\+\S)\b|[:;,] [a-zA-Z1-9$?/] [a-z]+s\b|[:;,] [B-HJ-Z] [a-z]|^[B-HJ-Z] [a-z]|\b[b-zA-HJ-Z] (goes|takes|shows|copies|writes|runs|quits|searches|cancels|sets|drops|leaves)\b`)
	for _, said := range sentences(t) {
		if at := key.FindString(strings.ReplaceAll(said, "%s", "_")); at != "" && !meansNoKey[at] {
			t.Errorf("%q names the key in %q", said, at)
		}
	}
}

// meansNoKey are words that look like keys.
var meansNoKey = map[string]bool{
	"space": true, // white space
	"tab":   true, // a part of the screen
}

// sentences are the string literals of the whole interface that may be shown: those with several words.
func sentences(t *testing.T) []string {
	t.Helper()
	var said []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if field, ok := n.(*ast.KeyValueExpr); ok {
				if name, ok := field.Key.(*ast.Ident); ok && (name.Name == "Keys" || name.Name == "Help") { // of an action
					return false
				}
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if strings.ContainsAny(text, " {") {
					said = append(said, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}
