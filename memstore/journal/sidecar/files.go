// Package sidecar has the file that a journal keeps beside its database: the bell that wakes its followers. It knows neither the database
// nor what a revision is.
package sidecar

// Database is the file in the state folder that all others are beside.
const Database = "journal.db"
