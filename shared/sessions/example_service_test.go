package sessions_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sqlite"
)

// A service keeps the sessions of an ADK runner: a message and its answers in one transaction.
func ExampleService() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "sessions.db"), sqlite.Options{})
	if err != nil {
		panic(err)
	}
	defer store.Close()
	service := sessions.NewService(store, sessions.Options{})

	created, err := service.Create(ctx, &session.CreateRequest{
		AppName: "greetings", UserID: "ada", SessionID: "first", State: map[string]any{"language": "en"},
	})
	if err != nil {
		panic(err)
	}
	event := session.NewEvent(ctx, "invocation-1")
	event.Author = "user"
	event.Content = genai.NewContentFromText("Hello", genai.RoleUser)
	if err := service.AppendEvent(ctx, created.Session, event); err != nil {
		panic(err)
	}
	got, err := service.Get(ctx, &session.GetRequest{AppName: "greetings", UserID: "ada", SessionID: "first"})
	if err != nil {
		panic(err)
	}
	language, err := got.Session.State().Get("language")
	if err != nil {
		panic(err)
	}
	fmt.Println(language)
	for e := range got.Session.Events().All() {
		fmt.Println(e.Author, e.Content.Parts[0].Text)
	}
	// Output:
	// en
	// user Hello
}
