package git

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore/memtest"
)

// desk is a repository with a store in it, made with the git of the machine.
type desk struct {
	*testing.T
	top string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t, top}
	d.git("init", "-q", "-b", "main")
	return d
}

// git runs git without the configuration of this machine.
func (d *desk) git(args ...string) string {
	d.Helper()
	return memtest.Git(d, d.top)(args...)
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) write(name, body string) {
	d.Helper()
	memtest.WriteFiles(d, d.top, map[string]string{name: body})
}

func (d *desk) commit(subject string) string {
	d.Helper()
	d.git("add", "-A")
	d.git("commit", "-q", "-m", subject)
	return d.git("rev-parse", "HEAD")
}

// author says in the repository who commits, and keeps the user's own configuration away.
func (d *desk) author() {
	d.Helper()
	d.Setenv("HOME", d.TempDir())
	d.Setenv("XDG_CONFIG_HOME", "")
	d.git("config", "user.name", "Ann")
	d.git("config", "user.email", "ann@example.org")
}

func (d *desk) repository() Repository {
	d.Helper()
	r, ok := Around(d.top)
	if !ok || r.Top != d.top {
		d.Fatalf("around %s is %+v", d.top, r)
	}
	return r
}

// plan is a way to have git run a program, or to lead it elsewhere.
type plan struct {
	name  string
	plant func(d *desk, program string)
}

func set(key string) plan {
	return plan{name: key, plant: func(d *desk, program string) { d.git("config", key, program) }}
}

func plans() []plan {
	list := []plan{
		{name: "core.fsmonitor=true", plant: func(d *desk, _ string) { d.git("config", "core.fsmonitor", "true") }},
		{name: "hook", plant: func(d *desk, program string) {
			for _, hook := range []string{"post-index-change", "reference-transaction", "pre-commit", "prepare-commit-msg", "commit-msg",
				"post-commit", "pre-auto-gc", "post-checkout"} {
				name := filepath.Join(d.top, ".git", "hooks", hook)
				d.write(".git/hooks/"+hook, "#!/bin/sh\n"+program+"\n")
				d.must(os.Chmod(name, 0o755))
			}
		}},
		{name: "attributes", plant: func(d *desk, program string) {
			d.git("config", "filter.f.clean", program)
			d.git("config", "filter.f.smudge", program)
			d.git("config", "diff.f.textconv", program)
			d.git("config", "diff.f.command", program)
			d.git("config", "merge.f.driver", program)
			d.write(".gitattributes", "* filter=f diff=f merge=f\n")
		}},
		{name: "include", plant: func(d *desk, program string) {
			d.write("memories/settings", "[core]\n\tfsmonitor = "+program+"\n\tpager = "+program+"\n")
			d.git("config", "include.path", "../memories/settings")
		}},
		{name: "includeIf", plant: func(d *desk, program string) {
			d.write("memories/settings", "[core]\n\tfsmonitor = "+program+"\n")
			d.git("config", "includeIf.gitdir:/**.path", "../memories/settings")
		}},
		{name: "worktree config", plant: func(d *desk, program string) {
			d.git("config", "extensions.worktreeConfig", "true")
			d.git("config", "--worktree", "core.fsmonitor", program)
		}},
		{name: "missing object", plant: func(d *desk, program string) {
			d.git("config", "remote.origin.url", d.top)
			d.git("config", "remote.origin.uploadpack", program)
			d.git("config", "remote.origin.promisor", "true")
			d.git("config", "protocol.allow", "always")
			d.git("config", "protocol.file.allow", "always")
			d.git("config", "extensions.partialClone", "origin")
			blob := d.git("rev-parse", "HEAD:memories/a.md")
			d.must(os.Remove(filepath.Join(d.top, ".git", "objects", blob[:2], blob[2:])))
		}},
		{name: "gpg", plant: func(d *desk, program string) {
			d.git("config", "gpg.program", program)
			d.git("config", "log.showSignature", "true")
			d.git("config", "commit.gpgSign", "true")
		}},
		{name: "core.worktree", plant: func(d *desk, program string) { d.git("config", "core.worktree", d.TempDir()) }},
		{name: "gitdir file", plant: func(d *desk, program string) {
			to := filepath.Join(d.TempDir(), "elsewhere")
			d.must(os.Rename(filepath.Join(d.top, ".git"), to))
			d.write(".git", "gitdir: "+to+"\n")
		}},
		{name: "link", plant: func(d *desk, program string) {
			to := filepath.Join(d.TempDir(), "elsewhere")
			d.must(os.Rename(filepath.Join(d.top, ".git"), to))
			if err := os.Symlink(to, filepath.Join(d.top, ".git")); err != nil {
				d.Skip("no links here:", err)
			}
		}},
		{name: "commondir", plant: func(d *desk, program string) {
			other := newDesk(d.T)
			d.write(".git/commondir", filepath.Join(other.top, ".git")+"\n")
		}},
	}
	for _, key := range []string{"core.fsmonitor", "core.hooksPath", "core.sshCommand", "core.gitProxy", "core.askPass", "core.editor",
		"core.pager", "core.alternateRefsCommand", "core.attributesFile", "diff.external", "credential.helper",
		"credential.https://example.org.helper", "sequence.editor", "trailer.t.command", "trailer.t.cmd", "uploadpack.packObjectsHook",
		"remote.origin.receivepack", "remote.origin.vcs", "interactive.diffFilter", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand",
		"hook.h.command", "submodule.s.update"} {
		list = append(list, set(key))
	}
	return list
}

// Whatever a repository names, reading it starts nothing and writes nothing, and it gets no commits from us.
func TestNothingThatARepositoryNamesIsRun(t *testing.T) {
	for _, p := range plans() {
		t.Run(p.name, func(t *testing.T) {
			d := newDesk(t)
			d.author()
			d.write("memories/a.md", "one\n")
			d.commit("One")
			d.write("memories/a.md", "two\n")
			d.commit("Two")
			d.write("memories/a.md", "three\n") // the index is behind
			ran := filepath.Join(t.TempDir(), "ran")
			program := "echo >" + ran
			if p.name == "submodule.s.update" {
				program = "!" + program
			}
			p.plant(d, program)
			// git of the machine refreshes what it wants to, with what is planted; that is before us
			_ = os.Remove(ran)
			before := d.stamps()
			r := d.repository()
			ctx := t.Context()
			head, err := r.Head(ctx)
			if err == nil {
				_, err = r.Gone(ctx, head, ".")
			}
			if err != nil && p.name != "commondir" && p.name != "missing object" {
				t.Errorf("the commits: %v", err)
			}
			if _, err := r.Files(ctx, "."); err != nil && p.name != "commondir" {
				t.Errorf("the files: %v", err)
			}
			if text, err := os.ReadFile(ran); err == nil {
				t.Errorf("a program was run: %s", text)
			}
			if after := d.stamps(); !maps.Equal(before, after) {
				t.Errorf("looking changed the repository: %v, was %v", after, before)
			}
		})
	}
}

// stamps are sizes, modes and times of all that is in the work tree.
func (d *desk) stamps() map[string]string {
	d.Helper()
	list := map[string]string{}
	d.must(filepath.WalkDir(d.top, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		list[name] = info.Mode().String() + info.ModTime().String() + string(rune('0'+info.Size()%10))
		return nil
	}))
	return list
}

func TestWithoutGit(t *testing.T) {
	d := newDesk(t)
	t.Setenv("PATH", t.TempDir())
	if _, err := d.repository().Files(t.Context(), "."); !errors.Is(err, ErrMissing) {
		t.Errorf("the error is %v", err)
	}
}

func FuzzParseGone(f *testing.F) {
	f.Add([]byte("\x011700000000\x00\nD\x00a.md\x00R090\x00b.md\x00sub/c.md\x00"), "sub")
	f.Fuzz(func(t *testing.T, data []byte, below string) {
		for name := range parseGone(data, below) {
			if name == "" {
				t.Error("a path without a name")
			}
		}
	})
}

// Variables of a hook name another repository; ours is the one around the store.
func TestVariablesOfGitAreNotInherited(t *testing.T) {
	d, other := newDesk(t), newDesk(t)
	d.write("mine.md", "x")
	d.commit("Mine")
	other.write("theirs.md", "x")
	other.commit("Theirs")
	t.Setenv("GIT_DIR", filepath.Join(other.top, ".git"))
	t.Setenv("GIT_WORK_TREE", other.top)
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
	t.Setenv("GIT_CONFIG_VALUE_0", "false")
	if got, err := d.repository().Files(t.Context(), "."); err != nil || !slices.Equal(got, []string{"mine.md"}) {
		t.Errorf("the files are %q, %v", got, err)
	}
}
