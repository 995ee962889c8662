// Package stored has the forms that every store keeps alike: times and hashes. It stores
// nothing itself, and knows no record.
package stored

import (
	"crypto/sha256"
	"fmt"
	"time"
)

// SHA256 is the hash of a text in hexadecimal digits.
func SHA256(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// Time is t as every store keeps it: in UTC, in whole microseconds, which
// is the precision of a Firestore timestamp.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
