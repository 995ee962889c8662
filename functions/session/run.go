package session

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	adk "google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/web"
)

// run answers with the events of one turn.
func (h handler) run(w http.ResponseWriter, r *http.Request) (any, error) {
	request, err := h.readTurn(w, r)
	if err != nil {
		return nil, err
	}
	request.streaming = false // an array has no place for it
	turn, err := h.begin(r.Context(), request)
	if err != nil {
		return nil, err
	}
	list, err := h.finish(r.Context(), turn, request, func(*adk.Event) {})
	answers := make([]eventAnswer, len(list))
	for i, event := range list {
		answers[i] = showEvent(event)
	}
	return answers, err
}

func (h handler) readTurn(w http.ResponseWriter, r *http.Request) (request turnRequest, err error) {
	err = web.ReadJSON(w, r, func(data []byte) (err error) {
		request, err = h.readRun(data)
		return err
	})
	if err == nil {
		err = h.admit(r, request.key.User)
	}
	return request, err
}

// begin reads what the turn needs, and puts the session on the request's log
// lines.
func (h handler) begin(ctx context.Context, request turnRequest) (*sessions.OpenTurn, error) {
	logging.Add(
		ctx,
		slog.String("app", request.key.App),
		slog.String("user", request.key.User),
		slog.String("session", request.key.Session),
	)
	return h.service.Begin(ctx, sessions.TurnRequest{
		Key: request.key, MessageID: request.messageID, Content: request.identity(), Seen: request.seen,
	})
}

// finish runs the agents, unless the turn was answered before, stores the turn
// and returns its events. Events go to progress as they happen, partial ones
// among them where the request is streaming; they count only once finish has
// returned them, and partial ones never.
func (h handler) finish(
	ctx context.Context,
	turn *sessions.OpenTurn,
	request turnRequest,
	progress func(*adk.Event),
) ([]*adk.Event, error) {
	if !turn.Answered() {
		defer turn.Release(ctx)
		if err := h.work(ctx, turn, request, progress); err != nil {
			return nil, err
		}
		if err := turn.Commit(ctx); err != nil {
			return nil, tooLarge(err)
		}
	}
	list, err := turn.Events(ctx)
	return slices.DeleteFunc(slices.Clone(list), fromUser), err
}

// work runs the agents until their own deadline, which leaves time to store
// the turn.
func (h handler) work(
	ctx context.Context,
	turn *sessions.OpenTurn,
	request turnRequest,
	progress func(*adk.Event),
) error {
	ctx, cancel := context.WithTimeout(turn.Context(ctx), h.agentsTime(ctx))
	defer cancel()
	var options []runner.RunOption
	if len(request.delta) > 0 {
		options = append(options, runner.WithStateDelta(request.delta))
	}
	key := request.key
	config := agent.RunConfig{}
	if request.streaming {
		config.StreamingMode = agent.StreamingModeSSE
	}
	seen := 0
	message := genai.NewContentFromText(request.text, genai.RoleUser)
	for event, err := range h.apps[key.App].runner.Run(ctx, key.User, key.Session, message, config,
		options...) {
		if err != nil {
			return err
		}
		if event != nil && event.Partial {
			progress(event)
		}
		for ; seen < len(turn.Appended()); seen++ {
			if event := turn.Appended()[seen]; !fromUser(event) {
				progress(event)
			}
		}
	}
	return nil
}

// storeTime is kept back from the request's deadline to store the turn.
const storeTime = 5 * time.Second

func (h handler) agentsTime(ctx context.Context) time.Duration {
	limit := h.TurnTimeout
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)-storeTime)
	}
	return limit
}

func fromUser(event *adk.Event) bool { return event.Author == genai.RoleUser }
