package firestoredb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// instants are the fields that hold times, wherever they stand.
var instants = map[string]bool{
	"apply_at": true, "at": true, "began_at": true, "created_at": true, "due_at": true, "executed_at": true,
	"expire_at": true, "expires_at": true,
	"found_at": true, "lease_until": true, "post_at": true, "previous_began_at": true, "updated_at": true,
	"uploaded_at": true,
}

// Encode returns the fields of a document. They are those of the JSON, so that
// a thing has one name everywhere; its times become timestamps and its numbers,
// which are all whole, integers. What is never due has no time there, so that no
// query for what is due finds it.
func encode(value any, what string) (map[string]any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "%s: it cannot be written as JSON", what)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return nil, errs.Wrap(errs.Internal, err, "%s: it is not an object", what)
	}
	if err := convert(fields); err != nil {
		return nil, errs.Wrap(errs.Internal, err, "%s: it has a field that a document cannot hold", what)
	}
	return fields, nil
}

func convert(fields map[string]any) (err error) {
	for name, value := range fields {
		if text, ok := value.(string); ok && instants[name] {
			var at time.Time
			if at, err = time.Parse(time.RFC3339Nano, text); (name == "due_at" || name == "post_at") &&
				at.IsZero() {
				fields[name] = nil
			} else {
				fields[name] = at
			}
		} else {
			fields[name], err = converted(value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func converted(value any) (_ any, err error) {
	switch value := value.(type) {
	case json.Number:
		return value.Int64()
	case map[string]any:
		return value, convert(value)
	case []any:
		for i := range value {
			if value[i], err = converted(value[i]); err != nil {
				return nil, err
			}
		}
		return value, nil
	default:
		return value, nil
	}
}

// Decode reads the fields of a document.
func Decode(fields map[string]any, into any, what string) error {
	text, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return errs.Wrap(errs.Internal, err, "%s: the database holds something else there", what)
	}
	return nil
}
