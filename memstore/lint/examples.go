package lint

import (
	"bytes"
	"regexp"
	"strings"
)

// examples are words that introduce examples.
var examples = regexp.MustCompile(`(?i)\b(?:for instance|such as|examples?|e\.g)\b`)

// listItem begins a new item of a list.
var listItem = regexp.MustCompile(`^(?:[-*+]|\d+[.)])\s`)

// showing follows which lines of a text give examples: the rest of a paragraph, an item of a list or a table that says so, and the list
// below a line that does and ends with a colon.
type showing struct {
	on, introduced, blank bool
}

// read reads a line outside of code blocks, and reports whether its names are examples; words is the line without code.
func (s *showing) read(line, words []byte) bool {
	trimmed := bytes.TrimSpace(line)
	item := listItem.Match(trimmed)
	switch {
	case len(trimmed) == 0:
		s.blank = true
		s.on = s.on && s.introduced
		return false
	case trimmed[0] == '#',
		item && !s.introduced,
		s.blank && !item && line[0] != ' ' && line[0] != '\t':
		s.on, s.introduced = false, false
	}
	s.blank = false
	if examples.Match(words) && trimmed[0] != '#' {
		s.on = true
		s.introduced = s.introduced || bytes.HasSuffix(bytes.TrimRight(trimmed, "*_"), []byte(":"))
	}
	return s.on
}

// invented ends with words behind which a name is one that the reader is to make up: "Add a", "Write a new handler".
var invented = regexp.MustCompile(`(?i)\b(?:add|define|implement|write|declare|introduce)\s+(?:an?|your|another|(?:the |a )?new)\s+` +
	`(?:new\s+)?(?:(?:class|type|struct|interface|enum|trait|function|method|module|component|hook|handler|service|test)\s+)?` +
	`(?:(?:named|called)\s+)?$`)

// template is a name with a placeholder in it: <Name>Handler, use{Name}, {{Name}}Store, [Name]Service, ${Name}Row.
var template = regexp.MustCompile(`(\w*)(?:<[A-Za-z][\w -]*>|\$?\{\{?[A-Za-z]\w*\}?\}|\[[A-Z]\w*\])(\w+)|(\w*[a-z_])\$?\{\{?[A-Z]\w*\}?\}`)

// minTemplate is how many letters a template has at least, besides its placeholder.
const minTemplate = 3

// templates reads the templates of names in a text, if its claims name symbols. It returns what reports whether a name fits one: then the
// name is an example of it.
func templates(data []byte, list claimList) (fits func(name string) bool) {
	var ends [][2]string
	for _, c := range list {
		if c.Kind != ClaimSymbol {
			continue
		}
		for _, m := range template.FindAllSubmatch(data, maxTemplates) {
			before, after := string(m[1])+string(m[3]), string(m[2])
			if len(before)+len(after) >= minTemplate {
				ends = append(ends, [2]string{before, after})
			}
		}
		break
	}
	return func(name string) bool {
		for _, e := range ends {
			if len(name) > len(e[0])+len(e[1]) && strings.HasPrefix(name, e[0]) && strings.HasSuffix(name, e[1]) {
				return true
			}
		}
		return false
	}
}

// maxTemplates is how many templates of a text are read.
const maxTemplates = 200
