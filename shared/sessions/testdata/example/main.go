// Greeter is an ADK program that keeps its sessions with package sessions.
package main

import (
	"context"
	"fmt"
	"iter"
	"log"
	"os"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sqlite"
)

func main() {
	if err := greet(context.Background(), "sessions.db", os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// greet says each message in a turn of its own.
func greet(ctx context.Context, path string, messages []string) error {
	store, err := sqlite.Open(ctx, path, sqlite.Options{}) // or firestore.Open(ctx, project, database)
	if err != nil {
		return err
	}
	defer store.Close()
	service := sessions.NewService(store, sessions.Options{})

	greeter, err := agent.New(agent.Config{Name: "greeter", Run: answer}) // or an agent that asks a model
	if err != nil {
		return err
	}
	with, err := runner.New(runner.Config{AppName: "greetings", Agent: greeter, SessionService: service})
	if err != nil {
		return err
	}
	key := sessions.Key{App: "greetings", User: "ada", Session: "first"}
	if service.Find(ctx, key) != nil {
		create := &session.CreateRequest{AppName: key.App, UserID: key.User, SessionID: key.Session}
		if _, err := service.Create(ctx, create); err != nil {
			return err
		}
	}
	for _, message := range messages {
		events, err := service.Run(ctx, with, key, genai.NewContentFromText(message, genai.RoleUser))
		if err != nil {
			return err // nothing of this turn was stored
		}
		fmt.Println(events[len(events)-1].Content.Parts[0].Text)
	}
	return nil
}

// answer counts the user's messages in the session's state.
func answer(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
	return func(yield func(*session.Event, error) bool) {
		count, _ := ctx.Session().State().Get("count")
		number, _ := count.(float64)
		event := session.NewEvent(ctx, ctx.InvocationID())
		event.Author = "greeter"
		event.Content = genai.NewContentFromText(fmt.Sprintf("%s to you, for the %d. time", ctx.UserContent().Parts[0].Text, int(number)+1), genai.RoleModel)
		event.Actions.StateDelta = map[string]any{"count": number + 1}
		yield(event, nil)
	}
}
