// Command local serves one deployed function on this machine, by the functions
// framework: FUNCTION_TARGET=Planner go run ./functions/local, and so Executor, Session,
// Sweeper and Console. The function reads the variables that it has in the cloud
// (.env.example), and its stores may be emulators. For all of the house over one folder
// there is planwright serve.
package main

import (
	"log"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	_ "github.com/planwright/planwright/functions/console" // each registers itself
	_ "github.com/planwright/planwright/functions/executor"
	_ "github.com/planwright/planwright/functions/planner"
	_ "github.com/planwright/planwright/functions/session"
	_ "github.com/planwright/planwright/functions/sweeper"
	"github.com/planwright/planwright/shared/config"
)

func main() {
	target := os.Getenv("FUNCTION_TARGET") // which the framework reads, too
	if target == "" {
		log.Fatal("FUNCTION_TARGET is not set: it names the function, such as Planner")
	}
	port := config.Read(os.LookupEnv).String("PORT", "8080")
	log.Printf("%s listens on http://127.0.0.1:%s", target, port)
	log.Fatal(funcframework.StartHostPort("127.0.0.1", port))
}
