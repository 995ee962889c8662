package executor

import (
	"context"
	"encoding/json"
	"time"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
)

// The types of events about a new object.
const (
	// Finalized is a storage event, as Eventarc sends it:
	// https://cloud.google.com/eventarc/docs/reference/supported-events.
	Finalized = "google.cloud.storage.object.v1.finalized"
	// Published is what the functions framework makes of a push of Pub/Sub. Its
	// message is a notification of Cloud Storage, with the object as JSON:
	// https://cloud.google.com/storage/docs/pubsub-notifications.
	Published = "google.cloud.pubsub.topic.v1.messagePublished"
)

// published is the data of a Published event, the part that is used.
type published struct {
	Message struct {
		Data       []byte            `json:"data"`
		Attributes map[string]string `json:"attributes"`
	} `json:"message"`
}

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
	data, err := finalized(event)
	if err != nil {
		return execution.Event{}, err
	}
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
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
		return execution.Event{}, errs.New(errs.Invalid, "The event does not say when the object was created.")
	}
	deadline, _ := ctx.Deadline()
	return execution.Event{
		Bucket: o.Bucket, Object: o.Name, Generation: o.Generation, Size: o.Size,
		Metadata: o.Metadata, CreatedAt: o.TimeCreated, Deadline: deadline,
	}, nil
}

// finalized returns the object that an event says was finalised, as JSON.
func finalized(event cloudevents.Event) ([]byte, error) {
	switch event.Type() {
	case Finalized:
		return event.Data(), nil
	case Published:
		var p published
		if err := json.Unmarshal(event.Data(), &p); err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "The event's data is not a Pub/Sub message with data and attributes.")
		}
		if kind := p.Message.Attributes["eventType"]; kind != "OBJECT_FINALIZE" {
			return nil, errs.New(errs.Invalid, "The message's eventType is %q; the executor takes OBJECT_FINALIZE.", kind)
		}
		return p.Message.Data, nil
	default:
		return nil, errs.New(errs.Invalid, "The event's type is %q; the executor takes %q and %q.", event.Type(), Finalized, Published)
	}
}
