package english

import "testing"

func TestVocabularyHasNoPhraseTwice(t *testing.T) {
	if _, err := buildLexicon(); err != nil {
		t.Fatal(err)
	}
}
