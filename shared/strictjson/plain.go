package strictjson

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// AppendPlain appends a value of JSON's own types, as Value.Plain returns it,
// the members of an object in the order of their names. What else is in it is
// written as encoding/json does, which reflects on each member of a map: three
// times the work, and a copy of each name and value.
func AppendPlain(dst []byte, value any) (_ []byte, err error) {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case float64:
		switch whole := math.Trunc(v); { // of these, none is written with an exponent
		case math.Abs(v) >= 1e9:
		case v == whole && v != 0:
			return strconv.AppendInt(dst, int64(v), 10), nil
		case v == math.Trunc(v*1024)/1024:
			return strconv.AppendFloat(dst, v, 'f', -1, 64), nil
		}
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = AppendPlain(dst, item); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		var few [16]string // of one that is not large there is no list to allocate
		names := slices.AppendSeq(few[:0], maps.Keys(v))
		slices.Sort(names)
		dst = append(slices.Grow(dst, 256), '{') // growing byte by byte would copy a small object five times
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, name), ':')
			if dst, err = AppendPlain(dst, v[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	text, err := json.Marshal(value)
	return append(dst, text...), err
}
