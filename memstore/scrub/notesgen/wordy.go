package notesgen

import "bytes"

// Wordy are notes of size bytes full of the words that make scanners look, such as token, config,
// key and secret, without a value: what a benchmark reads.
func Wordy(size int) []byte {
	return repeated([]string{
		"The token bucket in the config limits each key to 100 requests; the secret is in the rate.",
		"- config: key `max_tokens` is 4096, the tokenizer counts tokens per request and per key",
		"We keep the API key for the model in the environment, never in the config file.",
		"## Auth: password reset, token refresh, access key rotation",
		"Call the api with the client secret from the vault; the token expires after an hour.",
		"| key | default | config | token |",
		"Credentials for staging are in 1Password under the account of the team, see login page.",
		"Fixed in 3f2a9c1 on 2026-11-02, took 1234 ms, build 20261121.4, user 48213, port 5432.",
		"```yaml\nsecretName: app-tls\nkey: token.config\n```",
	}, size)
}

// Quiet are notes of size bytes without such words.
func Quiet(size int) []byte {
	return repeated([]string{
		"The meeting moved to Thursday because the room was taken; Anna brings the drawings along.",
		"- the parser reads the file once and remembers where each line begins",
		"Ship the blue one first. Customers asked for it 3 times in October 2026.",
		"Lunch with the design team, then a walk round the lake; talked about the new layout.",
	}, size)
}

func repeated(lines []string, size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.WriteString(lines[i*7%len(lines)])
		b.WriteByte('\n')
	}
	return b.Bytes()[:size]
}
