package keymap

import "slices"

// synonyms are other names of an action, by its ID or by the verb of its help.
var synonyms = map[string][]string{
	"findings": {"secret", "secrets", "mask", "scrub", "redact", "purge", "dismiss", "password", "token", "pii"},
	"curate":   {"expire", "prune", "cleanup", "rules", "policy", "settings", "config", "dedupe", "duplicates", "merge"},
	"apply":    {"prune", "clean", "accept", "merge", "dedupe"},

	string(FindingPurge):  {"secret", "redact", "scrub", "mask", "forget"},
	string(FindingRedact): {"secret", "scrub", "mask"},
	string(FindingAllow):  {"secret", "allow", "ignore", "false positive"},

	"quit":          {"exit", "close", "leave"},
	"stores":        {"overview", "memories", "machine", "picker", "projects"},
	"trash":         {"bin", "deleted", "recycle", "undo delete"},
	"changes":       {"history", "log", "inbox", "audit"},
	"travel":        {"history", "checkout", "time machine"},
	"at":            {"history", "time", "time machine"},
	"edit":          {"write", "save", "open"},
	"help":          {"keys", "manual"},
	"find":          {"grep", "search"},
	"search":        {"grep", "locate"},
	"theme":         {"colour", "color", "settings", "config", "dark mode", "light mode"},
	"dialect":       {"settings", "config"},
	"mouse":         {"settings", "config"},
	"replay":        {"transcript", "session", "conversation"},
	"delete-marked": {"remove", "rm", "bin", "trash", "forget"},
	"move":          {"rename", "mv"},
	"move-to":       {"promote", "transfer", "store"},
	"copy-to":       {"promote", "duplicate", "transfer", "store"},
	"rescue":        {"stranded", "renamed", "worktree", "orphan"},
	"revert":        {"rollback", "undo"},
	"revert-hunk":   {"rollback", "undo"},
	"restore":       {"rollback", "recover", "undelete"},
	"put-back":      {"restore", "undelete", "recover", "undo delete"},
	"mark":          {"select", "tick"},
	"mark-all":      {"select"},
	"mark-none":     {"clear", "deselect"},
	"mark-invert":   {"invert"},
	"never":         {"keep", "ignore", "exclude"},
	"ttl":           {"expire", "expires", "lifetime", "keep"},
	"keep-longer":   {"expire", "extend", "lifetime", "ttl"},
	"keep-shorter":  {"expire", "lifetime", "ttl"},
	"keep-for-good": {"expire", "never", "lifetime", "ttl"},
	"mark-read":     {"approve", "seen", "done", "accept"},
	"read-all":      {"approve", "seen"},
	"listing":       {"load", "index", "context"},
	"new-file":      {"create", "add", "touch"},
	"compare":       {"diff"},
	"diff-at":       {"compare", "history"},
	"undo":          {"back", "revert", "undo delete"},
	"messages":      {"log", "errors"},
	"call-of":       {"trace", "transcript"},
	"show-hidden":   {"dotfiles"},
	"copy":          {"yank", "clipboard", "export"},
	"follow":        {"live", "watch"},
	"live":          {"watch"},
	"alert":         {"banner", "damage", "repair"},
}

// called are words that the prompt accepts as the name of an action.
var called = map[string]ID{
	"exit": Quit, "bin": ScreenTrash, "secret": ScreenFindings, "secrets": ScreenFindings, "mask": ScreenFindings, "scrub": ScreenFindings,
	"redact-findings": FindingRedact, "expire": ScreenCurate, "prune": ScreenCurate, "history": ScreenChanges, "log": ScreenChanges,
	"save": Edit, "write": Edit, "grep": Find, "approve": MarkRead, "select-all": MarkAll,
	"open-change": Open,
}

// Called returns the sorted names of the actions also known by word.
func (m *Map) Called(word string) (names []string) {
	for _, name := range m.Names() {
		if a := m.actions[m.byName[name]]; slices.Contains(Synonyms(a), word) {
			names = append(names, name)
		}
	}
	return names
}

// Synonyms returns other names of an action.
func Synonyms(a Action) []string { return slices.Clone(synonyms[string(a.ID)]) }
