package executor

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/web"
)

// maxEventBytes is the most that an event may hold. An object's metadata, the
// only part that can grow, has at most 8 KiB.
const maxEventBytes = 512 << 10

// NewHandler takes CloudEvents over HTTP, binary or structured. An event says which
// upload to look at; what it says of that upload is not believed. 204
// acknowledges an event; 4xx says that it is not one for this executor; 503
// asks for it to be delivered again.
func NewHandler(x *execution.Executor) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
		event, err := read(w, r)
		if err != nil {
			return nil, err
		}
		upload, err := decode(event, x.Inbox.Name())
		if err != nil {
			return nil, err
		}
		if err := x.HandleNamed(r.Context(), upload); err != nil {
			return nil, errs.Wrap(
				errs.Unavailable,
				err,
				"The event was not carried through; deliver it again. The log has the reason.",
			)
		}
		w.WriteHeader(http.StatusNoContent)
		return nil, nil
	}
}

func read(w http.ResponseWriter, r *http.Request) (cloudevents.Event, error) {
	body, err := web.ReadAll(
		w,
		r,
		maxEventBytes,
		cloudevents.ApplicationJSON,
		cloudevents.ApplicationCloudEventsJSON,
	)
	if err != nil {
		return cloudevents.Event{}, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	event, err := cloudevents.NewEventFromHTTPRequest(r)
	if err == nil {
		err = event.Validate()
	}
	if err != nil {
		return cloudevents.Event{}, web.Malformed(
			"The request is not a CloudEvent: send the Ce-Id, Ce-Source, Ce-Type and Ce-Specversion headers with the object as JSON, or Content-Type: application/cloudevents+json with all of it in the body.",
		)
	}
	return *event, nil
}

// The types of events about a new object.
const (
	// finalizedType is a storage event, as Eventarc sends it:
	// https://cloud.google.com/eventarc/docs/reference/supported-events.
	finalizedType = "google.cloud.storage.object.v1.finalized"
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

// object is the part of a storage event's data that is believed. The data may hold
// more, such as the object's metadata, of which any sender can write what it likes.
type object struct {
	Bucket     string `json:"bucket"`
	Name       string `json:"name"`
	Generation int64  `json:"generation,string"`
}

// decode reads which upload to a bucket a storage event is about. Invalid: it is about
// none, and will not be when it is delivered again.
func decode(event cloudevents.Event, inbox string) (ledger.Upload, error) {
	data, err := finalized(event)
	if err != nil {
		return ledger.Upload{}, err
	}
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return ledger.Upload{}, errs.Wrap(
			errs.Invalid,
			err,
			"The event's data is not a storage object: bucket and name are strings, generation is a number in a string.",
		)
	}
	switch {
	case o.Bucket != inbox:
		return ledger.Upload{}, errs.New(
			errs.Invalid,
			"The event is about bucket %q; the inbox is %q.",
			o.Bucket,
			inbox,
		)
	case o.Name == "":
		return ledger.Upload{}, errs.New(errs.Invalid, "The event's data names no object.")
	case o.Generation <= 0:
		return ledger.Upload{}, errs.New(errs.Invalid, "The event's data names no generation of the object.")
	}
	return ledger.Upload{Bucket: o.Bucket, Object: o.Name, Generation: o.Generation}, nil
}

// finalized returns the object that an event says was finalised, as JSON.
func finalized(event cloudevents.Event) ([]byte, error) {
	switch event.Type() {
	case finalizedType:
		return event.Data(), nil
	case Published:
		var p published
		if err := json.Unmarshal(event.Data(), &p); err != nil {
			return nil, errs.Wrap(
				errs.Invalid,
				err,
				"The event's data is not a Pub/Sub message with data and attributes.",
			)
		}
		if kind := p.Message.Attributes["eventType"]; kind != "OBJECT_FINALIZE" {
			return nil, errs.New(
				errs.Invalid,
				"The message's eventType is %q; the executor takes OBJECT_FINALIZE.",
				kind,
			)
		}
		return p.Message.Data, nil
	default:
		return nil, errs.New(
			errs.Invalid,
			"The event's type is %q; the executor takes %q and %q.",
			event.Type(),
			finalizedType,
			Published,
		)
	}
}
