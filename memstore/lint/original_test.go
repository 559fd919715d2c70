package lint

import "testing"

func TestCopiesAreToldByTheirNames(t *testing.T) {
	for name, want := range map[string]int{
		"errors.md": 0, "errors-copy.md": 2, "errors copy.md": 2, "Copy of errors.md": 2, "billing.bak.md": 2, "billing.md.bak": 2,
		"billing.md~": 2, "billing (1).md": 2, "billing(12).md": 2, "old/billing.md": 2, "old-billing.md": 2, "backup/a.md": 2,
		"long2.md": 1, "long-2.md": 1, "long 003.md": 1, "2026-11-23.md": 0, "plan-2026.md": 0, "2026.md": 0, "7.md": 0, "plan-2026-04.md": 0,
		"folder.md": 0, "copyright.md": 0, "golden.md": 0, "v2/a.md": 0, "notes (draft).md": 0,
	} {
		if got := copyRank("/memories/" + name); got != want {
			t.Errorf("%s: %d, not %d", name, got, want)
		}
	}
}
