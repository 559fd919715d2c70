package lint

import (
	"bytes"
	"regexp"
)

// otherRepository finds words that name another repository: "in the `website` repository", "from a [tool](https://...) checkout", "in a
// separate repo". A name has a sign of one or is in backticks, bold or a link: "the code repository" may be this one.
var otherRepository = regexp.MustCompile(`(?i)\b(?:in|inside|from|of|to|into|with|see|clone|at|under|per)\s+(?:(?:the|an?|your|its)\s+)?` +
	"(?:`[^`\n]+`|\\*\\*[^*\\n]+\\*\\*|\\[[^\\]\\n]+\\](?:\\([^)\\s]*\\))?|\\w+(?:[-./]\\w+)+)" +
	`(?:\s+(?:git|github))?\s+(?:repo|repository|checkout|clone)\b|` +
	`\b(?:another|other|separate|different|sibling|external|companion|(?:its|their) own)\s+(?:` + "`[^`\n]+`\\s+" +
	`)?(?:git\s+|github\s+)?(?:repo|repository|checkout)\b`)

// ownRepository are words that look the same but mean the repository of the note.
var ownRepository = regexp.MustCompile(
	`(?i)\b(?:this is (?:the|a)|(?:this|current|same|whole|entire|present)\s+(?:repo|repository|checkout|clone))\b`)

// otherLink finds the link to a whole repository.
var otherLink = regexp.MustCompile(`\]\(https?://(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/[\w.-]+/[\w.-]+/?\)`)

// elsewhere are the sections of a note about other repositories: the project says nothing about what they name.
type elsewhere struct {
	begin int  // of the section in the claims
	other bool // the section names another repository
	level int  // of the heading that does; 0: none
}

// read reads a line outside of code blocks.
func (e *elsewhere) read(line []byte) {
	lower := bytes.ToLower(line)
	may := func(word string) bool { return bytes.Contains(lower, []byte(word)) }
	if !e.other && (may("repo") || may("checkout") || may("clone")) { // few lines are worth the expressions
		e.other = otherRepository.Match(line) && !ownRepository.Match(line)
	}
}

// section ends a section at the next heading, or at the end of the text.
func (e *elsewhere) section(list claimList, heading []byte) claimList {
	if e.other {
		list = list[:e.begin]
	}
	level := len(heading) - len(bytes.TrimLeft(heading, "#"))
	if e.level > 0 && level <= e.level {
		e.level = 0
	}
	if e.level == 0 && level > 1 && otherRepository.Match(append([]byte("in "), bytes.TrimLeft(heading, "# ")...)) &&
		!ownRepository.Match(heading) {
		e.level = level
	}
	e.begin, e.other = len(list), e.level > 0
	return list
}
