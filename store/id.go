package store

import "crypto/rand"

// alphabet has no letters that are read as others, and hardly makes words.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength is the length of an id that was looked up and found free; one that
// could not be looked up cheaply is longer, so that chance alone is enough: among
// a million memories it meets one in 10⁹ times.
const (
	idLength     = 8
	longIDLength = 10
)

// spell writes random bytes as an id: a letter first.
func spell(random []byte) string {
	id := make([]byte, idLength, longIDLength)
	if len(random) == longIDLength {
		id = id[:longIDLength]
	}
	for i := range id {
		id[i] = alphabet[random[i]&31]
	}
	id[0] = alphabet[10+random[0]%22]
	return string(id)
}

func randomID(length int) string {
	var b [longIDLength]byte
	rand.Read(b[:])
	return spell(b[:length])
}
