package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Does is what a tool does to files.
type Does uint8

// What tools do. The tools of Claude Code have these names, too.
const (
	NoFiles Does = iota
	Writes       // a whole file
	Edits        // one text in place of another
	EditsMany
	Reads
	Patches // several files, as a patch says
	Blocks  // one file, by blocks of text to search and replace
	Shell   // what a command does
	Deletes
)

// Several reports a tool whose input says in its own way what it does to files.
func (d Does) Several() bool { return d == Patches || d == Blocks || d == Deletes }

// FileTool is what the tool with a name does to files, in any case of its letters; whatever program it is of.
func FileTool(name string) Does {
	if len(name) > longestTool {
		return NoFiles
	}
	name = strings.ToLower(name)
	for i := range registered {
		if does := registered[i].Files[name]; does != NoFiles {
			return does
		}
	}
	return NoFiles
}

// longestTool bounds the names that are looked up.
const longestTool = 32

// Setting is what a value says of the values after it in its file; "" where it says nothing.
type Setting struct{ Session, Model, Dir string }

// ReadSetting reads the setting that a value at the top of a file makes, in the format of that file.
func ReadSetting(name string, v rawjson.Value) Setting {
	for i := range registered {
		if f := &registered[i]; f.Name == name && f.Setting != nil {
			return f.Setting(v.Object())
		}
	}
	return Setting{}
}

// Unwrap is what takes off the text around results in files of a format; nil: there is none.
func Unwrap(name string) func(text string) (inner string, failed, told bool) {
	for i := range registered {
		if registered[i].Name == name {
			return registered[i].Unwrap
		}
	}
	return nil
}

// AnswersAfter reports whether edits are answered with the file after them in files of a format.
func AnswersAfter(name string) bool {
	for i := range registered {
		if registered[i].Name == name {
			return registered[i].After
		}
	}
	return false
}

// Words are those of values that must be read in files of a format though they mention no memory.
func Words(name string) []string {
	for i := range registered {
		if registered[i].Name == name {
			return registered[i].Words
		}
	}
	return nil
}
