package keymap_test

import (
	"strings"
	"testing"

	"memcurator/keymap"
)

func TestNewRefusesDoubleBindings(t *testing.T) {
	_, err := keymap.New([]keymap.Action{
		{ID: "a", Scope: keymap.Tree, Keys: []string{"x"}, Help: "a"},
		{ID: "b", Scope: keymap.Tree, Keys: []string{"x"}, Help: "b"},
	})
	if err == nil || !strings.Contains(err.Error(), `"x"`) {
		t.Errorf("two actions on one key: error %v", err)
	}
}
