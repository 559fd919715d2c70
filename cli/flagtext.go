package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memcurator/cli/session"
	"memcurator/memstore"
)

// flagsPlace is replaced, in a help text, by the rows of the command's flags.
const flagsPlace = "{flags}\n"

// globalFlagsHint ends the list of a command's flags.
const globalFlagsHint = "Global flags: " + session.Program + " help flags\n"

// helpWidth is the maximum width of help lines.
const helpWidth = 92

// helpText is the help of a command, with the rows of its flags. It is made only where it is shown: to make that of every command took a
// fifth of each start.
func helpText(c *cobra.Command) string {
	hint := ""
	if c.HasParent() {
		hint = globalFlagsHint
	}
	c.Flags().SortFlags = false
	return withFlags(withDialects(c.Long), c.LocalNonPersistentFlags(), hint)
}

// withFlags inserts the rows of flags, and a line after them, into a help text.
func withFlags(help string, flags *pflag.FlagSet, hint string) string {
	before, after, found := strings.Cut(help, flagsPlace)
	if !found {
		return help
	}
	if after != "" {
		after = "\n" + after
	}
	return before + flagRows(flags) + hint + after
}

// flagRows describes each flag: its form, and what it does.
func flagRows(flags *pflag.FlagSet) string {
	var rows [][2]string
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			rows = append(rows, oneFlag(f))
		}
	})
	return helpRows(rows)
}

// oneFlag is the form of a flag with its value, and what it does. If the usage begins with the name of its value (`NAME`: ...), that is
// removed.
func oneFlag(f *pflag.Flag) [2]string {
	value, usage := pflag.UnquoteUsage(f)
	usage = strings.TrimPrefix(usage, value+": ")
	form := "    --" + f.Name
	if f.Shorthand != "" {
		form = "-" + f.Shorthand + ", --" + f.Name
	}
	if f.Value.Type() != "bool" {
		form += " " + strings.ToUpper(value)
	}
	return [2]string{form, usage}
}

// helpRows puts terms and their descriptions side by side and wraps long ones.
func helpRows(rows [][2]string) string {
	wide := 0
	for _, row := range rows {
		wide = max(wide, utf8.RuneCountInString(row[0]))
	}
	var b strings.Builder
	indent := "\n" + strings.Repeat(" ", wide+4)
	for _, row := range rows {
		fmt.Fprintf(&b, "  %-*s  %s\n", wide, row[0], strings.Join(wrapped(row[1], helpWidth-wide-4), indent))
	}
	return b.String()
}

// wrapped breaks a text between words into lines of at most width characters.
func wrapped(text string, width int) (lines []string) {
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > width {
			lines, line, used = append(lines, line), "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	return append(lines, line)
}

// withDialects inserts the names of the dialects into a help text, and all their forms.
func withDialects(help string) string {
	return strings.NewReplacer("{dialects}", memstore.DialectNames(), "{dialect forms}",
		strings.Join(memstore.DialectForms(), ", ")).Replace(help)
}
