// Command cmd serves the function Planner on this machine: go run ./functions/planner/cmd.
package main

import (
	"github.com/planwright/planwright/functions/local"
	_ "github.com/planwright/planwright/functions/planner" // registers it
)

func main() { local.Serve("Planner") }
