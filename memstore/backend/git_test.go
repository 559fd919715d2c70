package backend

import "testing"

func TestLooksLikeGit(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		".git": true, ".git/hooks/x": true, "a/.GIT/config": true, "git~1/config": true, "GIT~1": true, ".git. ./x": true, ".git  ": true,
		".g\u200cit/config": true, ".Gi\ufefft": true, ".git::$INDEX_ALLOCATION/x": true,
		".gitignore": false, "git": false, "git~2": false, ".github/x.md": false, "a.git/x": false, "notes.md": false,
	} {
		if got := LooksLikeGit(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}
