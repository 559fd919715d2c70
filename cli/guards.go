package cli

import (
	"fmt"
	"path/filepath"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/policy"
)

// enforce holds the handlers to what the configuration says for the store: with none, to nothing.
func enforce(o *memstore.Options, s settings, b memstore.Backend) *policy.Enforcer {
	e := policy.NewEnforcer(b, s.ofStore())
	o.Guards = append(o.Guards, e.Guard())
	o.ViewChars = e.ViewChars
	return e
}

// tallyFile is the name, in the state folder, of the count that processes with a cap share.
const tallyFile = "tally"

// taker takes each version of the configuration that is saved.
type taker interface{ Set(config.Settings) }

// takers are several.
type takers []taker

func (t takers) Set(s config.Settings) {
	for _, one := range t {
		one.Set(s)
	}
}

// guards are all that a store has.
type guards struct {
	takers
	limits *policy.Enforcer
}

// guard gives a store all its guards; say tells what is wrong with rules of the user. Locks and caps look at what an edit leaves
// after values in it were masked. It fails where the user's rules of sensitive values are asked for and cannot be read.
func (a *app) guard(o *memstore.Options, s settings, b memstore.Backend, say func(string)) (guards, error) {
	if err := a.needOwnRules(s); err != nil {
		return guards{}, err
	}
	e := enforce(o, s, b)
	if s.dir != "" && s.config != nil {
		if state := a.stateFolder(s.dir); state != "" {
			e.Share(filepath.Join(state, tallyFile))
		}
	}
	k := a.keeper(s, b, say)
	o.Guards = append(o.Guards, k.Guards()...)
	return guards{takers{e, k}, e}, nil
}

// ofStore is all that the configuration says for the store; of the demo, which has no place of its own, nothing.
func (s settings) ofStore() config.Settings {
	if s.dir == "" {
		return config.Settings{}
	}
	return s.config.For(s.dir)
}

// sayFollowed warns on standard error of a saved version that is ignored, and says when the file is valid again. A valid version
// after a valid one is not mentioned.
func (a *app) sayFollowed() func(followed) {
	said := map[bool]bool{} // by file: that the last version was not taken
	return func(f followed) {
		what := "configuration"
		if f.own {
			what = "rules file"
		}
		was := said[f.own]
		said[f.own] = f.kept != ""
		switch {
		case f.kept != "":
			a.say(fmt.Sprintf("Warning: The saved %s is ignored and the last good one stays in force: %s.", what, f.kept))
		case was:
			a.say(fmt.Sprintf("The %s is valid again and in force.", what))
		}
	}
}
