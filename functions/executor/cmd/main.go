// Command cmd serves the function Executor on this machine: go run ./functions/executor/cmd.
package main

import (
	_ "github.com/planwright/planwright/functions/executor" // registers it
	"github.com/planwright/planwright/functions/local"
)

func main() { local.Serve("Executor") }
