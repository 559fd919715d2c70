package config

import "reflect"

// What only tests of the package ask for.
const MaxConfigBytes = maxConfigBytes

// KeysOf are the names of keys by their sections, as the documentation has them.
func KeysOf() map[string][]string {
	names := func(t reflect.Type) (out []string) {
		for _, f := range reflect.VisibleFields(t) {
			if name := f.Tag.Get("toml"); name != "" && (f.Tag.Get("is") != "" || f.Type.Kind() == reflect.Struct && f.Type.NumField() == 2 &&
				f.Type.Field(1).Type == reflect.TypeFor[Origin]()) {
				out = append(out, name)
			}
		}
		return out
	}
	return map[string][]string{
		"": names(reflect.TypeFor[section]()), "[ui]": names(reflect.TypeFor[UI]()), "[limits]": names(reflect.TypeFor[Limits]()),
		"[journal]": names(reflect.TypeFor[Journal]()), "[[rule]]": names(reflect.TypeFor[Rule]()), "[scrub]": names(reflect.TypeFor[Scrub]()),
		"[scrub.class.NAME]": names(reflect.TypeFor[ScrubClass]()), "[discover]": names(reflect.TypeFor[discover]()), "[stores.NAME]": {"dir"},
	}
}
