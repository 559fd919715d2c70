package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// maxConfig bounds the configuration that is read, in bytes.
const maxConfig = 1 << 20

// Locked returns why the repository is only read, as the end of a sentence; "" if we may also commit to it. The error is one of a run.
func (r Repository) Locked(ctx context.Context) (string, error) {
	if why := r.elsewhere(); why != "" {
		return why, nil
	}
	// git config starts nothing; what a configuration includes needs no look, since that alone decides
	out, err := r.read(ctx, maxConfig, "config", "--list", "--local", "--no-includes", "--null")
	if err != nil {
		return "", err
	}
	if key := named(out); key != "" {
		return "the configuration of the repository sets " + key, nil
	}
	if out, err = r.worktreeConfig(ctx); err != nil {
		return "", err
	}
	if key := named(out); key != "" {
		return "the configuration of the repository sets " + key, nil
	}
	return "", nil
}

// worktreeConfig is the configuration of this work tree alone, which has a file of its own where the repository says so.
func (r Repository) worktreeConfig(ctx context.Context) ([]byte, error) {
	name := filepath.Join(r.Top, folder, "config.worktree")
	if _, err := os.Lstat(name); err != nil {
		return nil, nil
	}
	return r.read(ctx, maxConfig, "config", "--list", "--file", name, "--no-includes", "--null")
}

// elsewhere says what of the repository isn't in the folder .git of its top, as with a linked work tree, a submodule, or a trap.
func (r Repository) elsewhere() string {
	at := filepath.Join(r.Top, folder)
	info, err := os.Lstat(at)
	switch {
	case err != nil:
		return "it has no .git folder"
	case !info.IsDir():
		return ".git is not a folder; it leads elsewhere"
	}
	for _, name := range []string{"commondir", "gitdir"} {
		if _, err := os.Lstat(filepath.Join(at, name)); err == nil {
			return ".git/" + name + " leads elsewhere"
		}
	}
	for _, name := range []string{"config", "index", "objects", "refs", "HEAD", "logs", "hooks", "info"} {
		if info, err := os.Lstat(filepath.Join(at, name)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return ".git/" + name + " leads elsewhere"
		}
	}
	return ""
}

// named is the first key of a configuration, as git config lists it with zero bytes, that names a program or a file elsewhere, in
// plain words: "" if there is none.
func named(list []byte) string {
	for entry := range strings.SplitSeq(string(list), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if namesProgram(key, value) {
			return key
		}
	}
	return ""
}

// programs are the keys whose value git may run, or that lead it to another place. A segment "*" is any subsection, or none.
var programs = []string{
	"core.hookspath", "core.sshcommand", "core.gitproxy", "core.askpass", "core.editor", "core.pager", "core.alternaterefscommand",
	"core.worktree", "core.attributesfile", "filter.*.clean", "filter.*.smudge", "filter.*.process", "diff.external", "diff.*.command",
	"diff.*.textconv", "merge.*.driver", "gpg.program", "gpg.*.program", "gpg.ssh.defaultkeycommand", "credential.helper",
	"credential.*.helper", "sequence.editor", "trailer.*.command", "trailer.*.cmd", "uploadpack.packobjectshook", "remote.*.uploadpack",
	"remote.*.receivepack", "remote.*.vcs", "interactive.difffilter", "include.path", "includeif.*.path", "hook.*.command", "hook.*.event",
	"extensions.partialclone", "remote.*.promisor", "extensions.compatobjectformat", "receive.procreceiverefs",
}

// namesProgram reports whether a setting, its key in lower case but for the subsection, names a program or another place.
func namesProgram(key, value string) bool {
	value = strings.ToLower(value)
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	switch strings.ToLower(section + "." + name) {
	case "core.fsmonitor": // yes or no names none
		return !isBool(value)
	case "commit.gpgsign", "tag.gpgsign": // it requires signed commits, which we don't make
		return value != "false" && value != "0" && value != "no" && value != "off"
	}
	if strings.EqualFold(section, "submodule") && strings.EqualFold(name, "update") && strings.HasPrefix(value, "!") {
		return true
	}
	for _, p := range programs {
		if matches(p, strings.ToLower(section), strings.ToLower(name), strings.Contains(rest, ".")) {
			return true
		}
	}
	return false
}

func isBool(value string) bool {
	switch value {
	case "", "true", "false", "yes", "no", "on", "off", "0", "1":
		return true
	}
	return false
}

func matches(pattern, section, name string, subsection bool) bool {
	parts := strings.Split(pattern, ".")
	if parts[0] != section || parts[len(parts)-1] != name {
		return false
	}
	return len(parts) == 2 && !subsection || len(parts) == 3 && subsection
}
