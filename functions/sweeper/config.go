package sweeper

import (
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
)

// Config is everything the sweeper is told by its environment: what the
// executor is told.
type Config = execution.Config

// ReadConfig reads the configuration and reports every problem at once.
func ReadConfig(lookup config.Lookup) (Config, error) { return execution.ReadConfig(lookup) }
