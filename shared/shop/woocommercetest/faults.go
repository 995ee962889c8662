package woocommercetest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Fault is what happens to the next request whose path has On in it.
type Fault struct {
	On   string // a part of the path, such as "batch"; "" is any
	Skip int    // so many such requests go well first
	Kind FaultKind
	Code int // of Status
	// After is how many items of a batch are done before it happens, of Killed.
	After int
	Wait  string // Retry-After
	Act   func() // is called once what is done of the request is done
}

// FaultKind is a way in which a request goes wrong.
type FaultKind int

const (
	Lost      FaultKind = iota // the connection breaks, and nothing was done
	Unheard                    // all is done, and the connection breaks before the answer
	Ghost                      // the connection breaks, and all is done when Land is called
	Killed                     // so many items are done, and the server is gone
	Status                     // an answer with that status, and a page of HTML
	Page                       // a page of HTML with status 200
	Cut                        // all is done, and the answer is cut off
	Redirects                  // to a login on another host
	LeavesOut                  // all is done, and one item is missing in the answer
	Uncounted                  // the answer has no X-WP-Total
	Acts                       // Act is called, and the request goes well
)

// Next has faults happen, each once, in their order where they match.
func (s *Shop) Next(faults ...Fault) {
	s.set(func() {
		for i := range faults {
			s.faults = append(s.faults, &faults[i])
		}
	})
}

// Mood is how a shop answers every time, beside the faults that are asked for.
type Mood int

const (
	Well   Mood = iota
	Late        // the first of three batches is given up, and done when the next request comes
	Twice       // every batch is done twice, as by a proxy that asks again
	Partly      // of the first of three batches one half is done, and the connection breaks
	Silent      // the first of three batches has no answer; every other one of them was done
)

// SetMood has the shop answer so from now on.
func (s *Shop) SetMood(m Mood) { s.set(func() { s.mood = m }) }

// Mood is how the shop answers.
func (s *Shop) Mood() Mood {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mood
}

// moody is the fault that a batch meets by the shop's mood; nil: none.
func (s *Shop) moody(body []byte) *Fault {
	items := bytes.Count(body, []byte(`"id"`))
	if items > maxItems {
		return nil // is refused whole
	}
	if s.batches++; s.batches%3 != 1 {
		return nil
	}
	switch s.mood {
	case Late:
		return &Fault{Kind: Ghost}
	case Partly:
		return &Fault{Kind: Killed, After: items / 2}
	case Silent:
		return &Fault{Kind: []FaultKind{Lost, Unheard}[s.batches/3%2]}
	}
	return nil
}

// Forgive takes the faults back that have not happened.
func (s *Shop) Forgive() { s.set(func() { s.faults = nil }) }

// Land has everything happen that was given up.
func (s *Shop) Land() {
	s.mu.Lock()
	ghosts := s.ghosts
	s.ghosts = nil
	s.mu.Unlock()
	for _, land := range ghosts {
		land()
	}
}

// take takes the fault of a request, if there is one.
func (s *Shop) take(path string, body []byte) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	for i, f := range s.faults {
		if !strings.Contains(path, f.On) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		return f
	}
	if strings.HasSuffix(path, "/batch") {
		return s.moody(body)
	}
	return nil
}

// page is what a person would see, with what it must not be quoted for.
const page = `<!doctype html><title>Log in</title><p>ck_standin cs_standin</p>`

// answer plays a fault. It returns false where the request goes on.
func (s *Shop) answer(f *Fault, w http.ResponseWriter, r *http.Request, body []byte) bool {
	switch f.Kind {
	case Lost:
	case Unheard:
		s.batch(r.URL.Path, body, -1)
	case Ghost:
		path := r.URL.Path
		s.set(func() { s.ghosts = append(s.ghosts, func() { s.batch(path, body, -1) }) })
	case Killed:
		s.batch(r.URL.Path, body, f.After)
	case Status:
		if f.Wait != "" {
			w.Header().Set("Retry-After", f.Wait)
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.Code)
		fmt.Fprint(w, page)
		return true
	case Page:
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		fmt.Fprint(w, page)
		return true
	case Redirects:
		http.Redirect(w, r, "https://login.example/wp-login.php?key=ck_standin", http.StatusFound)
		return true
	case Cut:
		answer := s.batch(r.URL.Path, body, -1)
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer[:len(answer)/2])
		return true
	case LeavesOut:
		s.batch(r.URL.Path, body, -1)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"update":[]}`)
		return true
	case Acts:
		f.Act()
		return false
	case Uncounted:
		return false
	}
	if f.Act != nil {
		f.Act()
	}
	panic(http.ErrAbortHandler) // breaks the connection off
}
