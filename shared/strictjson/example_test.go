package strictjson_test

import (
	"fmt"

	"github.com/planwright/planwright/shared/strictjson"
)

func ExampleReadObject() {
	var instruction string
	var limit int
	problems := strictjson.ReadObject([]byte(`{"instruction": 5, "limit": 1e2, "colour": "red"}`), func(o *strictjson.Object) {
		instruction, _ = o.Required("instruction").String()
		limit, _ = o.Optional("limit").Int(1, 100)
	})
	for _, problem := range problems {
		fmt.Println(problem)
	}
	fmt.Printf("%q %d\n", instruction, limit)
	// Output:
	// instruction: must be a string, but is a number
	// limit: must be a whole number from 1 to 100, but is 1e2
	// colour: is not a known field; known are instruction, limit
	// "" 0
}
