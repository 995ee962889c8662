package goalplanning

import (
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// Recall returns what later turns need of an event: what was said. The user's
// messages stay as they are, the last agent's answer becomes its reply, and
// what the agents told each other goes: it is in state where it matters.
func Recall(event *session.Event) *session.Event {
	if event.Author == genai.RoleUser {
		return event
	}
	output, ok := event.Actions.StateDelta[goal.KeyOutput].(map[string]any)
	if event.Author != finalizer || !ok {
		return nil
	}
	reply, _ := output["reply"].(string)
	recalled := *event
	recalled.Content = genai.NewContentFromText(reply, genai.RoleModel)
	return &recalled
}

// maxHistory is how many of the newest messages and replies go to the model.
// What they came to is in the preview.
const maxHistory = 12

// conversation is a before-model callback that leaves of the history what was
// said, the message last.
func conversation(_ agent.Context, request *model.LLMRequest) (*model.LLMResponse, error) {
	kept := request.Contents[:0]
	for _, content := range request.Contents {
		if said := saidIn(content); said != nil {
			kept = append(kept, said)
		}
	}
	for len(kept) > 0 && kept[len(kept)-1].Role != genai.RoleUser {
		kept = kept[:len(kept)-1]
	}
	request.Contents = kept[max(0, len(kept)-maxHistory):]
	return nil, nil
}

// saidIn returns a message or reply, nil for what is neither. ADK shows another
// agent's words as the user's, after two words of its own, and asks the model
// to go on where the last words are not the user's.
func saidIn(content *genai.Content) *genai.Content {
	text := textOf(content)
	words, others := strings.CutPrefix(text, "For context:")
	reply, final := strings.CutPrefix(words, "["+finalizer+"] said: ")
	switch {
	case others && final:
		return genai.NewContentFromText(reply, genai.RoleModel)
	case others, text == "", strings.HasPrefix(text, "Continue processing previous requests as instructed."):
		return nil
	default:
		return content
	}
}
