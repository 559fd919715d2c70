package scrub

// detector is code that finds values where a pattern cannot.
type detector struct {
	// rules are the names under which rule files speak of what it finds, in their field detector.
	rules []string
	// words lead to it, in lower case; nil where words of rules/words.toml do, or the walk from word to word.
	words func() []string
	// begin prepares the detector for a text.
	begin func(*scan) reading
}

// reading examines the text around one of a detector's words, which spans start to end.
type reading func(start, end int)

// registered are all detectors. A new one is a file of its own and an entry here; no word leads to two of them.
var registered = []detector{
	privateKeys, urlCredentials, markdownTables, signInCommands, pipedPasswords, wifiCodes, pgpassLines, signInFlags,
	callArguments, keyedCalls, jsonWebKeys, insertedRows,
	// What cues announce, and what shows by itself what it is.
	{rules: []string{"password", "secret", "totp", "header", "recovery", "phrase", "codes"}},
	{rules: []string{"email", "iban", "ip-address", "phone", "encoded"}},
}

// hasDetector reports whether code finds values for rules with a name in their field detector.
func hasDetector(name string) bool {
	for _, d := range registered {
		for _, r := range d.rules {
			if r == name {
				return true
			}
		}
	}
	return false
}
