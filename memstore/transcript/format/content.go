package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// ContentText is the text of a result: a string, or the texts of the blocks in an array.
func ContentText(v rawjson.Value) string {
	if v.IsString() {
		return v.Text()
	}
	var b strings.Builder
	leaves(&b, v, 0)
	return b.String()
}

// leaves writes the texts of a result: of the blocks in an array, or of the leaves of a tree, as VS
// Code keeps what it has rendered.
func leaves(b *strings.Builder, v rawjson.Value, depth int) {
	switch {
	case depth > rawjson.MaxDepth:
	case v.IsString():
		b.WriteString(v.Text())
	case v.IsArray():
		v.Each(func(e rawjson.Value) { leaves(b, e, depth+1) })
	case v.IsObject():
		o := v.Object()
		for _, key := range []string{"text", "value", "node", "children"} {
			if inner := o.Get(key); inner != nil {
				leaves(b, inner, depth+1)
			}
		}
	}
}
