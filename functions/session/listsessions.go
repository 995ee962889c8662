package session

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// listSessions answers with a page of a user's sessions, the last used first.
// ADK's clients expect the bare array, so the next page is named in a Link
// header.
func (h handler) listSessions(w http.ResponseWriter, r *http.Request) error {
	name, user := r.PathValue("app"), r.PathValue("user")
	if _, err := h.app(name); err != nil {
		return err
	}
	if err := sessions.CheckID("user id", user); err != nil {
		return err
	}
	if err := h.admit(r, user); err != nil {
		return err
	}
	after, size, err := readPage(r.URL.Query(), user)
	if err != nil {
		return err
	}
	page, last, err := h.service.ListPage(r.Context(), name, user, after, size)
	if err != nil {
		return err
	}
	if last != (sessions.Place{}) {
		next := url.Values{"page_size": {strconv.Itoa(size)}, "page_token": {pageToken(last)}}
		w.Header().Set("Link", "<?"+next.Encode()+`>; rel="next"`)
	}
	answers := make([]sessionAnswer, len(page))
	for i, found := range page {
		answers[i] = show(found)
	}
	web.WriteJSON(w, http.StatusOK, answers)
	return nil
}

// listPlace is where a page begins, as its token holds it.
type listPlace struct {
	UpdatedAt time.Time `json:"updated_at"`
	Session   string    `json:"session"`
}

func pageToken(last sessions.Place) string {
	text, err := json.Marshal(listPlace{last.UpdatedAt, last.Session})
	if err != nil { // a year beyond 9999
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readPage reads page_size and page_token of a list of the user's sessions.
func readPage(query url.Values, user string) (after sessions.Place, size int, err error) {
	if size, err = web.WholeNumber(query, "page_size", sessions.MaxPage, sessions.MaxPage); err != nil {
		return after, 0, err
	}
	token := query.Get("page_token")
	if token == "" {
		return after, size, nil
	}
	var place listPlace
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		err = json.Unmarshal(text, &place)
	}
	if err != nil || place.UpdatedAt.IsZero() || sessions.CheckID("session id", place.Session) != nil {
		return after, 0, web.Problems([]strictjson.Problem{{Path: "page_token", Message: "is not one that a list gave"}})
	}
	return sessions.Place{UpdatedAt: place.UpdatedAt.UTC(), User: user, Session: place.Session}, size, nil
}
