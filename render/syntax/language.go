package syntax

import (
	"path"
	"strings"
)

// Language describes how to highlight a family of texts. Its values are immutable.
type Language struct {
	// scan reports the roles of a line that begins in a state and returns the state of the next line; 0 is the initial one.
	scan func(line []byte, state uint8, give func(n int, role roleOf)) uint8
}

const (
	goWords = `break case chan const continue default defer else fallthrough for func go goto if import interface map package
		range return select struct switch type var nil true false iota any bool byte error float64 int int64 rune string uint64`
	pythonWords = `and as assert async await break class continue def del elif else except finally for from global if import in
		is lambda match nonlocal not or pass raise return try while with yield None True False self`
	scriptWords = `async await break case catch class const continue debugger default delete do else enum export extends finally
		for from function if implements import in instanceof interface let new of private protected public return static super
		switch this throw try type typeof var void while yield null undefined true false`
	shellWords = `if then else elif fi case esac for select while until do done in function return exit local export readonly
		declare set unset shift trap true false echo cd source`
	cWords = `abstract async auto await bool boolean break byte case catch char class const continue crate default delete do
		double dyn else enum explicit extends extern final finally float fn for friend fun goto if impl implements import in
		inline instanceof int interface internal is let long loop match mod move mut namespace new null nullptr object operator
		override package private protected pub public ref return self short signed sizeof static string struct super switch
		template this throw throws trait true false try type typedef union unsafe unsigned use using val var virtual void
		volatile when where while yield`
	sqlWords = `select insert update delete from where and or not in is null as on join left right inner outer group by order
		having limit offset union all distinct create table index view drop alter add primary key foreign references default
		values into set begin commit rollback case when then else end like between exists`
)

// Quotes of the languages; longer ones come before shorter ones.
var (
	plainQuotes  = []quote{{`"`, `"`, true, false}, {`'`, `'`, true, false}}
	rawQuotes    = append([]quote{{"`", "`", false, true}}, plainQuotes...)
	tripleQuotes = append([]quote{{`"""`, `"""`, true, true}, {`'''`, `'''`, true, true}}, plainQuotes...)
	tomlQuotes   = []quote{{`"""`, `"""`, true, true}, {`'''`, `'''`, false, true}, {`"`, `"`, true, false}, {`'`, `'`, false, false}}
	dataQuotes   = []quote{{`"`, `"`, true, false}, {`'`, `'`, false, false}}
	jsonQuotes   = []quote{{`"`, `"`, true, false}}
)

var (
	jsonLanguage = code(grammar{comments: []string{"//"}, quotes: jsonQuotes, words: words("true false null"), key: ':'})
	yamlLanguage = code(grammar{comments: []string{"#"}, apart: true, quotes: dataQuotes,
		words: words("true false null yes no on off"), key: ':', wide: true, dates: true})
	tomlLanguage = code(grammar{comments: []string{"#", ";"}, quotes: tomlQuotes, words: words("true false"), key: '=', sections: true,
		dates: true})
	goLanguage     = code(grammar{comments: []string{"//"}, block: true, quotes: rawQuotes, words: words(goWords)})
	pythonLanguage = code(grammar{comments: []string{"#"}, quotes: tripleQuotes, words: words(pythonWords)})
	scriptLanguage = code(grammar{comments: []string{"//"}, block: true, quotes: rawQuotes, words: words(scriptWords)})
	shellLanguage  = code(grammar{comments: []string{"#"}, apart: true, quotes: plainQuotes, words: words(shellWords)})
	cLanguage      = code(grammar{comments: []string{"//"}, block: true, quotes: plainQuotes, words: words(cWords)})
	sqlLanguage    = code(grammar{comments: []string{"--"}, block: true, quotes: dataQuotes,
		words: words(sqlWords + " " + strings.ToUpper(sqlWords))})
	xmlLanguage  = &Language{scan: scanMarkup}
	diffLanguage = &Language{scan: scanDiff}
)

// byName maps file extensions and words after code fences to languages.
var byName = map[string]*Language{
	"json": jsonLanguage, "jsonl": jsonLanguage, "ndjson": jsonLanguage, "jsonc": jsonLanguage, "json5": jsonLanguage,
	"yaml": yamlLanguage, "yml": yamlLanguage,
	"toml": tomlLanguage, "ini": tomlLanguage, "cfg": tomlLanguage, "conf": tomlLanguage, "properties": tomlLanguage, "env": tomlLanguage,
	"xml": xmlLanguage, "html": xmlLanguage, "htm": xmlLanguage, "svg": xmlLanguage, "xhtml": xmlLanguage, "rss": xmlLanguage,
	"diff": diffLanguage, "patch": diffLanguage,
	"go": goLanguage, "golang": goLanguage,
	"py": pythonLanguage, "python": pythonLanguage, "pyi": pythonLanguage,
	"js": scriptLanguage, "javascript": scriptLanguage, "mjs": scriptLanguage, "cjs": scriptLanguage, "jsx": scriptLanguage,
	"ts": scriptLanguage, "typescript": scriptLanguage, "tsx": scriptLanguage,
	"sh": shellLanguage, "bash": shellLanguage, "zsh": shellLanguage, "shell": shellLanguage, "console": shellLanguage, "fish": shellLanguage,
	"c": cLanguage, "h": cLanguage, "cc": cLanguage, "cpp": cLanguage, "hpp": cLanguage, "cxx": cLanguage, "c++": cLanguage, "java": cLanguage,
	"cs": cLanguage, "csharp": cLanguage, "kt": cLanguage, "kotlin": cLanguage, "swift": cLanguage, "rs": cLanguage, "rust": cLanguage,
	"scala": cLanguage, "php": cLanguage, "css": cLanguage, "dart": cLanguage, "zig": cLanguage,
	"sql": sqlLanguage,
}

// Named returns the language of a code fence, or nil.
func Named(name string) *Language {
	return byName[strings.ToLower(strings.TrimSpace(name))]
}

// ForFile returns the language of a file by its name, or nil.
func ForFile(name string) *Language {
	return byName[strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")]
}

// IsJSON reports whether the whole file should be a single JSON value.
func IsJSON(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc":
		return true
	}
	return false
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
