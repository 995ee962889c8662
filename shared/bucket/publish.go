package bucket

import "github.com/planwright/planwright/shared/errs"

// Publish commits an upload whose bytes are the same from every writer. A
// name that already holds as many bytes with the same CRC32C is success, and
// the object that is there is returned: an earlier attempt, or a commit whose
// answer was lost, has put it there. A name that holds other bytes stays
// Conflict, with that object.
func Publish(upload Upload) (Object, error) {
	var streamed Digest
	streamed.Size, streamed.CRC32C = upload.Sum()
	object, err := upload.Commit()
	if errs.KindOf(err) == errs.Conflict && streamed.Matches(object) {
		return object, nil
	}
	return object, err
}
