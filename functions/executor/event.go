package executor

import (
	"context"
	"encoding/json"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
)

// Finalized is the type of the events that Eventarc sends for a new object:
// https://cloud.google.com/eventarc/docs/reference/supported-events.
const Finalized = "google.cloud.storage.object.v1.finalized"

// object is the part of a storage event's data that is used. The data may hold
// more, and will: new fields are no errors.
type object struct {
	Bucket      string            `json:"bucket"`
	Name        string            `json:"name"`
	Generation  int64             `json:"generation,string"`
	Size        int64             `json:"size,string"`
	TimeCreated time.Time         `json:"timeCreated"`
	Metadata    map[string]string `json:"metadata"`
}

// decode reads a storage event for a bucket. Invalid: it is not one, and will
// not be one when it is delivered again.
func decode(ctx context.Context, event cloudevents.Event, inbox string) (execution.Event, error) {
	if event.Type() != Finalized {
		return execution.Event{}, errs.New(errs.Invalid, "The event's type is %q; the executor takes %q.", event.Type(), Finalized)
	}
	var o object
	if err := json.Unmarshal(event.Data(), &o); err != nil {
		return execution.Event{}, errs.Wrap(errs.Invalid, err, "The event's data is not a storage object: bucket and name are strings, generation and size are numbers in strings, timeCreated is an RFC 3339 time.")
	}
	if o.TimeCreated.IsZero() {
		o.TimeCreated = event.Time()
	}
	switch {
	case o.Bucket != inbox:
		return execution.Event{}, errs.New(errs.Invalid, "The event is about bucket %q; the inbox is %q.", o.Bucket, inbox)
	case o.Name == "":
		return execution.Event{}, errs.New(errs.Invalid, "The event's data names no object.")
	case o.Generation <= 0:
		return execution.Event{}, errs.New(errs.Invalid, "The event's data names no generation of the object.")
	case o.TimeCreated.IsZero():
		return execution.Event{}, errs.New(errs.Invalid, "The event says nowhere when the object was created.")
	}
	deadline, _ := ctx.Deadline()
	return execution.Event{
		Bucket: o.Bucket, Object: o.Name, Generation: o.Generation, Size: o.Size,
		Metadata: o.Metadata, CreatedAt: o.TimeCreated, Deadline: deadline,
	}, nil
}
