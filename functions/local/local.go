// Package local serves one deployed function on this machine, by the functions
// framework: each function's folder cmd has the program. The function reads the
// variables that it has in the cloud (.env.example), and its stores may be
// emulators. For all of the house over one folder there is planwright serve.
package local

import (
	"log"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	"github.com/planwright/planwright/shared/config"
)

// Serve serves the function that target names on 127.0.0.1 and the port of PORT
// (8080) until the process ends.
func Serve(target string) {
	if err := os.Setenv("FUNCTION_TARGET", target); err != nil {
		log.Fatal(err)
	}
	port := config.Read(os.LookupEnv).String("PORT", "8080")
	log.Printf("%s listens on http://127.0.0.1:%s", target, port)
	log.Fatal(funcframework.StartHostPort("127.0.0.1", port))
}
