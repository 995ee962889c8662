package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/planwright/planwright/shared/table"
)

// ProposalSHA256 is the hash of what would be sealed of an upload: two
// proposals have the same one where the same plan makes the same bytes of the
// same table. It says nothing of when they were computed, or by which attempt.
func ProposalSHA256(source Source, seal Seal) string {
	text, err := json.Marshal(struct {
		PlanSHA256    string         `json:"plan_sha256"`
		Upload        Upload         `json:"upload"`
		InputSize     int64          `json:"input_size"`
		InputCRC32C   uint32         `json:"input_crc32c"`
		InputBLAKE3   string         `json:"input_blake3"`
		Settings      table.Settings `json:"settings"`
		OutputSize    int64          `json:"output_size"`
		OutputCRC32C  uint32         `json:"output_crc32c"`
		ChangesSHA256 string         `json:"changes_sha256"`
	}{
		seal.PlanSHA256, source.Upload, seal.Input.Size, seal.Input.CRC32C, seal.Input.BLAKE3, source.Settings,
		seal.Output.Size, seal.Output.CRC32C, seal.ChangesSHA256,
	})
	if err != nil {
		panic("ledger: settings that are not JSON: " + err.Error()) // they were read from JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
