// Command local serves one deployed function on this machine, by the functions framework:
// FUNCTION_TARGET=Planner go run ./functions/local, and so Executor, Session, Shops, Sweeper
// and Console. The function reads the variables that it has in the cloud (.env.example) from
// the environment and from .env. Without a project it uses the emulators of ../README.md.
// "planwright serve" serves all functions over one folder.
package main

import (
	"context"
	"log"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	_ "github.com/planwright/planwright/functions/console" // each registers itself
	_ "github.com/planwright/planwright/functions/executor"
	_ "github.com/planwright/planwright/functions/planner"
	_ "github.com/planwright/planwright/functions/session"
	_ "github.com/planwright/planwright/functions/shops"
	_ "github.com/planwright/planwright/functions/sweeper"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
)

func main() {
	log.SetFlags(0)
	if err := config.LoadFile(".env"); err != nil {
		log.Fatal(errs.Message(err))
	}
	target := os.Getenv("FUNCTION_TARGET") // which the framework reads, too
	if target == "" {
		log.Fatal("FUNCTION_TARGET is not set: it names the function, such as Planner")
	}
	variables := config.Read(os.LookupEnv)
	if target != "Console" && variables.String("GOOGLE_CLOUD_PROJECT", "") == "" {
		if err := try(context.Background()); err != nil {
			log.Fatalf("GOOGLE_CLOUD_PROJECT is not set, and there is no Firestore for a trial: %v", err)
		}
	}
	port := variables.String("PORT", "8080")
	log.Printf("%s listens on http://127.0.0.1:%s", target, port)
	log.Fatal(funcframework.StartHostPort("127.0.0.1", port))
}
