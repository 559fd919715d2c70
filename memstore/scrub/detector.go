package scrub

import (
	"slices"
)

// detector is code that finds values where a pattern cannot.
type detector struct {
	// name is what rules call it in their field detector; "" for one that finds values for the rules of others.
	name string
	// rule is its rule, as a file of rules has it; "" where rules/*.toml have it.
	rule string
	// words lead to it, in lower case.
	words func() []string
	// begin prepares the detector for a text.
	begin func(*scan) reading
}

// reading examines the text around one of a detector's words, which spans start to end.
type reading func(start, end int)

// registered are all detectors. A new one is a file of its own and an entry here; no word leads to two of them.
var registered = []detector{
	privateKeys, urlCredentials, markdownTables, signInCommands, pipedPasswords, wifiCodes, pgpassLines, signInFlags,
	callArguments, keyedCalls, jsonWebKeys, insertedRows, privateBlocks,
}

// readers are the names of what finds values without a detector here: what cues announce, and what shows its kind by itself.
var readers = []string{"password", "secret", "totp", "header", "recovery", "phrase", "codes", "email", "iban", "ip-address", "phone",
	"encoded"}

// hasDetector reports whether code finds values for rules with a name in their field detector.
func hasDetector(name string) bool {
	return slices.Contains(readers, name) || slices.ContainsFunc(registered, func(d detector) bool { return d.name == name })
}
