// Command cmd serves the function Session on this machine: go run ./functions/session/cmd.
package main

import (
	"github.com/planwright/planwright/functions/local"
	_ "github.com/planwright/planwright/functions/session" // registers it
)

func main() { local.Serve("Session") }
