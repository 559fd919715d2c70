package session

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// The annotations of a command that has a row in the list of commands.
const (
	rowWords = "row words"
	rowDoes  = "row does"
)

// HelpRow are the annotations of a command that has a row in the program's help: its words, and what it does, where
// commands without a row of their own can be named too.
func HelpRow(words, does string) map[string]string {
	return map[string]string{rowWords: words, rowDoes: does}
}

// HelpRows are the rows of commands, in their order.
func HelpRows(commands []*cobra.Command) string {
	var b strings.Builder
	for _, c := range commands {
		if words, ok := c.Annotations[rowWords]; ok {
			fmt.Fprintf(&b, "  %s\n", strings.TrimRight(fmt.Sprintf("%-27s %s", words, c.Annotations[rowDoes]), " "))
		}
	}
	return b.String()
}
