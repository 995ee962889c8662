package executor

import (
	"bytes"
	"io"
	"net/http"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
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
