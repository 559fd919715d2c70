package transcript

import "bytes"

// attachment is how the logs of Inspect name a text that is kept beside the messages.
var attachment = []byte(`"attachment://`)

// attached puts the texts that a sample keeps beside its messages in their places.
func attached(v value) value {
	if !v.isObject() || !bytes.Contains(v, attachment) {
		return v
	}
	texts := v.object().get("attachments").object()
	if len(texts) == 0 {
		return v
	}
	known := make(map[string]value, len(texts))
	for _, f := range texts {
		known[f.key] = f.val
	}
	var out bytes.Buffer
	for {
		at := bytes.Index(v, attachment)
		if at < 0 || out.Len() > MaxRecord {
			break
		}
		end := stringEnd(v, at)
		text, ok := known[string(v[at+len(attachment):max(at+len(attachment), end-1)])]
		if !ok || !text.isString() {
			text = v[at:end]
		}
		out.Write(v[:at])
		out.Write(text)
		v = v[end:]
	}
	out.Write(v)
	return out.Bytes()
}
