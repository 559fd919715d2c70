package config

// What only tests of the package ask for.
const MaxConfigBytes = maxConfigBytes

var (
	Schema = schema
)
