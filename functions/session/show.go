package session

import (
	"maps"
	"time"

	adk "google.golang.org/adk/v2/session"
)

// sessionAnswer is a session as ADK's REST API shows it.
type sessionAnswer struct {
	ID             string         `json:"id"`
	AppName        string         `json:"appName"`
	UserID         string         `json:"userId"`
	State          map[string]any `json:"state"`
	Events         []eventAnswer  `json:"events"`
	LastUpdateTime float64        `json:"lastUpdateTime"` // seconds since 1970
}

// eventAnswer is an event as ADK's REST API shows it, its time in seconds
// since 1970.
type eventAnswer struct {
	*adk.Event
	Timestamp float64 `json:"timestamp"`
}

func show(s adk.Session) sessionAnswer {
	answer := sessionAnswer{
		ID: s.ID(), AppName: s.AppName(), UserID: s.UserID(),
		State: maps.Collect(s.State().All()), Events: []eventAnswer{}, LastUpdateTime: seconds(s.LastUpdateTime()),
	}
	for event := range s.Events().All() {
		answer.Events = append(answer.Events, showEvent(event))
	}
	return answer
}

func showEvent(event *adk.Event) eventAnswer {
	return eventAnswer{event, seconds(event.Timestamp)}
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
